import { Job } from '../../core/job.ts'
import { Problem } from '../../core/errors.ts'
import { claim, isAny } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'
import { deleteAccount } from './deletion.ts'
import { removeLeftovers } from './own-data.ts'

const PERIOD_MS = 5_000
/** Guests per run; the next run continues. */
const GUESTS_MAX = 25

/**
 * Deletes the accounts of guests whose day is over, or who have left: a tombstone called Guest remains. Also forgets
 * addresses from which guests may come again. Runs on one process.
 */
export class GuestEnds extends Job {
  constructor(private readonly parts: Parts) {
    super(PERIOD_MS, 'guests', parts.log)
  }

  protected async work(): Promise<void> {
    const { sql } = this.parts
    const isDue = await isAny(
      sql,
      sql`(select from users where guest_until <= now() limit 1)
        union all (select from guest_doors where until <= now() limit 1)`,
    )
    if (!isDue) return
    const ended = await sql.begin(async (tx): Promise<{ id: number }[]> => {
      if (!(await claim(tx, 'guests'))) return []
      await tx`delete from guest_doors where until <= now()`
      // Random order, so that a guest whose deletion fails does not delay the others.
      return tx`select id from users where guest_until <= now() order by random() limit ${GUESTS_MAX}`
    })
    for (const { id } of ended) await this.#end(id)
  }

  async #end(id: number): Promise<void> {
    try {
      // Guests have no password; one that is set means that the guest has just claimed its account.
      const uploads = await this.parts.write((sql, emit, notify) => deleteAccount(sql, emit, notify, id, null))
      await removeLeftovers(this.parts, id, uploads)
    } catch (error) {
      // Claimed, or another process has deleted the account.
      if (!(error instanceof Problem && error.code === 'invalid_credentials')) throw error
    }
  }
}
