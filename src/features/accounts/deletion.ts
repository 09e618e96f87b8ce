import type { Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import type { PublicUser } from '../../core/schema.ts'
import { leave } from '../members/membership.ts'
import { endSessions } from '../sessions/store.ts'
import { unusableHash } from './passwords.ts'
import { emitUserUpdated } from './profile.ts'

/** How often the locks are taken anew, since the account joined or befriended somebody while they were waited for. */
const ATTEMPTS_MAX = 5
/** Messages that one statement writes anew in the log: it has 30 s. */
const MESSAGES_AT_ONCE = 10_000

/** The servers that an account was seen in, and the accounts that it was seen to have relations with. */
interface Surroundings {
  servers: Set<number>
  others: Set<number>
}

/** What was not locked has come into the account's surroundings. */
class Moved extends Error {}

async function surroundingsOf(sql: Transaction, id: number): Promise<Surroundings> {
  const servers = await sql<{ id: number }[]>`select server_id as id from members where user_id = ${id}`
  const others = await sql<{ id: number }[]>`select other_id as id from relations_of where user_id = ${id}`
  return { servers: new Set(servers.map((row) => row.id)), others: new Set(others.map((row) => row.id)) }
}

/**
 * Locks the account, and before it what others lock before accounts: the servers that it is in. The accounts that it
 * has relations with are counted anew, so they are locked too, all in the order of their ids.
 * @throws Moved when there are more of them than were locked
 */
async function lockOnce(sql: Transaction, id: number, { servers, others }: Surroundings): Promise<number[]> {
  await sql`select count(*) from (
    select 1 from servers where id = any(${[...servers]}) order by id for no key update) locked`
  const lockOthers = (ids: number[]) => sql`select count(*) from (
    select 1 from users where id = any(${ids}) order by id for no key update) locked`
  await lockOthers([...others].filter((other) => other < id))
  // Whatever is to refer to the account waits from here on.
  await sql`select 1 from users where id = ${id} for update`
  await lockOthers([...others].filter((other) => other > id))
  const now = await surroundingsOf(sql, id)
  if (!now.servers.isSubsetOf(servers) || !now.others.isSubsetOf(others)) throw new Moved()
  return [...now.servers].toSorted((a, b) => a - b)
}

/**
 * The same, again and again until nothing has moved; in between nobody is kept waiting. What was once seen is locked
 * ever after, so that who comes and goes does not keep it up.
 * @returns the servers that the account is in
 * @throws Problem `unavailable`
 */
async function lockAccount(sql: Transaction, id: number): Promise<number[]> {
  let seen: Surroundings = { servers: new Set(), others: new Set() }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const now = await surroundingsOf(sql, id)
    seen = { servers: seen.servers.union(now.servers), others: seen.others.union(now.others) }
    const servers = await sql
      .savepoint((inner) => lockOnce(inner, id, seen))
      .catch((error: unknown) => {
        if (error instanceof Moved) return undefined
        throw error
      })
    if (servers) return servers
  }
  throw new Problem('unavailable', 'The account is busy', { retry_after: 1 })
}

/** Makes everyone's view of it that of nobody, and frees its name and address for others. */
async function blank(sql: Transaction, id: number): Promise<PublicUser> {
  const [row] = await sql<{ user: PublicUser }[]>`
    update users u set username = 'deleted:' || id, email = 'deleted:' || id, display_name = 'Deleted user',
      avatar_file_id = null, password_hash = ${await unusableHash}, dms_from = default, friend_requests_from = default,
      updated_at = now()
    where id = ${id} returning public_user(u) as user`
  await forget(sql, id)
  return found(row).user
}

/** Takes its name out of the log. */
async function forget(sql: Transaction, id: number): Promise<void> {
  let [last] = await sql<{ id: number | null }[]>`select forget_in_log(${id}) as id`
  while (last && last.id !== null)
    [last] = await sql<{ id: number | null }[]>`select forget_sent(${id}, ${last.id}, ${MESSAGES_AT_ONCE}) as id`
}

/** The servers that it has left and in which there is still something that it wrote: under its name no more. */
async function leftServers(sql: Transaction, id: number): Promise<number[]> {
  const rows = await sql<{ server_id: number }[]>`
    select distinct c.server_id from messages m join channels c on c.id = m.channel_id
    where m.author_id = ${id} and c.server_id not in (select server_id from members where user_id = ${id})`
  return rows.map((row) => row.server_id)
}

/** Ends what stands between it and others, and tells those whose own view that changes: not who was blocked. */
async function endRelations(sql: Transaction, emit: Emit, user: PublicUser): Promise<void> {
  const views = await sql<{ user_id: number }[]>`
    select user_id from relations_of where other_id = ${user.id} and state <> 'none' order by user_id`
  await sql`delete from relations where low = ${user.id} or high = ${user.id}`
  for (const { user_id } of views)
    emit(topic.user(user_id), 'friend.updated', { user_id: user.id, relation: { user, state: 'none', since: null } })
}

/**
 * Deletes an account: its row becomes a tombstone, to which what it wrote keeps pointing; everyone concerned is told.
 * Its files are left to erasure.ts. What others do to the account, or it to them, comes before all this or after it.
 * @param proven the password's hash as it was when the password was right; absent for who needs none
 * @throws Problem `invalid_credentials` when it has changed since, or the account is gone, `not_found` without it,
 * `owns_servers`, `unavailable`
 * @returns the keys of its uploads under way: the outbox has them, for when their URLs are no longer good
 */
export async function deleteAccount(
  sql: Transaction,
  emit: Emit,
  notify: Notify,
  id: number,
  proven?: string,
): Promise<string[]> {
  const server_ids = await lockAccount(sql, id)
  const [account] = await sql`select 1 from users where id = ${id} and deleted_at is null
    ${proven === undefined ? sql`` : sql`and password_hash = ${proven}`}`
  found(account, proven === undefined ? 'not_found' : 'invalid_credentials')
  if ((await sql`select 1 from servers where owner_id = ${id} limit 1`).length > 0) throw new Problem('owns_servers')
  await endSessions(sql, notify, id)
  const tombstone = await blank(sql, id)
  // While it is clear whom that concerns.
  await emitUserUpdated(sql, emit, id)
  for (const server_id of await leftServers(sql, id)) emit(topic.server(server_id), 'user.updated', tombstone)
  await endRelations(sql, emit, tombstone)
  for (const server_id of server_ids) await leave(sql, emit, notify, server_id, id)
  // Nobody can be it any more, so nobody has to be kept out.
  await sql`delete from bans where user_id = ${id}`
  await sql`delete from read_marks where user_id = ${id}`
  await sql`delete from known_addresses where user_id = ${id}`
  await sql`delete from message_nonces where author_id = ${id}`
  await sql`delete from dm_nonces where author_id = ${id}`
  const uploads = await sql<{ key: string }[]>`
    with gone as (delete from uploads where user_id = ${id} returning key, expires_at)
    insert into object_outbox (key, due_at) select key, expires_at + interval '1 minute' from gone returning key`
  await sql`insert into erasures (user_id) values (${id})`
  // Last of all: by its foreign keys, the database looks whether anything was forgotten.
  await sql`update users set deleted_at = now() where id = ${id}`
  return uploads.map((upload) => upload.key)
}
