import type { Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import type { PublicUser } from '../../core/schema.ts'
import { disownApplications } from '../applications/ownership.ts'
import { removeFactors } from '../factors/factors.ts'
import { endParticipation } from '../groups/participants.ts'
import { forgetMail } from '../mail/outbox.ts'
import { leave } from '../members/membership.ts'
import { removeIdentities } from '../oidc/identities.ts'
import { forgetInReports } from '../reports/forget.ts'
import { endSessions } from '../sessions/store.ts'
import { disownWebhooks } from '../webhooks/disown.ts'
import { unusableHash } from '../accounts/passwords.ts'
import { emitUserUpdated } from '../accounts/profile.ts'

/** Attempts to lock an account. An attempt fails when the account joins a server or befriends somebody meanwhile. */
const ATTEMPTS_MAX = 5
/** Messages per UPDATE of the event log, so that the statement stays within its 30 s. */
const MESSAGES_AT_ONCE = 10_000

/** The account's groups and servers, and the accounts that it has relations with. */
interface Surroundings {
  groups: Set<number>
  servers: Set<number>
  others: Set<number>
}

/** An account's groups and servers, in order of id. */
interface Places {
  groups: number[]
  servers: number[]
}

/** The account has joined a group or server, or begun a relation, that is not locked. */
class SurroundingsChanged extends Error {}

async function surroundingsOf(sql: Transaction, id: number): Promise<Surroundings> {
  const groups = await sql<{ id: number }[]>`
    select channel_id as id from participants where user_id = ${id} and other_id is null`
  const servers = await sql<{ id: number }[]>`select server_id as id from members where user_id = ${id}`
  const others = await sql<{ id: number }[]>`select other_id as id from relations_of where user_id = ${id}`
  const ids = (rows: { id: number }[]) => new Set(rows.map((row) => row.id))
  return { groups: ids(groups), servers: ids(servers), others: ids(others) }
}

/**
 * Locks the account's servers, then its groups, then the account and its relations in the order of their ids: every
 * transaction locks servers before groups, and those before accounts. Relations are locked because the deletion changes
 * their counts.
 * @returns the groups and servers that the account is in
 * @throws SurroundingsChanged when a group, server or relation is missing in the given surroundings
 */
async function lockOnce(sql: Transaction, id: number, { groups, servers, others }: Surroundings): Promise<Places> {
  await sql`select count(*) from (
    select 1 from servers where id = any(${[...servers]}) order by id for no key update) locked`
  // A bot's roles are deleted with it, so lock the access of their servers first.
  await sql`select change_access(server_id) from (
    select server_id from roles where bot_id = ${id} order by server_id) own`
  await sql`select change_group(id) from (select unnest(${[...groups]}::bigint[]) as id order by id) own`
  const lockOthers = (ids: number[]) => sql`select count(*) from (
    select 1 from users where id = any(${ids}) order by id for no key update) locked`
  await lockOthers([...others].filter((other) => other < id))
  // New references to the account wait from here on.
  await sql`select 1 from users where id = ${id} for update`
  await lockOthers([...others].filter((other) => other > id))
  const now = await surroundingsOf(sql, id)
  const isLocked = now.groups.isSubsetOf(groups) && now.servers.isSubsetOf(servers) && now.others.isSubsetOf(others)
  if (!isLocked) throw new SurroundingsChanged()
  const sorted = (ids: Set<number>) => [...ids].toSorted((a, b) => a - b)
  return { groups: sorted(now.groups), servers: sorted(now.servers) }
}

/**
 * Repeats lockOnce until nothing has moved, and releases the locks between attempts. Surroundings only grow, so an
 * account that keeps joining and leaving cannot delay its deletion forever.
 * @returns the groups and servers that the account is in
 * @throws Problem `unavailable`
 */
async function lockAccount(sql: Transaction, id: number): Promise<Places> {
  let surroundings: Surroundings = { groups: new Set(), servers: new Set(), others: new Set() }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const now = await surroundingsOf(sql, id)
    surroundings = {
      groups: surroundings.groups.union(now.groups),
      servers: surroundings.servers.union(now.servers),
      others: surroundings.others.union(now.others),
    }
    const places = await sql
      .savepoint((inner) => lockOnce(inner, id, surroundings))
      .catch((error: unknown) => {
        if (error instanceof SurroundingsChanged) return undefined
        throw error
      })
    if (places) return places
  }
  throw new Problem('unavailable', 'The account is busy', { retry_after: 1 })
}

/** Removes everything personal from the account's row, and frees its user name and e-mail address. */
async function blank(sql: Transaction, id: number): Promise<PublicUser> {
  const [row] = await sql<{ user: PublicUser }[]>`
    update users u set username = 'deleted:' || id, email = 'deleted:' || id,
      display_name = case kind when 'guest' then 'Guest' else 'Deleted user' end,
      avatar_file_id = null, password_hash = ${unusableHash}, dms_from = default, requests = default,
      friend_requests_from = default,
      link_previews = default, public_name = default, operator_since = null, email_verified_at = null,
      verification_required = default,
      own_status = null, status_text = null, status_emoji = null, status_until = null, status_set_at = null,
      updated_at = now()
    where id = ${id} returning public_user(u) as user`
  // Messages in the event log carry the nickname.
  await sql`update members set nickname = null where user_id = ${id} and nickname is not null`
  await forget(sql, id)
  return found(row).user
}

/** Removes the account's display name from the event log. */
async function forget(sql: Transaction, id: number): Promise<void> {
  let [last] = await sql<{ id: number | null }[]>`select forget_in_log(${id}) as id`
  while (last && last.id !== null)
    [last] = await sql<{ id: number | null }[]>`select forget_sent(${id}, ${last.id}, ${MESSAGES_AT_ONCE}) as id`
}

/** Servers that the account has left but that still have its messages. */
async function leftServers(sql: Transaction, id: number): Promise<number[]> {
  const rows = await sql<{ server_id: number }[]>`
    select distinct c.server_id from messages m join channels c on c.id = m.channel_id
    where m.author_id = ${id} and c.server_id is not null
      and c.server_id not in (select server_id from members where user_id = ${id})`
  return rows.map((row) => row.server_id)
}

/** Participants of groups that the account has left but that still have its messages. */
async function leftPeople(sql: Transaction, id: number): Promise<number[]> {
  const rows = await sql<{ user_id: number }[]>`
    select distinct p.user_id from group_departures d join participants p using (channel_id)
    where d.user_id = ${id} and exists (
      select from messages m where m.channel_id = d.channel_id and m.author_id = ${id}) order by p.user_id`
  return rows.map((row) => row.user_id)
}

/** Ends the account's relations. Accounts whose view changes get an event; a blocked account gets none. */
async function endRelations(sql: Transaction, emit: Emit, user: PublicUser): Promise<void> {
  const views = await sql<{ user_id: number }[]>`
    select user_id from relations_of where other_id = ${user.id} and state <> 'none' order by user_id`
  await sql`delete from relations where low = ${user.id} or high = ${user.id}`
  for (const { user_id } of views)
    emit(topic.user(user_id), 'friend.updated', { user_id: user.id, relation: { user, state: 'none', since: null } })
}

/**
 * Deletes an account: its row becomes a tombstone that its messages keep pointing to. erasure.ts deletes its files
 * later. Other transactions on the account come before this one or after it.
 * @param verifiedHash the hash that the given password matched, null without one; absent for the operator
 * @throws Problem `invalid_credentials` when the password has changed since or the account is gone; `not_found`
 * without `proven`; `owns_servers`, `unavailable`
 * @returns the keys of the account's unfinished uploads; object_outbox lists them until their URLs have expired
 */
export async function deleteAccount(
  sql: Transaction,
  emit: Emit,
  notify: Notify,
  id: number,
  verifiedHash?: string | null,
): Promise<string[]> {
  const { groups, servers } = await lockAccount(sql, id)
  const [account] = await sql`select 1 from users where id = ${id} and deleted_at is null
    ${verifiedHash === undefined ? sql`` : sql`and password_hash is not distinct from ${verifiedHash}`}`
  found(account, verifiedHash === undefined ? 'not_found' : 'invalid_credentials')
  if ((await sql`select 1 from servers where owner_id = ${id} limit 1`).length > 0) throw new Problem('owns_servers')
  await endSessions(sql, notify, id)
  await forgetMail(sql, id)
  const tombstone = await blank(sql, id)
  // Must come before memberships and relations end, because they decide who gets the event.
  await emitUserUpdated(sql, emit, id)
  for (const server_id of await leftServers(sql, id)) emit(topic.server(server_id), 'user.updated', tombstone)
  for (const user_id of await leftPeople(sql, id)) emit(topic.user(user_id), 'user.updated', tombstone)
  await endRelations(sql, emit, tombstone)
  for (const groupId of groups) await endParticipation(sql, emit, notify, groupId, id)
  for (const server_id of servers) await leave(sql, emit, notify, { server_id, user_id: id })
  // Nobody can use the account any more, so its bans, timeouts and overwrites mean nothing. Its quarantines still keep
  // its words from public pages.
  await sql`delete from bans where user_id = ${id}`
  await sql`delete from timeouts where user_id = ${id}`
  await sql`delete from guests where user_id = ${id}`
  await sql`delete from member_overwrites where user_id = ${id}`
  await sql`delete from automod_hits where user_id = ${id}`
  await sql`delete from server_joins where user_id = ${id}`
  await sql`delete from prunes where actor_id = ${id}`
  await sql`delete from read_marks where user_id = ${id}`
  await sql`delete from read_mark_lists where user_id = ${id}`
  await sql`delete from mentions where user_id = ${id}`
  await sql`delete from notification_settings where user_id = ${id}`
  await sql`delete from favourites where user_id = ${id}`
  await sql`delete from saved_messages where user_id = ${id}`
  await sql`delete from scheduled_messages where author_id = ${id}`
  await sql`delete from event_signups where user_id = ${id}`
  await sql`delete from calendar_feeds where user_id = ${id}`
  await sql`delete from profiles where user_id = ${id}`
  await sql`delete from banners where user_id = ${id}`
  await sql`delete from dnd_callers where ${id} in (user_id, caller_id)`
  await sql`delete from push_settings where user_id = ${id}`
  await sql`delete from push_places where user_id = ${id}`
  await sql`delete from thread_followers where user_id = ${id}`
  await sql`delete from slowmode_marks where user_id = ${id}`
  await sql`delete from known_devices where user_id = ${id}`
  await sql`delete from author_claims where ${id} in (user_id, placeholder_id)`
  await sql`delete from claim_links where ${id} in (user_id, placeholder_id)`
  await sql`delete from known_addresses where user_id = ${id}`
  await forgetInReports(sql, id)
  await sql`delete from cases where user_id = ${id}`
  await sql`delete from ignored_reporters where ${id} in (moderator_id, reporter_id)`
  await sql`delete from author_prunes where actor_id = ${id}`
  await removeFactors(sql, id)
  await removeIdentities(sql, id)
  await disownApplications(sql, notify, id)
  await sql`delete from applications where id = ${id}`
  await sql`delete from interactions where user_id = ${id}`
  await sql`delete from interactions where bot_id = ${id}`
  await sql`delete from message_nonces where author_id = ${id}`
  await sql`delete from group_nonces where owner_id = ${id}`
  // Also webhooks in servers that are being deleted.
  await disownWebhooks(sql, id, null)
  await sql`update preview_pages set asked_by = null where asked_by = ${id}`
  const uploads = await sql<{ key: string }[]>`
    with gone as (delete from uploads where user_id = ${id} returning key, expires_at)
    insert into object_outbox (key, due_at) select key, expires_at + interval '1 minute' from gone
      where key like 'incoming/%' returning key`
  await sql`insert into erasures (user_id) values (${id})`
  // Must be last: foreign keys check that nothing personal is left.
  await sql`update users set deleted_at = now(), guest_until = null where id = ${id}`
  return uploads.map((upload) => upload.key)
}
