import { z } from 'zod'
import { BODY_CODES, PLACE_CODES, Problem } from '../../core/errors.ts'
import { errorFields } from '../../core/log.ts'
import { linkCursor } from '../../core/paging.ts'
import type { Permission } from '../../core/permissions.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import type { Sql } from '../../database/database.ts'
import { callerOf } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { demand, guarded, type Membership } from '../access/guard.ts'
import { caseSeenBy } from '../cases/reading.ts'
import type { Sessions } from '../sessions/store.ts'
import type { StatusOf } from '../status/model.ts'
import { banAccount } from './ban.ts'
import { changeMember } from './change.ts'
import { kick } from './kick.ts'
import { giveRole, takeRole } from './member-roles.ts'
import { nameContains, selectMembers } from './membership.ts'
import {
  COUNTED_CASES_MAX,
  type MemberActResults,
  MemberActResults as Results,
  MemberActs,
  RosterMember,
  RosterQuery,
} from './model.ts'

const tags = ['Members']
const ServerPath = z.object({ server_id: DecimalId })

/** Low, because a search reads every member of the server. */
const ROSTERS: BucketPolicy = { name: 'rosters', burst: 30, refillPerS: 1 }
/** Each request may run 50 transactions. */
const ACTS: BucketPolicy = { name: 'member_acts', burst: 10, refillPerS: 0.2 }

const BITS: Record<MemberActs['action'], Permission> = {
  add_role: 'manage_roles',
  remove_role: 'manage_roles',
  timeout: 'moderate_members',
  kick: 'kick_members',
  ban: 'ban_members',
}

/** Members `m` after the cursor, in the order of the query. */
const following = (sql: Sql, { cursor, sort }: z.infer<typeof RosterQuery>) => {
  if (cursor === undefined) return sql`true`
  const [joinedMs = 0, id = 0] = cursor.split('.').map(Number)
  const last = sql`(${new Date(joinedMs).toISOString()}::timestamptz, ${id}::bigint)`
  return sort === 'newest' ? sql`(m.joined_at, m.user_id) < ${last}` : sql`(m.joined_at, m.user_id) > ${last}`
}

/** A page of the members that the moderator may see, with the number of their cases. */
async function rosterPage(sql: Sql, member: Membership, query: z.infer<typeof RosterQuery>) {
  const { q, role_id, sort, limit } = query
  const { server_id } = member
  const withRole = sql`exists (select from member_roles r
    where r.server_id = m.server_id and r.user_id = m.user_id and r.role_id = ${role_id ?? 0})`
  const direction = sort === 'newest' ? sql`desc` : sql`asc`
  const fetched = await selectMembers(
    sql,
    sql`m.server_id = ${server_id} and ${following(sql, query)}
      and ${q === undefined ? sql`true` : nameContains(sql, q)}
      and ${role_id === undefined ? sql`true` : withRole}
      order by m.joined_at ${direction}, m.user_id ${direction} limit ${limit + 1}`,
  )
  const listed = fetched.slice(0, limit)
  const last = listed.at(-1)
  const counts = await sql<{ user_id: number; cases: number }[]>`
    select listed.user_id, counted.cases
    from unnest(${listed.map(({ user }) => user.id)}::bigint[]) as listed (user_id)
    cross join lateral (select count(*)::int as cases from (
      select from cases c where c.server_id = ${server_id} and c.user_id = listed.user_id
        and ${caseSeenBy(sql, member)} limit ${COUNTED_CASES_MAX}) seen) counted`
  const casesOf = new Map(counts.map(({ user_id, cases }) => [user_id, cases]))
  const rows = listed.map((row) => ({ ...row, cases: casesOf.get(row.user.id) ?? 0 }))
  return { rows, next: fetched.length > limit && last ? `${Date.parse(last.joined_at)}.${last.user.id}` : undefined }
}

/** The moderators' page of members: a list by the time of joining, and acts on many members at once. */
export const rosterRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  guarded(parts, sessions)
    .get(
      '/api/servers/:server_id/roster',
      async ({ query, me, member, caller, request }) => {
        await parts.limits.take(caller, ROSTERS, `user:${me.id}`)
        const { rows, next } = await parts.read('members', (sql) => rosterPage(sql, member, query))
        if (next) callerOf(request).headers.link = linkCursor(request.url, next)
        return rows.map((row) => ({ ...row, status: statusOf(row.user.id) }))
      },
      {
        params: ServerPath,
        query: RosterQuery,
        member: 'moderate_members',
        detail: {
          summary: 'List members for moderators, by the time of joining, with the number of their cases',
          tags,
        },
        response: answers({ 200: z.array(RosterMember) }, ...PLACE_CODES),
      },
    )
    .post(
      '/api/servers/:server_id/members/acts',
      async ({ params: { server_id }, body, me, member, caller }) => {
        demand(member.permissions, BITS[body.action])
        await parts.limits.take(caller, ACTS, `user:${me.id}`)
        const act = actOf(parts, statusOf, { server_id, actor_id: me.id }, body)
        const results: MemberActResults = { done: [], failed: [] }
        for (const user_id of body.user_ids)
          try {
            await act(user_id)
            results.done.push(user_id)
          } catch (error) {
            if (!(error instanceof Problem)) parts.log('error', 'members.act', errorFields(error))
            const { code, message } = error instanceof Problem ? error : new Problem('internal')
            results.failed.push({ user_id, code, message })
          }
        return results
      },
      {
        params: ServerPath,
        body: MemberActs,
        member: 'none',
        detail: {
          summary: 'Give or remove a role, time out, kick or ban many members, as by a request for each',
          description:
            'Acts run one after another, each in a transaction of its own and with an entry in the audit log. ' +
            'The answer names the members for which the act was refused, and why.',
          tags,
        },
        response: answers({ 200: Results }, ...PLACE_CODES, ...BODY_CODES),
      },
    )

/** The act on one member. It checks permissions and ranks again, because they may have changed since the last one. */
function actOf(
  parts: Parts,
  statusOf: StatusOf,
  { server_id, actor_id }: { server_id: number; actor_id: number },
  body: MemberActs,
): (user_id: number) => Promise<unknown> {
  const reason = body.reason || null
  const target = (user_id: number) => ({ server_id, user_id, actor_id })
  switch (body.action) {
    case 'add_role':
      return (user_id) => giveRole(parts, statusOf, { ...target(user_id), role_id: body.role_id, reason })
    case 'remove_role':
      return (user_id) => takeRole(parts, statusOf, { ...target(user_id), role_id: body.role_id, reason })
    case 'timeout': {
      const change = { timed_out_until: body.timed_out_until, reason }
      return (user_id) => changeMember(parts, { server_id, user_id, meId: actor_id }, change, statusOf(user_id))
    }
    case 'kick':
      return (user_id) => kick(parts, target(user_id), { reason })
    case 'ban':
      return (user_id) => banAccount(parts, target(user_id), { reason })
  }
}
