import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import type { PublicUser } from '../../core/schema.ts'

/** Partners in dms and groups per transaction that announces a profile. */
export const PARTNERS_AT_ONCE = 500

/**
 * Publishes an account's PublicUser to its servers, friends and conversations; a webhook's to its server. Partners
 * beyond PARTNERS_AT_ONCE get it from announceProfiles, after the commit.
 */
export async function emitUserUpdated(sql: Transaction, emit: Emit, id: number): Promise<void> {
  const user = await publicUser(sql, id)
  const servers = await sql<{ server_id: number }[]>`
    select server_id from members where user_id = ${id}
    union select c.server_id from webhooks w join channels c on c.id = w.channel_id where w.id = ${id}`
  const friends = await sql<{ id: number }[]>`
    select other_id as id from relations_of where user_id = ${id} and state = 'friends'`
  const partners = await partnersAfter(sql, id, 0)
  const people = new Set([id, ...friends.map((friend) => friend.id), ...partners])
  for (const person of people) emit(topic.user(person), 'user.updated', user)
  for (const { server_id } of servers) emit(topic.server(server_id), 'user.updated', user)
  await keepRest(sql, id, partners)
}

/**
 * Announces one account's profile to the next partners of its conversations.
 * @returns false when nothing was left to do
 */
export async function announceProfile(sql: Transaction, emit: Emit): Promise<boolean> {
  // Random, so that an account with many partners does not delay the others.
  const [next] = await sql<{ user_id: number }[]>`select user_id from profile_announcements order by random() limit 1`
  if (!next) return false
  const { user_id } = next
  // Changes of the profile wait until these events are in the log, so the events carry the newest profile.
  await sql`select 1 from users where id = ${user_id} for no key update`
  const [row] = await sql<{ after_id: number }[]>`select after_id from profile_announcements where user_id = ${user_id}`
  if (!row) return true
  const user = await publicUser(sql, user_id)
  const partners = await partnersAfter(sql, user_id, row.after_id)
  for (const other of partners) emit(topic.user(other), 'user.updated', user)
  await keepRest(sql, user_id, partners)
  return true
}

async function publicUser(sql: Transaction, id: number): Promise<PublicUser> {
  const [row] = await sql<{ user: PublicUser }[]>`select public_user(u) as user from users u where u.id = ${id}`
  return found(row).user
}

async function partnersAfter(sql: Transaction, id: number, after_id: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    (select own.other_id as id from participants own
      join participants theirs on theirs.user_id = own.other_id and theirs.other_id = own.user_id and theirs.is_open
      where own.user_id = ${id} and own.other_id > ${after_id} order by own.other_id limit ${PARTNERS_AT_ONCE})
    union (select others.user_id from participants own join participants others using (channel_id)
      where own.user_id = ${id} and own.other_id is null and others.user_id > ${after_id} and others.user_id <> ${id})
    order by id limit ${PARTNERS_AT_ONCE}`
  return rows.map((row) => row.id)
}

/** Saves the position after these partners, or nothing if they were the last. */
async function keepRest(sql: Transaction, user_id: number, partners: number[]): Promise<void> {
  const after_id = partners.at(-1)
  if (after_id === undefined || partners.length < PARTNERS_AT_ONCE)
    await sql`delete from profile_announcements where user_id = ${user_id}`
  else
    await sql`insert into profile_announcements ${sql({ user_id, after_id })}
      on conflict (user_id) do update set after_id = excluded.after_id`
}
