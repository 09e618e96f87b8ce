import { Elysia } from 'elysia'
import { z } from 'zod'
import { Job } from '../../core/job.ts'
import { found, Problem, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { claim, isAny } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { deleteAccount } from './deletion.ts'
import { removeLeftovers } from './own-data.ts'

const PERIOD_MS = 5_000
/** Bots per run; the next run continues. */
const BOTS_MAX = 25

/**
 * Deletes a bot's account; the bot leaves its servers and its files are deleted.
 * @throws Problem `not_found` when it is gone
 */
async function deleteBot(parts: Parts, id: number): Promise<void> {
  const uploads = await parts.write((sql, emit, notify) => deleteAccount(sql, emit, notify, id))
  await removeLeftovers(parts, id, uploads)
}

/** Deleting an application. */
export const applicationDeletion = (parts: Parts, sessions: Sessions) =>
  new Elysia({ prefix: '/api/applications' }).use(signedIn(parts, sessions)).delete(
    '/:application_id',
    async ({ params: { application_id }, me, status }) => {
      const [application] =
        await parts.sql`select 1 from applications where id = ${application_id} and owner_id = ${me.id}`
      found(application)
      await deleteBot(parts, application_id)
      return status(204, undefined)
    },
    {
      params: z.object({ application_id: DecimalId }),
      detail: {
        summary: 'Delete an application that the caller owns: its bot leaves every server; what it wrote stays',
        tags: ['Applications'],
      },
      response: answers({ 204: Nothing }, 'not_found', ...SHAPE_CODES, ...TOKEN_CODES),
    },
  )

/** Deletes bots whose owner is gone. Runs on one process. */
export class OrphanedBots extends Job {
  constructor(private readonly parts: Parts) {
    super(PERIOD_MS, 'bots', parts.log)
  }

  protected async work(): Promise<void> {
    const { sql } = this.parts
    if (!(await isAny(sql, sql`select from applications where owner_id is null`))) return
    // Random order, so that a bot whose deletion fails does not delay the others.
    const orphans = await sql.begin(async (tx): Promise<{ id: number }[]> => {
      if (!(await claim(tx, 'bots'))) return []
      return tx`select id from applications where owner_id is null order by random() limit ${BOTS_MAX}`
    })
    for (const { id } of orphans)
      await deleteBot(this.parts, id).catch((error: unknown) => {
        // Another process has already deleted the bot.
        if (!(error instanceof Problem && error.code === 'not_found')) throw error
      })
  }
}
