import { columns, type Sql } from '../database/database.ts'
import { ephemeralText, type Events, topic } from '../core/events.ts'
import { Channel, channelOf } from '../features/access/model.ts'
import type { OwnOverwrite } from '../features/roles/model.ts'
import type { Status } from '../features/status/model.ts'
import { topicsOf } from './access.ts'
import type { Backlog } from './backlog.ts'
import { accessOf, type Loaded } from './server-views.ts'
import { snapshotsOf } from './snapshots.ts'
import { isSubscribed, type Socket, subscribe, subscriptionsOf, unsubscribe } from './socket.ts'

/** The difference between an account's access and a socket's subscriptions. The backlog contains the servers gained. */
export interface AccessChange extends Backlog {
  gainedChannels: Channel[]
  /** The overwrites for the account in those channels. */
  gainedOverwrites: OwnOverwrite[]
  lostChannels: Pick<Channel, 'id' | 'server_id'>[]
}

/**
 * Reads how the account's access differs from these subscriptions.
 * @param sql all reads must see the same snapshot of the database
 * @param load reads memberships in that snapshot
 */
export async function loadAccessChange(
  sql: Sql,
  load: (userIds: number[]) => Promise<Loaded>,
  userId: number,
  subscriptions: Set<string>,
  statusOf: (userId: number) => Status,
): Promise<AccessChange> {
  const { mark, memberships } = await load([userId])
  const accountMemberships = memberships.get(userId) ?? []
  const access = accessOf(userId, accountMemberships)
  const isNew = (server_id: number) => !subscriptions.has(topic.server(server_id).topic)
  const visibleChannels = access.servers.flatMap((server) => server.channels)
  const subscribedIds = [...subscriptions].flatMap((name) => /^channel:(\d+)$/.exec(name)?.[1] ?? []).map(Number)
  const visibleIds = new Set(visibleChannels.map((channel) => channel.id))
  const gainedIds = visibleChannels
    .filter(({ id, server_id, restricted }) => restricted && !subscribedIds.includes(id) && !isNew(server_id))
    .map(({ id }) => id)
  const lostIds = subscribedIds.filter((id) => !visibleIds.has(id))
  const [channels, lostChannels] = await Promise.all([
    sql<Channel[]>`select ${columns(sql, Channel, 'c')} from channels c where id = any(${gainedIds})`,
    sql<AccessChange['lostChannels']>`
      select id, server_id from channels where id = any(${lostIds})
      union all
      select channel_id, server_id from events
      where type = 'channel.deleted' and resource = any(${lostIds.map((id) => `channel:${id}`)})`,
  ])
  const snapshots = snapshotsOf(
    accountMemberships.filter(({ view }) => isNew(view.id)),
    statusOf(userId),
  )
  const gained = new Set(gainedIds)
  const gainedOverwrites = accountMemberships
    .flatMap(({ member }) => member.overwrites)
    .filter(({ channel_id }) => gained.has(channel_id))
  const gainedChannels = channels.map(channelOf)
  return { access, mark, missed: [], snapshots, gainedChannels, gainedOverwrites, lostChannels }
}

/** Updates a live socket's subscriptions. Sends events for servers lost and channels gained or lost. */
export function applyAccessChange(socket: Socket, change: AccessChange): void {
  const { access, gainedChannels, gainedOverwrites, lostChannels } = change
  const after = topicsOf(access)
  const before = subscriptionsOf(socket)
  for (const name of before.difference(after)) {
    unsubscribe(socket, name)
    const [, id] = /^server:(\d+)$/.exec(name) ?? []
    if (id) send(socket, 'server.deleted', { id: Number(id) })
  }
  for (const channel of lostChannels) loseChannel(socket, channel)
  // The account may be back in a server whose channels it had lost.
  for (const server of socket.data.lostChannels ? access.servers : [])
    for (const { id } of server.channels) socket.data.lostChannels?.delete(id)
  for (const name of after.difference(before)) subscribe(socket, name)
  for (const channel of gainedChannels)
    gainChannel(
      socket,
      channel,
      gainedOverwrites.find((own) => own.channel_id === channel.id),
    )
}

/** Subscribes the socket to a channel that its account can now see. @param own the overwrite for the account there */
export function gainChannel(socket: Socket, channel: Channel, own: OwnOverwrite | undefined): void {
  socket.data.lostChannels?.delete(channel.id)
  send(socket, 'channel.created', channel)
  if (own) send(socket, 'channel.own_overwrite_updated', own)
}

/**
 * Unsubscribes the socket from a channel that its account can no longer see. If the account left the whole server,
 * `server.deleted` covers it.
 */
export function loseChannel(socket: Socket, { id, server_id }: Pick<Channel, 'id' | 'server_id'>): void {
  const { data } = socket
  if (data.backlogs > 0) (data.lostChannels ??= new Set()).add(id)
  if (server_id !== null && isSubscribed(socket, topic.server(server_id).topic))
    send(socket, 'channel.deleted', { id, server_id })
}

/** Sends an event, without `s`, to this socket only. */
function send<K extends keyof Events & string>(socket: Socket, type: K, d: Events[K]): void {
  socket.send(ephemeralText(type, d))
}
