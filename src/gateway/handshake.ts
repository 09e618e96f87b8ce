import { columns, type Sql } from '../database/database.ts'
import { ephemeralText } from '../core/events.ts'
import type { Environment } from '../environment.ts'
import { found } from '../core/errors.ts'
import { User } from '../features/accounts/model.ts'
import type { Status } from '../features/members/model.ts'
import { loadAccess, topicsOf } from './access.ts'
import type { Backlog } from './backlog.ts'
import { CONVERSATIONS_MAX, HEARTBEAT_MS, PRESENCE_MEMBERS_MAX, type Ready } from './model.ts'
import { eventsSince, markAt, markNow } from './replay.ts'
import { loadSnapshots } from './snapshots.ts'
import type { Socket, SocketData } from './socket.ts'

/** What a connection begins with: `ready`, then the backlog. */
export interface Handshake extends Backlog {
  ready: Omit<Ready, 'session' | 'retention' | 'voice_states'>
}

/**
 * Reads a handshake. A client whose `s` cannot be resumed from, or that missed too much, begins afresh.
 * @param sql all reads have to see the same snapshot of the database
 * @param window_s how long events can be resumed from, seconds
 * @throws Problem `token_revoked` when the session has ended
 */
export async function loadHandshake(
  sql: Sql,
  { user_id, session_id, resume_s }: Pick<SocketData, 'user_id' | 'session_id' | 'resume_s'>,
  window_s: number,
  statusOf: (user_id: number) => Status,
): Promise<Handshake> {
  const access = await loadAccess(sql, user_id)
  const ids = access.servers.map((server) => server.id)
  const [mark, since, [user], read_marks, [near], relations, conversations] = await Promise.all([
    markNow(sql),
    resume_s === undefined ? undefined : markAt(sql, resume_s, window_s),
    // Through the session: it may have been revoked while the socket opened.
    sql<Ready['user'][]>`select ${columns(sql, User)} from users
      where id = (select user_id from sessions where id = ${session_id})`,
    sql<Ready['read_marks']>`select channel_id, message_id from read_marks where user_id = ${user_id}`,
    // One row with an array: thousands of rows a socket would leave much to collect.
    sql<{ user_ids: number[] }[]>`select array(
      select user_id from members m join servers s on s.id = m.server_id
      where server_id = any(${ids}) and s.member_count <= ${PRESENCE_MEMBERS_MAX}
      union select other_id from relations_of where user_id = ${user_id} and state = 'friends') as user_ids`,
    sql<Ready['relations']>`select other_id as user_id, state, since from relations_of
      where user_id = ${user_id} and state <> 'none' order by other_id`,
    sql<Ready['conversations']>`select channel_id, other_id as user_id, last_message_id, unread_count
      from conversations_of(${user_id}, ${CONVERSATIONS_MAX})`,
  ])
  const missed = since && (await eventsSince(sql, since, access))
  const channelsOf = Map.groupBy(access.channels, (channel) => channel.server_id)
  return {
    access,
    mark,
    missed: missed ?? [],
    snapshots: missed ? [] : await loadSnapshots(sql, access, ids, statusOf),
    ready: {
      user: found(user, 'token_revoked'),
      servers: ids.map((id) => ({ id, channel_ids: (channelsOf.get(id) ?? []).map((channel) => channel.id) })),
      conversations,
      relations,
      presences: found(near)
        .user_ids.filter((id) => statusOf(id) !== 'offline')
        .map((id) => ({ user_id: id, status: statusOf(id) })),
      read_marks,
      resumed: missed !== undefined,
    },
  }
}

/**
 * Subscribes the socket and sends `ready`, without a pause between: from here on the socket receives what is published.
 * @param environment the client is told some of it
 * @param voiceStates the members now present in these channels
 */
export function goLive(
  socket: Socket,
  { access, ready }: Handshake,
  environment: Environment,
  voiceStates: (channel_ids: number[]) => Ready['voice_states'],
): void {
  for (const name of topicsOf(access)) socket.subscribe(name)
  socket.data.state = 'live'
  const session = { id: socket.data.session_id, heartbeat_ms: HEARTBEAT_MS, resume_window_s: environment.RESUME_WINDOW }
  const retention = {
    message_days: environment.MESSAGE_RETENTION_DAYS ?? null,
    file_days: environment.FILE_RETENTION_DAYS ?? null,
    file_bytes_min: environment.FILE_RETENTION_BYTES_MIN,
  }
  const voice_states = voiceStates(access.channels.map(({ id }) => id))
  socket.send(ephemeralText('ready', { session, ...ready, retention, voice_states }))
}
