import type { Bus, Notice } from '../events/bus.ts'
import { columns, type Database, type Sql } from '../database/database.ts'
import { holds } from '../core/permissions.ts'
import { Channel, type ChannelRow } from '../features/channels/model.ts'
import { eventFrame, topic } from '../core/events.ts'
import { isOpen, type Socket } from './client.ts'
import { atOneMoment, gain, lose } from './handshake.ts'

/** Of the log, as far back as is looked for what came late. */
const LATE_EVENTS_MAX = 10_000

type ServerNotice = Extract<Notice, { kind: 'server_access_changed' }>

/** What the accounts at hand may do now, where it can differ from one member to the next. */
interface ServerAccess {
  channels: ChannelRow[]
  /** `user:channel` of who sees which of these channels. */
  sees: Set<string>
  /** The same of who reads what was said before. */
  reads: Set<string>
  /** Who holds manage_server. */
  managers: Set<number>
}

/** By channel whose topic changes: who saw it before and does after, and whether they read what was said earlier. */
type Kept = Map<number, Map<Socket, boolean>>

async function load(sql: Sql, { server_id, hidden, revealed }: ServerNotice, users: number[]): Promise<ServerAccess> {
  const channels = await sql<ChannelRow[]>`
    select ${columns(sql, Channel, 'c')}, c.restricted from channels c
    where c.server_id = ${server_id} and (c.restricted or c.id = any(${[...hidden, ...revealed]}))`
  const [seen, members] = await Promise.all([
    sql<{ user_id: number; channel_id: number; reads: boolean }[]>`
      select user_id, channel_id, holds(permissions, 'read_history') as reads from channel_permissions
      where server_id = ${server_id} and user_id = any(${users})
        and channel_id = any(${channels.map((channel) => channel.id)}) and can_view(permissions)`,
    sql<{ user_id: number; permissions: number }[]>`
      select user_id, permissions from member_permissions where server_id = ${server_id} and user_id = any(${users})`,
  ])
  return {
    channels,
    sees: new Set(seen.map((row) => `${row.user_id}:${row.channel_id}`)),
    reads: new Set(seen.filter((row) => row.reads).map((row) => `${row.user_id}:${row.channel_id}`)),
    managers: new Set(members.filter((row) => holds(row.permissions, 'manage_server')).map((row) => row.user_id)),
  }
}

/** Those that some of the sockets may be subscribed to by it. */
const topicsOf = ({ server_id }: ServerNotice, { channels, managers }: ServerAccess): string[] => [
  ...channels.filter(({ restricted }) => restricted).map((channel) => topic.channel(channel).topic),
  ...(managers.size > 0 ? [topic.invites(server_id).topic] : []),
]

/** Makes one socket's subscriptions follow, and tells it of the channels that it gained or lost. */
function apply(socket: Socket, notice: ServerNotice, { channels, sees, reads, managers }: ServerAccess, kept: Kept) {
  const { server_id, hidden } = notice
  const { user_id } = socket.data
  for (const { restricted, ...channel } of channels) {
    const own = topic.channel({ ...channel, restricted: true }).topic
    const saw = hidden.includes(channel.id) || socket.isSubscribed(own)
    const sight = sees.has(`${user_id}:${channel.id}`)
    if (restricted && sight) socket.subscribe(own)
    else socket.unsubscribe(own)
    if (sight && saw) kept.get(channel.id)?.set(socket, reads.has(`${user_id}:${channel.id}`))
    if (sight && !saw) gain(socket, channel)
    if (!sight && saw) lose(socket, channel)
  }
  const invites = topic.invites(server_id).topic
  if (managers.has(user_id)) socket.subscribe(invites)
  else socket.unsubscribe(invites)
}

/**
 * Makes the subscriptions of all sockets in a server follow a change of its roles or overwrites: three statements
 * however many sockets there are, then one step for all of them.
 */
export async function followServer(sql: Database, bus: Bus, sockets: Socket[], notice: ServerNotice): Promise<void> {
  const name = topic.server(notice.server_id).topic
  const members = (among: Socket[]) =>
    among.filter((socket) => socket.data.live && isOpen(socket) && socket.isSubscribed(name))
  // What is being looked up for a socket now may be older: it is looked up again, before anyone relies on it.
  for (const { data } of sockets) if (data.settling) data.stale = true
  const kept: Kept = new Map([...notice.hidden, ...notice.revealed].map((id) => [id, new Map()]))
  for (let left = sockets; left.length > 0;) {
    await Promise.all(left.map(({ data }) => data.live && data.settling))
    const looks = members(left).map((socket) => [socket, socket.data.looks] as const)
    if (looks.length === 0) break
    const users = [...new Set(looks.map(([{ data }]) => data.user_id))]
    const access = await atOneMoment(sql, (tx) => load(tx, notice, users))
    await bus.follow(topicsOf(notice, access))
    // Whoever was looked up by itself meanwhile may be further than this look: its turn comes again.
    left = looks.filter(([{ data }, before]) => data.settling || data.looks !== before).map(([socket]) => socket)
    const others = new Set(looks.map(([socket]) => socket)).difference(new Set(left))
    for (const socket of members([...others])) apply(socket, notice, access, kept)
  }
  if (kept.size > 0) await repeat(sql, members(sockets), kept, notice, bus.late_ms_max)
}

/**
 * What was sent to a channel from the commit of the change until the sockets followed went to a topic that nobody had
 * yet; what another node sent before may come to one that nobody has any more. They get it now, some of it again.
 */
async function repeat(sql: Database, sockets: Socket[], kept: Kept, notice: ServerNotice, late_ms: number) {
  const { server_id, hidden, since = 0 } = notice
  const events = await sql<{ id: number; type: string; channel_id: number; body: string }[]>`
    select id, type, channel_id, body::text as body from events
    where id > ${late_ms > 0 ? since - LATE_EVENTS_MAX : since} and server_id = ${server_id}
      and channel_id = any(${[...kept.keys()]}) and user_id is null and body is not null
      and (id > ${since} or created_at > now() - ${late_ms} * interval '1 millisecond') order by id`
  for (const { id, type, channel_id, body } of events) {
    const frame = eventFrame(type, id, body)
    const { topic: name } = topic.channel({ id: channel_id, server_id, restricted: hidden.includes(channel_id) })
    const isDue = (socket: Socket) =>
      id > since ? hidden.includes(channel_id) : (kept.get(channel_id)?.get(socket) ?? false)
    for (const socket of sockets) if (isDue(socket) && socket.isSubscribed(name)) socket.send(frame)
  }
}
