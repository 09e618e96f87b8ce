import { Job } from '../../core/job.ts'
import { claim } from '../../database/job-lock.ts'
import type { Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { lockServer } from '../access/guard.ts'
import { audit } from '../audit/record.ts'
import { leave } from './membership.ts'
import { hasGivenRole } from './verified-at.ts'

// Members who came by an invite for a call or a day. They are removed five minutes after leaving their last call in the
// server, or a day after joining, unless a moderator has given them a role by then.

const PERIOD_MS = 20_000
/** Members per run; the next run continues. */
const ENDS_MAX = 500
const CALL_MINUTES = 5
const DAY_HOURS = 24

interface Member {
  server_id: number
  user_id: number
}

/** Makes the membership of somebody who has just joined temporary. */
export const beginTemporary = (sql: Sql, { server_id, user_id }: Member, ends: 'call' | 'day') => sql`
  insert into temporary_members (server_id, user_id, ends, due_at)
  values (${server_id}, ${user_id}, ${ends}, now() + ${DAY_HOURS} * interval '1 hour')`

/** Notes that a member joins a call: one who came for a call is removed soon afterwards. */
export const joinsCall = (sql: Sql, { server_id, user_id }: Member) => sql`
  update temporary_members set due_at = least(due_at, now() + ${CALL_MINUTES} * interval '1 minute')
  where server_id = ${server_id} and user_id = ${user_id} and ends = 'call'`

/** True for members who came by an invite for a call or a day. */
export async function isTemporary(sql: Sql, { server_id, user_id }: Member): Promise<boolean> {
  const rows = await sql`select 1 from temporary_members where server_id = ${server_id} and user_id = ${user_id}`
  return rows.length > 0
}

interface Due extends Member {
  ends: 'call' | 'day'
  is_over: boolean
}

/** Ends temporary memberships. Calls that go on postpone the end. Runs on one process and resumes after a restart. */
export class TemporaryEnds extends Job {
  constructor(
    private readonly parts: Pick<Parts, 'sql' | 'write' | 'log'>,
    /** The accounts that are in calls in these channels. */
    private readonly callersIn: (channelIds: number[]) => Set<number>,
  ) {
    super(PERIOD_MS, 'temporary_members', parts.log)
  }

  protected async work(): Promise<void> {
    const { sql } = this.parts
    const due = await sql<Due[]>`
      select server_id, user_id, ends, due_at <= now() as is_over from temporary_members
      where due_at <= now() + case ends when 'call' then ${CALL_MINUTES} * interval '1 minute' else interval '0' end
      order by due_at limit ${ENDS_MAX}`
    const calling = await this.#calling(due.filter(({ ends }) => ends === 'call'))
    for (const { server_id, user_id } of calling)
      await sql`update temporary_members set due_at = now() + ${CALL_MINUTES} * interval '1 minute'
        where server_id = ${server_id} and user_id = ${user_id}`
    for (const member of due) if (member.is_over && !calling.has(member) && !(await this.#end(member))) return
  }

  /** The members who are in a call of the server. */
  async #calling(members: Due[]): Promise<Set<Due>> {
    const serverIds = [...new Set(members.map(({ server_id }) => server_id))]
    const channels = await this.parts.sql<{ id: number; server_id: number }[]>`
      select id, server_id from channels where server_id = any(${serverIds}) and type in ('voice', 'stage')`
    const callers = new Map<number, Set<number>>()
    for (const [serverId, own] of Map.groupBy(channels, (channel) => channel.server_id))
      callers.set(serverId, this.callersIn(own.map(({ id }) => id)))
    return new Set(members.filter(({ server_id, user_id }) => callers.get(server_id)?.has(user_id)))
  }

  /** @returns false if another process runs this job */
  #end({ server_id, user_id }: Member): Promise<boolean> {
    return this.parts.write(async (sql, emit, notify) => {
      if (!(await claim(sql, 'temporary_members'))) return false
      // The server may have been deleted.
      const [server] = await sql`select 1 from servers where id = ${server_id} and owner_id is not null`
      if (!server) return true
      const { owner_id } = await lockServer(sql, server_id)
      const [member] = await sql<{ stays: boolean }[]>`
        select ${hasGivenRole(sql)} as stays from members m
        where m.server_id = ${server_id} and m.user_id = ${user_id} and exists (
          select from temporary_members t where t.server_id = ${server_id} and t.user_id = ${user_id}
            and t.due_at <= now())`
      if (!member) return true
      await sql`delete from temporary_members where server_id = ${server_id} and user_id = ${user_id}`
      if (member.stays || owner_id === user_id) return true
      await leave(sql, emit, notify, { server_id, user_id, ending: { cause: 'expired', reason: null, until: null } })
      const entry = { server_id, actor_id: user_id, action: 'member.expired' as const }
      await audit(sql, entry, ['member', user_id], null, {})
      return true
    })
  }
}
