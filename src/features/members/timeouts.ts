import { Job } from '../../core/job.ts'
import { claim } from '../../database/job-lock.ts'
import type { Parts } from '../../parts.ts'
import { announceMember } from './membership.ts'
import { lockServer } from '../access/guard.ts'
import type { StatusOf } from '../status/model.ts'

export const TIMEOUT_DAYS_MAX = 28
const PERIOD_MS = 1_000
/** Timeouts per run; the next run continues. */
const ENDS_MAX = 500

/**
 * Removes expired timeouts and announces that to the server. Permissions return by the database's clock without this
 * job. Runs on one process and resumes after a restart.
 */
export class TimeoutEnds extends Job {
  constructor(
    private readonly parts: Pick<Parts, 'sql' | 'write' | 'log'>,
    private readonly statusOf: StatusOf,
  ) {
    super(PERIOD_MS, 'timeouts', parts.log)
  }

  protected async work(): Promise<void> {
    const timeouts = await this.parts.sql<{ server_id: number; user_id: number }[]>`
      select server_id, user_id from timeouts where until <= now() order by until limit ${ENDS_MAX}`
    for (const { server_id, user_id } of timeouts) if (!(await this.#end(server_id, user_id))) return
  }

  /** @returns false if another process runs this job */
  #end(server_id: number, user_id: number): Promise<boolean> {
    return this.parts.write(async (sql, emit, notify) => {
      if (!(await claim(sql, 'timeouts'))) return false
      // The server may have been deleted, with its timeouts.
      const [server] = await sql`select 1 from servers where id = ${server_id} and owner_id is not null`
      if (!server) return true
      await lockServer(sql, server_id)
      const [timeout] = await sql`delete from timeouts
        where server_id = ${server_id} and user_id = ${user_id} and until <= now() returning 1`
      const [member] = await sql`select 1 from members where server_id = ${server_id} and user_id = ${user_id}`
      if (!timeout || !member) return true
      await announceMember(sql, emit, { server_id, user_id }, this.statusOf(user_id))
      notify({ kind: 'access_changed', user_ids: [user_id] })
      return true
    })
  }
}
