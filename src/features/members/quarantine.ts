import { Job } from '../../core/job.ts'
import { claim } from '../../database/job-lock.ts'
import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { lockServer } from '../access/guard.ts'
import { announceMember, endArrival } from './membership.ts'
import type { StatusOf } from '../status/model.ts'
import { endQuarantines } from './verified-at.ts'

const PERIOD_MS = 1_000
/** Quarantines per run; the next run continues. */
const ENDS_MAX = 500

interface Place {
  server_id: number
  user_id: number
}

/**
 * Quarantines a member: it only looks and reads, also after it has left and joined again.
 * @param until when it ends; undefined until a moderator lifts it
 * @returns false for the owner, administrators and bots, who are never held back
 */
export async function quarantine(sql: Transaction, { server_id, user_id }: Place, until?: Date): Promise<boolean> {
  const [target] = await sql<{ can_be_held: boolean }[]>`
    select u.kind in ('person', 'guest') and not mp.is_owner and not holds(mp.base, 'administrator') as can_be_held
    from member_permissions mp join users u on u.id = mp.user_id
    where mp.server_id = ${server_id} and mp.user_id = ${user_id}`
  if (!target?.can_be_held) return false
  await sql`insert into quarantines ${sql({ server_id, user_id, until: until ?? null })}
    on conflict (server_id, user_id) do update set until = excluded.until, by_raid = false`
  await sql`update members set held_back = 'quarantined', held_until = ${until ?? null},
      was_unverified = was_unverified or coalesce(held_back = 'unverified', false)
    where server_id = ${server_id} and user_id = ${user_id}`
  return true
}

/**
 * Lets a member in who is held back for any reason. One who has not accepted the rules before its quarantine is
 * pending again. The caller has locked the server and its access.
 */
export async function release(sql: Transaction, emit: Emit, { server_id, user_id }: Place): Promise<void> {
  const [quarantined] = await sql`
    delete from quarantines where server_id = ${server_id} and user_id = ${user_id} returning 1`
  if (!quarantined) await endArrival(sql, emit, await lockServer(sql, server_id), user_id)
  await sql`update members set held_back = case when is_arriving then 'pending' end, held_until = null,
      was_unverified = false
    where server_id = ${server_id} and user_id = ${user_id}`
}

/** Ends quarantines whose time is over, and announces that. Runs on one process and resumes after a restart. */
export class QuarantineEnds extends Job {
  constructor(
    private readonly parts: Pick<Parts, 'sql' | 'write' | 'log'>,
    private readonly statusOf: StatusOf,
  ) {
    super(PERIOD_MS, 'quarantines', parts.log)
  }

  protected async work(): Promise<void> {
    const ended = await this.parts.sql<Place[]>`
      select server_id, user_id from quarantines where until <= now() order by until limit ${ENDS_MAX}`
    for (const place of ended) if (!(await this.#end(place))) return
  }

  /** @returns false if another process runs this job */
  #end(place: Place): Promise<boolean> {
    const { server_id, user_id } = place
    return this.parts.write(async (sql, emit, notify) => {
      if (!(await claim(sql, 'quarantines'))) return false
      // The server may have been deleted, with its quarantines.
      const [server] = await sql`select 1 from servers where id = ${server_id} and owner_id is not null`
      if (!server) return true
      await lockServer(sql, server_id)
      await sql`select change_access(${server_id})`
      const [quarantined] = await sql`delete from quarantines
        where server_id = ${server_id} and user_id = ${user_id} and until <= now() returning 1`
      if (!quarantined) return true
      const [member] = await endQuarantines(sql, server_id, [user_id])
      if (member === undefined) return true
      await announceMember(sql, emit, place, this.statusOf(user_id))
      notify({ kind: 'access_changed', user_ids: [user_id] })
      return true
    })
  }
}
