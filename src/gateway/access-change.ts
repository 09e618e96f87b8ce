import { columns, type Sql } from '../database/database.ts'
import { ephemeralText, type Events, topic } from '../core/events.ts'
import { Channel } from '../features/access/model.ts'
import type { Status } from '../features/members/model.ts'
import { topicsOf } from './access.ts'
import type { Backlog } from './backlog.ts'
import { accessOf, type Loaded, snapshotsOf } from './server-views.ts'
import { isSubscribed, type Socket, subscribe, subscriptionsOf, unsubscribe } from './socket.ts'

/** The difference between an account's access and a socket's subscriptions. The backlog contains the servers gained. */
export interface AccessChange extends Backlog {
  gained: Channel[]
  lost: Pick<Channel, 'id' | 'server_id'>[]
}

/**
 * Reads how the account's access differs from these subscriptions.
 * @param sql all reads must see the same snapshot of the database
 * @param load reads memberships in that snapshot
 */
export async function loadAccessChange(
  sql: Sql,
  load: (user_ids: number[]) => Promise<Loaded>,
  user_id: number,
  subscriptions: Set<string>,
  statusOf: (user_id: number) => Status,
): Promise<AccessChange> {
  const { mark, memberships } = await load([user_id])
  const own = memberships.get(user_id) ?? []
  const access = accessOf(user_id, own)
  const isNew = (server_id: number) => !subscriptions.has(topic.server(server_id).topic)
  const seen = access.servers.flatMap((server) => server.channels)
  const before = [...subscriptions].flatMap((name) => /^channel:(\d+)$/.exec(name)?.[1] ?? []).map(Number)
  const visible = new Set(seen.map((channel) => channel.id))
  const gained = seen
    .filter(({ id, server_id, restricted }) => restricted && !before.includes(id) && !isNew(server_id))
    .map(({ id }) => id)
  const gone = before.filter((id) => !visible.has(id))
  const [channels, lost] = await Promise.all([
    sql<Channel[]>`select ${columns(sql, Channel, 'c')} from channels c where id = any(${gained})`,
    sql<AccessChange['lost']>`
      select id, server_id from channels where id = any(${gone})
      union all
      select channel_id, server_id from events
      where type = 'channel.deleted' and resource = any(${gone.map((id) => `channel:${id}`)})`,
  ])
  const snapshots = snapshotsOf(
    own.filter(({ view }) => isNew(view.id)),
    statusOf(user_id),
  )
  return { access, mark, missed: [], snapshots, gained: channels, lost }
}

/** Updates a live socket's subscriptions. Sends events for servers lost and channels gained or lost. */
export function applyAccessChange(socket: Socket, { access, gained, lost }: AccessChange): void {
  const after = topicsOf(access)
  const before = subscriptionsOf(socket)
  for (const name of before.difference(after)) {
    unsubscribe(socket, name)
    const [, id] = /^server:(\d+)$/.exec(name) ?? []
    if (id) send(socket, 'server.deleted', { id: Number(id) })
  }
  for (const channel of lost) loseChannel(socket, channel)
  for (const name of after.difference(before)) subscribe(socket, name)
  for (const channel of gained) gainChannel(socket, channel)
}

/** Subscribes the socket to a channel that its account can now see. */
export function gainChannel(socket: Socket, channel: Channel): void {
  socket.data.lost_channels?.delete(channel.id)
  send(socket, 'channel.created', channel)
}

/**
 * Unsubscribes the socket from a channel that its account can no longer see. If the account left the whole server,
 * `server.deleted` covers it.
 */
export function loseChannel(socket: Socket, { id, server_id }: Pick<Channel, 'id' | 'server_id'>): void {
  const { data } = socket
  if (data.backlogs > 0) (data.lost_channels ??= new Set()).add(id)
  if (server_id !== null && isSubscribed(socket, topic.server(server_id).topic))
    send(socket, 'channel.deleted', { id, server_id })
}

/** Sends an event, without `s`, to this socket only. */
function send<K extends keyof Events & string>(socket: Socket, type: K, d: Events[K]): void {
  socket.send(ephemeralText(type, d))
}
