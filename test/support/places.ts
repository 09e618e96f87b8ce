import { randomUUID } from 'node:crypto'
import { EVERYONE_PERMISSIONS } from '../../src/core/permissions.ts'
import { openTokens } from '../../src/features/sessions/token.ts'
import type { Parley } from '../../src/parley.ts'
import { Person } from './harness.ts'

// Set-ups by SQL, for tests that only need many people of many ranks to exist.

/** A new session of the account: its token. */
export async function session({ parts }: Parley, user_id: number): Promise<string> {
  const [row] = await parts.sql<[{ id: number; user_id: number; ver: number; expires_at: string }]>`
    insert into sessions (user_id, expires_at, ip) values (${user_id}, now() + interval '1 day', '127.0.0.1')
    returning id, user_id, ver, expires_at`
  return openTokens(parts.secrets.jwt).sign(row)
}

/** An account that nobody can log in to, with a session. */
export async function passerBy(parley: Parley, name: string): Promise<Person> {
  const username = `${name}-${randomUUID().slice(0, 8)}`
  const [{ id }] = await parley.parts.sql<[{ id: number }]>`
    insert into users (username, email, password_hash, display_name)
    values (${username}, ${`${username}@example.org`}, 'none', ${name}) returning id`
  return new Person(parley, id, username, `${username}@example.org`, name, await session(parley, id))
}

export interface Place {
  server_id: number
  /** Its text channel general. */
  channel_id: number
  everyone: number
}

/** A server with its everyone role, a channel and these members. Emits no event. */
export async function place(owner: Person, ...others: Person[]): Promise<Place> {
  const { sql } = owner.parley.parts
  const [{ id: server_id }] = await sql<[{ id: number }]>`
    insert into servers (name, owner_id) values ('Birdwatchers', ${owner.id}) returning id`
  const [{ id: everyone }] = await sql<[{ id: number }]>`
    insert into roles (server_id, name, permissions, position, is_everyone)
    values (${server_id}, 'everyone', ${EVERYONE_PERMISSIONS}, 0, true) returning id`
  const [{ id: channel_id }] = await sql<[{ id: number }]>`
    insert into channels (server_id, name, type, position) values (${server_id}, 'general', 'text', 0) returning id`
  for (const { id } of [owner, ...others]) await sql`insert into members ${sql({ server_id, user_id: id })}`
  return { server_id, channel_id, everyone }
}

/** A role above all others of the server, held by these members. */
export async function rank(parley: Parley, server_id: number, permissions: number, ...holders: Person[]) {
  const { sql } = parley.parts
  const [{ id }] = await sql<[{ id: number }]>`
    insert into roles (server_id, name, permissions, position)
    select ${server_id}, 'Rank', ${permissions}, max(position) + 1 from roles where server_id = ${server_id}
    returning id`
  for (const { id: user_id } of holders) await sql`insert into member_roles ${sql({ server_id, user_id, role_id: id })}`
  return id
}
