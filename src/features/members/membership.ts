import { columns, type Sql, type Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { dropSignups } from '../calendar/signups.ts'
import { sendNotice } from '../messages/notice.ts'
import type { OwnOverwrite } from '../roles/model.ts'
import { endAccessChange, removeBotRole } from '../roles/order.ts'
import { type HeldBack, Server } from '../access/model.ts'
import { type Membership, membership } from '../access/guard.ts'
import { endGuest } from './guests.ts'
import { disownWebhooks } from '../webhooks/disown.ts'
import type { Ending, Member } from './model.ts'
import type { Status } from '../status/model.ts'
import { hasGivenRole, isUnverified, verifiedAt } from './verified-at.ts'

/** Members, without their status. @param where a condition on members `m` */
export const selectMembers = (sql: Sql, where: ReturnType<Sql>) => sql<Omit<Member, 'status'>[]>`
  select m.server_id, public_user(u) as user, m.nickname, m.joined_at, m.held_back, m.held_until, m.rules_version,
    (select until from timeouts t where t.server_id = m.server_id and t.user_id = m.user_id and t.until > now())
      as timed_out_until,
    array(select role_id from member_roles r where r.server_id = m.server_id and r.user_id = m.user_id
      order by role_id) as role_ids
  from members m join users u on u.id = m.user_id where ${where}`

/** True if a member's nickname or display name contains the text, ignoring accents, case and width. */
export const nameContains = (sql: Sql, q: string) => {
  // A subquery, so that it is evaluated once, not for every member.
  const pattern = sql`(select name_pattern(${q}))`
  return sql`(name_key(m.nickname) like ${pattern} or name_key(u.display_name) like ${pattern})`
}

/** A member, without the status, which only the gateway knows. */
export interface OwnMembership extends Omit<Member, 'status' | 'user' | 'joined_at'> {
  user_id: number
  /** Since the epoch: most memberships of an opening need no text of the time. */
  joined_ms: number
  /** The account's PublicUser, as JSON. */
  user: string
  is_guest: boolean
  /** The newest message in any channel at the time of joining: messages up to here are not unread. */
  floor_id: number
  /** The overwrites for the member in the server's channels and categories. */
  overwrites: OwnOverwrite[]
}

/** All memberships of an account in one row, which is faster to decode. */
interface MembershipsRow {
  user_id: number
  user: string
  server_ids: number[] | null
  floor_ids: number[]
  joined_ms: number[]
  nicknames: (string | null)[]
  held_back: (HeldBack | null)[]
  held_until: (string | null)[]
  rules_versions: (number | null)[]
  /** The one server of a guest. */
  guest_in: number | null
  timeouts: [server_id: number, until: string][] | null
  roles: [server_id: number, role_id: number][] | null
  overwrites: [server_id: number, channel_id: number, allow: number, deny: number][] | null
}

/**
 * All memberships of these accounts, by server id. The joins are written as laterals, because the planner would
 * otherwise scan all accounts. The number of ids is hidden from the planner, which would plan anew for each number.
 */
export async function selectMemberships(sql: Sql, userIds: number[]): Promise<OwnMembership[]> {
  const rows = await sql<MembershipsRow[]>`
    select own.id as user_id, u.shown as user, m.*,
      (select json_agg(json_build_array(server_id, iso(until))) from timeouts
        where user_id = own.id and until > now()) as timeouts,
      (select json_agg(json_build_array(server_id, role_id) order by role_id) from member_roles
        where user_id = own.id) as roles,
      (select json_agg(json_build_array(server_id, channel_id, allow, deny)) from member_overwrites
        where user_id = own.id) as overwrites
    from unnest((select ${userIds}::bigint[])) as own (id)
    cross join lateral (select public_user(users)::text as shown from users where id = own.id offset 0) u
    cross join lateral (
      select json_agg(server_id) as server_ids, json_agg(floor_id) as floor_ids, json_agg(nickname) as nicknames,
        json_agg(held_back) as held_back,
        json_agg(iso(held_until)) as held_until, json_agg(rules_version) as rules_versions,
        max(server_id) filter (where is_guest) as guest_in,
        json_agg((date_part('epoch', joined_at) * 1000)::bigint) as joined_ms
      from (select * from members where user_id = own.id order by server_id) sorted) m`
  return rows.flatMap(({ user_id, user, guest_in, timeouts, roles, ...columns }) => {
    const rolesOf = Map.groupBy(roles ?? [], ([server_id]) => server_id)
    const timeoutOf = new Map(timeouts)
    const overwritesOf = Map.groupBy(columns.overwrites ?? [], ([server_id]) => server_id)
    return (columns.server_ids ?? []).map((server_id, at) => ({
      server_id,
      user_id,
      user,
      is_guest: server_id === guest_in,
      nickname: columns.nicknames[at] ?? null,
      role_ids: (rolesOf.get(server_id) ?? []).map(([, roleId]) => roleId),
      joined_ms: columns.joined_ms[at] ?? 0,
      timed_out_until: timeoutOf.get(server_id) ?? null,
      held_back: columns.held_back[at] ?? null,
      held_until: columns.held_until[at] ?? null,
      rules_version: columns.rules_versions[at] ?? null,
      floor_id: columns.floor_ids[at] ?? 0,
      overwrites: (overwritesOf.get(server_id) ?? []).map(([, channel_id, allow, deny]) => ({
        channel_id,
        server_id,
        allow,
        deny,
      })),
    }))
  })
}

/** Publishes a changed member. @returns the member as it is now @throws Problem `not_found` */
export async function announceMember(
  sql: Transaction,
  emit: Emit,
  { server_id, user_id }: { server_id: number; user_id: number },
  status: Status,
): Promise<Member> {
  const [row] = await selectMembers(sql, sql`m.server_id = ${server_id} and m.user_id = ${user_id}`)
  const member = { ...found(row), status }
  const [server] = await sql<{ member_count: number }[]>`select member_count from servers where id = ${server_id}`
  emit(topic.server(server_id), 'member.updated', { ...member, ...found(server) })
  return member
}

/**
 * Makes the account a member of the locked server, and publishes the join. Where new members accept rules or
 * answer questions, the member is pending, and not greeted yet.
 * @param joiner the account, its status, and a role that its invite gives
 * @returns the server as it is now
 */
export async function join(
  sql: Transaction,
  emit: Emit,
  notify: Notify,
  server_id: number,
  { user_id, status, role_id }: { user_id: number; status: Status; role_id?: number | undefined },
) {
  // Lock the server's access before the account, whose count of servers changes.
  await sql`select share_access(${server_id})`
  const [row] = await sql<{ is_arriving: boolean }[]>`
    insert into members (server_id, user_id, is_guest, is_arriving, held_back, held_until, was_unverified)
    select s.id, u.id, u.kind = 'guest', is_arriving,
      case when q.user_id is not null then 'quarantined' when is_arriving then 'pending'
        when is_waiting then 'unverified' end,
      case when q.user_id is not null then q.until when not is_arriving and is_waiting then ${verifiedAt(sql)} end,
      q.user_id is not null and is_waiting
    from servers s join users u on u.id = ${user_id} cross join (select now() as joined_at) m
    cross join lateral (select u.kind in ('person', 'guest') and s.owner_id <> u.id as is_bound) b
    cross join lateral (
      select is_bound and ${isUnverified(sql)} as is_waiting,
        is_bound and (s.rules_version is not null or exists (
          select from onboardings o where o.server_id = s.id and o.is_required)) as is_arriving) v
    left join quarantines q on q.server_id = s.id and q.user_id = u.id and coalesce(q.until > now(), true)
    where s.id = ${server_id} returning is_arriving`
  if (role_id !== undefined) await sql`insert into member_roles ${sql({ server_id, user_id, role_id })}`
  const [server] = await sql<Server[]>`select ${columns(sql, Server)} from servers where id = ${server_id}`
  const [member] = await selectMembers(sql, sql`m.server_id = ${server_id} and m.user_id = ${user_id}`)
  emit(topic.server(server_id), 'member.joined', { ...found(member), status, member_count: found(server).member_count })
  emit(topic.user(user_id, { server_id }), 'server.created', found(server))
  if (!found(row).is_arriving) await greet(sql, emit, found(server), user_id)
  notify({ kind: 'access_changed', user_ids: [user_id] })
  return found(server)
}

/** Announces a new member in the server's system channel. The caller has locked the server's access. */
async function greet(sql: Transaction, emit: Emit, { system_channel_id }: Server, userId: number): Promise<void> {
  if (system_channel_id !== null) await sendNotice(sql, emit, system_channel_id, userId, 'member_joined', {})
}

/**
 * Ends the arrival of a member, who is greeted, and held back only if it is not verified yet. Does nothing for other
 * members. The caller has locked the server and its access, and publishes the member.
 */
export async function endArrival(sql: Transaction, emit: Emit, server: Server, userId: number): Promise<void> {
  const waits = sql`m.held_back = 'pending' and ${isUnverified(sql)} and not ${hasGivenRole(sql)}`
  const [arrived] = await sql`
    update members m set is_arriving = false,
      held_back = case when ${waits} then 'unverified' else nullif(m.held_back, 'pending') end,
      held_until = case when ${waits} then ${verifiedAt(sql)} else m.held_until end
    from servers s, users u
    where m.server_id = ${server.id} and m.user_id = ${userId} and m.is_arriving
      and s.id = m.server_id and u.id = m.user_id returning 1`
  if (arrived) await greet(sql, emit, server, userId)
}

/**
 * Removes the bits that overwrites for the member allow; denials wait for a return.
 * @returns false if there were no overwrites; else the caller must end the change of access
 */
async function dropAllows(sql: Transaction, server_id: number, user_id: number): Promise<boolean> {
  const ofMember: ReturnType<Sql> = sql`server_id = ${server_id} and user_id = ${user_id}`
  const [row] = await sql`select 1 from member_overwrites where ${ofMember} limit 1`
  if (!row) return false
  await sql`select change_access(${server_id})`
  await sql`delete from member_overwrites where ${ofMember} and deny = 0`
  await sql`update member_overwrites set allow = 0 where ${ofMember} and allow <> 0`
  return true
}

/**
 * Ends a membership of the locked server, and publishes that.
 * @param ending the event for the account; absent when the account is being deleted
 * @returns false if the account was not a member
 */
export async function leave(
  sql: Transaction,
  emit: Emit,
  notify: Notify,
  { server_id, user_id, ending }: { server_id: number; user_id: number; ending?: Ending },
) {
  const hadOwnRole = await removeBotRole(sql, emit, server_id, user_id)
  const hadOverwrites = await dropAllows(sql, server_id, user_id)
  // First wait for webhooks that the account is creating, and for their pending posts.
  const [member] = await sql`select 1 from members where server_id = ${server_id} and user_id = ${user_id} for update`
  // Also for accounts that left under an earlier version and are banned only now.
  await disownWebhooks(sql, user_id, server_id)
  if (!member) return false
  await dropSignups(sql, emit, server_id, user_id)
  await sql`delete from members where server_id = ${server_id} and user_id = ${user_id}`
  await sql`delete from calendar_feeds where server_id = ${server_id} and user_id = ${user_id}`
  await sql`delete from read_marks where user_id = ${user_id}
    and channel_id in (select id from channels where server_id = ${server_id})`
  await sql`delete from notification_settings where user_id = ${user_id} and server_id = ${server_id}`
  await sql`delete from thread_followers where user_id = ${user_id}
    and channel_id in (select id from channels where server_id = ${server_id})`
  const cancelled = await sql<{ id: number }[]>`delete from scheduled_messages s using channels c
    where s.author_id = ${user_id} and c.id = s.channel_id and c.server_id = ${server_id} returning s.id`
  for (const { id } of cancelled) emit(topic.user(user_id), 'scheduled.removed', { id, message_id: null })
  await sql`delete from saved_messages s using messages m, channels c
    where s.user_id = ${user_id} and m.id = s.message_id and c.id = m.channel_id and c.server_id = ${server_id}`
  const isExpelled = ending?.cause === 'kicked' || ending?.cause === 'banned'
  await endGuest(sql, { server_id, user_id, isExpelled })
  // If the account rejoins later, it must not replay events of this membership.
  await sql`update events set body = null where user_id = ${user_id} and server_id = ${server_id}`
  const [server] = await sql<Server[]>`select ${columns(sql, Server)} from servers where id = ${server_id}`
  const { member_count, name, appeal_contact } = found(server)
  emit(topic.server(server_id), 'member.left', { server_id, user_id, member_count })
  if (ending) emit(topic.user(user_id), 'membership.ended', { server_id, name, appeal_contact, ...ending })
  notify({ kind: 'access_changed', user_ids: [user_id] })
  if (hadOwnRole || hadOverwrites) await endAccessChange(sql, notify, server_id)
  return true
}

/**
 * Members may act only on members strictly below their own highest role. The owner may act on all, and nobody on the
 * owner.
 * @returns the target's membership, if the target is a member
 * @throws Problem `cannot_target_self`, `forbidden`
 */
export async function demandRank(sql: Sql, actor: Membership, user_id: number): Promise<Membership | undefined> {
  if (actor.user_id === user_id) throw new Problem('cannot_target_self')
  const target = await membership(sql, actor.server_id, user_id).catch((error: unknown) => {
    if (error instanceof Problem) return undefined
    throw error
  })
  if (target && !outranks(actor, target)) throw new Problem('forbidden', 'This member is not below you')
  return target
}

/** True if `actor` ranks strictly above `target`. */
export const outranks = (
  actor: Pick<Membership, 'is_owner' | 'position'>,
  target: Pick<Membership, 'is_owner' | 'position'>,
): boolean => !target.is_owner && (actor.is_owner || actor.position > target.position)
