import type { Notice } from '../../adapters/bus.ts'
import { columns, type Database, type Sql } from '../../adapters/database.ts'
import { topic } from '../../core/contract.ts'
import { holds } from '../../core/permissions.ts'
import { Channel, type ChannelRow } from '../channels/model.ts'
import { isOpen, type Socket } from './client.ts'
import { atOneMoment, tell } from './opening.ts'

type ServerNotice = Extract<Notice, { kind: 'server_access_changed' }>

/** What the accounts at hand may do now, where it can differ from one member to the next. */
interface ServerAccess {
  channels: ChannelRow[]
  /** `user:channel` of who sees which of these channels. */
  sees: Set<string>
  /** Who holds manage_server. */
  managers: Set<number>
}

async function load(sql: Sql, { server_id, hidden, revealed }: ServerNotice, users: number[]): Promise<ServerAccess> {
  const channels = await sql<ChannelRow[]>`
    select ${columns(sql, Channel, 'c')}, c.restricted from channels c
    where c.server_id = ${server_id} and (c.restricted or c.id = any(${[...hidden, ...revealed]}))`
  const [seen, members] = await Promise.all([
    sql<{ user_id: number; channel_id: number }[]>`
      select user_id, channel_id from channel_permissions
      where server_id = ${server_id} and user_id = any(${users})
        and channel_id = any(${channels.map((channel) => channel.id)}) and permissions & (1 << 10) <> 0`,
    sql<{ user_id: number; permissions: number }[]>`
      select user_id, permissions from member_permissions where server_id = ${server_id} and user_id = any(${users})`,
  ])
  return {
    channels,
    sees: new Set(seen.map((row) => `${row.user_id}:${row.channel_id}`)),
    managers: new Set(members.filter((row) => holds(row.permissions, 'manage_server')).map((row) => row.user_id)),
  }
}

/** Makes one socket's subscriptions follow, and tells it of the channels that it gained or lost. */
function apply(socket: Socket, { server_id, hidden }: ServerNotice, { channels, sees, managers }: ServerAccess): void {
  const { user_id } = socket.data
  if (!isOpen(socket) || !socket.isSubscribed(topic.server(server_id).topic)) return
  for (const { restricted, ...channel } of channels) {
    const own = topic.channel({ ...channel, restricted: true }).topic
    const saw = hidden.includes(channel.id) || socket.isSubscribed(own)
    const sight = sees.has(`${user_id}:${channel.id}`)
    if (restricted && sight) socket.subscribe(own)
    else socket.unsubscribe(own)
    if (sight && !saw) tell(socket, 'channel.created', channel)
    if (!sight && saw) tell(socket, 'channel.deleted', { id: channel.id, server_id })
  }
  const invites = topic.invites(server_id).topic
  if (managers.has(user_id)) socket.subscribe(invites)
  else socket.unsubscribe(invites)
}

/**
 * Makes the subscriptions of all sockets in a server follow a change of its roles or overwrites: three statements
 * however many sockets there are, then one step for all of them.
 */
export async function followServer(sql: Database, sockets: Socket[], notice: ServerNotice): Promise<void> {
  // What is being looked up for a socket at this moment may be older: it is looked up again, before anyone relies on it.
  const settling = sockets.filter((socket) => socket.data.settling)
  for (const { data } of settling) data.stale = true
  await Promise.all(settling.map(({ data }) => data.live && data.settling))
  const name = topic.server(notice.server_id).topic
  const concerned = sockets.filter((socket) => socket.data.live && socket.isSubscribed(name))
  if (concerned.length === 0) return
  const users = [...new Set(concerned.map((socket) => socket.data.user_id))]
  const access = await atOneMoment(sql, (tx) => load(tx, notice, users))
  for (const socket of concerned) apply(socket, notice, access)
}
