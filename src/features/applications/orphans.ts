import { Job } from '../../core/job.ts'
import { Problem } from '../../core/errors.ts'
import { claim, isAny } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'
import { deleteAccount } from '../accounts/deletion.ts'
import { removeLeftovers } from '../accounts/own-data.ts'

const PERIOD_MS = 5_000
/** Bots per run; the next run continues. */
const BOTS_MAX = 25

/**
 * Deletes a bot's account; the bot leaves its servers and its files are deleted.
 * @throws Problem `not_found` when it is gone
 */
export async function deleteBot(parts: Parts, id: number): Promise<void> {
  const uploads = await parts.write((sql, emit, notify) => deleteAccount(sql, emit, notify, id))
  await removeLeftovers(parts, id, uploads)
}

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
