import { columns, type Sql } from '../database/database.ts'
import { ephemeralText, type Events, topic } from '../core/events.ts'
import { Channel } from '../features/channels/model.ts'
import type { Status } from '../features/members/model.ts'
import { loadAccess, topicsOf } from './access.ts'
import type { Backlog } from './backlog.ts'
import { markNow } from './replay.ts'
import { loadSnapshots } from './snapshots.ts'
import type { Socket } from './socket.ts'

/** How an account's access differs from a socket's subscriptions. The backlog holds the servers that it gained. */
export interface AccessChange extends Backlog {
  gained: Channel[]
  lost: Pick<Channel, 'id' | 'server_id'>[]
}

/**
 * Reads how the account's access differs from these subscriptions.
 * @param sql all reads have to see the same snapshot of the database
 */
export async function loadAccessChange(
  sql: Sql,
  user_id: number,
  subscriptions: Set<string>,
  statusOf: (user_id: number) => Status,
): Promise<AccessChange> {
  const access = await loadAccess(sql, user_id)
  const isNew = (server_id: number) => !subscriptions.has(topic.server(server_id).topic)
  const restricted = new Set(access.channels.filter((channel) => channel.restricted).map((channel) => channel.id))
  const before = [...subscriptions].flatMap((name) => /^channel:(\d+)$/.exec(name)?.[1] ?? []).map(Number)
  const visible = new Set(access.channels.map((channel) => channel.id))
  const gained = access.channels
    .filter(({ id, server_id }) => restricted.has(id) && !before.includes(id) && !isNew(server_id))
    .map(({ id }) => id)
  const [mark, snapshots, channels, lost] = await Promise.all([
    markNow(sql),
    loadSnapshots(sql, access, access.servers.map((server) => server.id).filter(isNew), statusOf),
    sql<Channel[]>`select ${columns(sql, Channel, 'c')} from channels c where id = any(${gained})`,
    sql<AccessChange['lost']>`
      select id, server_id from channels where id = any(${before.filter((id) => !visible.has(id))})`,
  ])
  return { access, mark, missed: [], snapshots, gained: channels, lost }
}

/** Updates a live socket's subscriptions. Sends the servers that it lost, and the channels that it gained or lost. */
export function applyAccessChange(socket: Socket, { access, gained, lost }: AccessChange): void {
  const after = topicsOf(access)
  const before = new Set(socket.subscriptions)
  for (const name of before.difference(after)) {
    socket.unsubscribe(name)
    const [, id] = /^server:(\d+)$/.exec(name) ?? []
    if (id) send(socket, 'server.deleted', { id: Number(id) })
  }
  for (const channel of lost) loseChannel(socket, channel)
  for (const name of after.difference(before)) socket.subscribe(name)
  for (const channel of gained) gainChannel(socket, channel)
}

/** The socket's account sees the channel from now on. */
export function gainChannel(socket: Socket, channel: Channel): void {
  socket.data.lost_channels?.delete(channel.id)
  send(socket, 'channel.created', channel)
}

/** The socket's account does not see the channel any more. If it left the whole server, `server.deleted` says so. */
export function loseChannel(socket: Socket, { id, server_id }: Pick<Channel, 'id' | 'server_id'>): void {
  const { data } = socket
  if (data.backlogs > 0) (data.lost_channels ??= new Set()).add(id)
  if (server_id !== null && socket.isSubscribed(topic.server(server_id).topic))
    send(socket, 'channel.deleted', { id, server_id })
}

/** Sends an event to one socket alone, without `s`. */
function send<K extends keyof Events & string>(socket: Socket, type: K, d: Events[K]): void {
  socket.send(ephemeralText(type, d))
}
