import { EVERYONE_PERMISSIONS } from '../src/core/permissions.ts'
import type { BenchServer } from './server.ts'

export interface Person {
  id: number
  token: string
}

export interface Population {
  users: number
  servers: number
  /** User u is a member of the servers u, u + 1, … u + servers_per_user - 1 (modulo servers). */
  servers_per_user: number
  channels_per_server: number
  password_hash?: string
}

/**
 * Fills an empty database with accounts that are logged in. Ids of accounts start at 1; channel ids of server s start
 * at
 * (s - 1) × channels_per_server + 1.
 */
export async function seed(
  { sql, tokens }: Pick<BenchServer, 'sql' | 'tokens'>,
  population: Population,
): Promise<Person[]> {
  const { users, servers, servers_per_user, channels_per_server, password_hash = 'none' } = population
  await sql.begin(async (tx) => {
    // Without triggers: their counts are inserted directly.
    await tx`set local session_replication_role = replica`
    await tx`insert into users (username, email, password_hash, display_name, server_count)
      select 'user' || n, 'user' || n || '@example.org', ${password_hash}, 'User ' || n, ${servers_per_user}
      from generate_series(1, ${users}::int) n order by n`
    await tx`insert into servers (name, owner_id, member_count, channel_count)
      select 'Server ' || n, 1, 0, ${channels_per_server} from generate_series(1, ${servers}::int) n order by n`
    await tx`insert into roles (server_id, name, permissions, position, is_everyone)
      select id, 'everyone', ${EVERYONE_PERMISSIONS}, 0, true from servers order by id`
    // Migrations may have used ids up.
    await tx`select setval(pg_get_serial_sequence('channels', 'id'), 1, false)`
    await tx`insert into channels (server_id, name, type, position)
      select s.id, 'channel-' || n, 'text', n from servers s, generate_series(1, ${channels_per_server}::int) n
      order by s.id, n`
    await tx`insert into members (server_id, user_id)
      select (u - 1 + n) % ${servers}::int + 1, u
      from generate_series(1, ${users}::int) u, generate_series(0, ${servers_per_user}::int - 1) n`
    await tx`update servers set member_count = (select count(*) from members where server_id = servers.id)`
    await tx`insert into sessions (user_id, expires_at, ip)
      select id, now() + interval '1 day', '127.0.0.1' from users order by id`
  })
  await sql`vacuum analyze`
  return peopleOf({ sql, tokens })
}

/** The accounts with a session. */
export async function peopleOf({ sql, tokens }: Pick<BenchServer, 'sql' | 'tokens'>): Promise<Person[]> {
  const sessions = await sql<{ id: number; user_id: number; ver: number; expires_at: string }[]>`
    select id, user_id, ver, expires_at from sessions order by user_id`
  return Promise.all(sessions.map(async (session) => ({ id: session.user_id, token: await tokens.sign(session) })))
}
