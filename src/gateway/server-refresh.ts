import type { Bus, Notice } from '../events/bus.ts'
import type { Database, Sql } from '../database/database.ts'
import { loggedBody } from '../events/event-log.ts'
import { holds } from '../core/permissions.ts'
import { channelOf } from '../features/access/model.ts'
import { channelColumns, type ChannelRow } from '../features/access/channel-rows.ts'
import { eventText, topic } from '../core/events.ts'
import { consistentRead } from './access.ts'
import type { OwnOverwrite } from '../features/roles/model.ts'
import { gainChannel, loseChannel } from './access-change.ts'
import { blankBody, INTENTS, isBlanked, isWanted } from './intents.ts'
import { close } from './model.ts'
import { closeWith, isOpen, isSubscribed, sendFrame, type Socket, subscribe, unsubscribe } from './socket.ts'
import type { Variant } from './variants.ts'

const ALL = INTENTS.join(',')
/** Distance in ids before the change from which late events of other nodes are searched. */
const LATE_EVENTS_MAX = 10_000

export type ServerNotice = Extract<Notice, { kind: 'server_access_changed' }>

/** The access to a server, as far as it differs between members. */
interface ServerAccess {
  /** The restricted channels, and those whose restriction changed. */
  channels: ChannelRow[]
  /** `user:channel` for everyone who can see one of these channels. */
  viewers: Set<string>
  /** `user:channel` for everyone who may also read its history. */
  readers: Set<string>
  /** The overwrites for single members in these channels, by `user:channel`. */
  overwrites: Map<string, OwnOverwrite>
  /** Members with manage_server. */
  managers: Set<number>
}

/**
 * For each channel whose topic changes: the sockets that see it before and after, and whether they may read history.
 */
type StayingSockets = Map<number, Map<Socket, boolean>>

async function loadServerAccess(
  sql: Sql,
  { server_id, hidden, revealed }: ServerNotice,
  users: number[],
): Promise<ServerAccess> {
  const channels = await sql<ChannelRow[]>`
    select ${channelColumns(sql)} from channels c
    where c.server_id = ${server_id} and (c.restricted or c.id = any(${[...hidden, ...revealed]}))`
  const [permissionRows, members, overwrites] = await Promise.all([
    sql<{ user_id: number; channel_id: number; reads: boolean }[]>`
      select user_id, channel_id, holds(permissions, 'read_history') as reads from channel_permissions
      where server_id = ${server_id} and user_id = any(${users})
        and channel_id = any(${channels.map((channel) => channel.id)}) and can_view(permissions)`,
    sql<{ user_id: number; permissions: number }[]>`
      select user_id, permissions from member_permissions where server_id = ${server_id} and user_id = any(${users})`,
    sql<(OwnOverwrite & { user_id: number })[]>`
      select user_id, channel_id, server_id, allow, deny from member_overwrites
      where channel_id = any(${channels.map((channel) => channel.id)}) and user_id = any(${users})`,
  ])
  return {
    channels,
    viewers: new Set(permissionRows.map((row) => `${row.user_id}:${row.channel_id}`)),
    readers: new Set(permissionRows.filter((row) => row.reads).map((row) => `${row.user_id}:${row.channel_id}`)),
    overwrites: new Map(overwrites.map(({ user_id, ...own }) => [`${user_id}:${own.channel_id}`, own])),
    managers: new Set(members.filter((row) => holds(row.permissions, 'manage_server')).map((row) => row.user_id)),
  }
}

/** The topics that some sockets may be subscribed to under this access. */
const topicsOf = ({ server_id }: ServerNotice, { channels, managers }: ServerAccess): string[] => [
  ...channels.filter(({ restricted }) => restricted).map((channel) => topic.channel({ ...channel, server_id }).topic),
  ...(managers.size > 0 ? [topic.invites(server_id).topic] : []),
]

/** Updates one socket's subscriptions, and sends the channels gained or lost. */
function applyServerAccess(socket: Socket, notice: ServerNotice, access: ServerAccess, staying: StayingSockets): void {
  const { server_id, hidden } = notice
  const { user_id } = socket.data
  for (const channel of access.channels) {
    const { restricted } = channel
    const channelTopic = topic.channel({ ...channel, server_id, restricted: true }).topic
    const saw = hidden.includes(channel.id) || isSubscribed(socket, channelTopic)
    const canSee = access.viewers.has(`${user_id}:${channel.id}`)
    if (restricted && canSee) subscribe(socket, channelTopic)
    else unsubscribe(socket, channelTopic)
    if (canSee && saw) staying.get(channel.id)?.set(socket, access.readers.has(`${user_id}:${channel.id}`))
    if (canSee && !saw) gainChannel(socket, channelOf(channel), access.overwrites.get(`${user_id}:${channel.id}`))
    if (!canSee && saw) loseChannel(socket, channel)
  }
  const invitesTopic = topic.invites(server_id).topic
  if (access.managers.has(user_id)) subscribe(socket, invitesTopic)
  else unsubscribe(socket, invitesTopic)
}

/**
 * Updates the subscriptions of all sockets in a server after its roles or overwrites changed. Costs four statements
 * for any number of sockets, then one synchronous step.
 * @param sockets all of this node
 */
export async function refreshServer(sql: Database, bus: Bus, sockets: Socket[], notice: ServerNotice): Promise<void> {
  const serverTopic = topic.server(notice.server_id).topic
  const membersAmong = (some: Iterable<Socket>) =>
    [...some].filter((socket) => socket.data.state === 'live' && isOpen(socket) && isSubscribed(socket, serverTopic))
  // A running refresh may have read the old access, so it must read again.
  for (const { data } of sockets) if (data.refreshing) data.accessChanged = true
  const staying: StayingSockets = new Map([...notice.hidden, ...notice.revealed].map((id) => [id, new Map()]))
  for (let pendingSockets = sockets; pendingSockets.length > 0;) {
    await Promise.all(pendingSockets.map(({ data }) => data.state === 'live' && data.refreshing))
    const members = membersAmong(pendingSockets).map((socket) => ({ socket, refreshesBefore: socket.data.refreshes }))
    if (members.length === 0) break
    const users = [...new Set(members.map(({ socket }) => socket.data.user_id))]
    const access = await consistentRead(sql, (tx) => loadServerAccess(tx, notice, users))
    await bus.follow(topicsOf(notice, access))
    // A socket refreshed meanwhile may have newer access than was read here, so it gets another round.
    const isOlder = ({ socket: { data }, refreshesBefore }: (typeof members)[number]) =>
      data.refreshing !== undefined || data.refreshes !== refreshesBefore
    pendingSockets = members.filter(isOlder).map(({ socket }) => socket)
    const current = new Set(members.map(({ socket }) => socket)).difference(new Set(pendingSockets))
    for (const socket of membersAmong(current)) applyServerAccess(socket, notice, access, staying)
  }
  // Without `since`, the log delivers missed events.
  if (staying.size > 0 && notice.since !== undefined)
    await resendMissed(sql, bus, membersAmong(sockets), staying, notice)
}

/**
 * Resends events that the sockets may have missed while a channel's topic changed; some arrive twice. Frames published
 * after the commit, but before the sockets subscribed, went to a topic without subscribers; frames that another node
 * published before the commit may arrive for the old topic.
 *
 * A client resumes from the newest event that it received. So a node that has yet to deliver older events sends none of
 * these: it closes the sockets, whose clients resume.
 */
async function resendMissed(sql: Database, bus: Bus, sockets: Socket[], staying: StayingSockets, notice: ServerNotice) {
  const { server_id, hidden, since = 0 } = notice
  const lateMs = bus.lateMsMax
  const events = await sql<{ id: number; type: string; channel_id: number; body: string }[]>`
    select id, type, channel_id, ${loggedBody(sql)} as body from events e
    where id > ${lateMs > 0 ? since - LATE_EVENTS_MAX : since} and server_id = ${server_id}
      and channel_id = any(${[...staying.keys()]}) and user_id is null and body is not null
      and (id > ${since} or created_at > now() - ${lateMs} * interval '1 millisecond') order by id`
  // After the read, because a process that hung during it has read newer events.
  const isUpToDate = bus.receivesNotices()
  for (const { id, type, channel_id, body } of events) {
    const text = eventText(type, id, body)
    const isHidden = hidden.includes(channel_id)
    const { topic: name } = topic.channel({ id: channel_id, server_id, restricted: isHidden })
    const textFor = ({ intents }: Variant) =>
      intents !== undefined && isBlanked(intents, type) ? eventText(type, id, blankBody(body)) : text
    const isDue = (socket: Socket) => (id > since ? isHidden : (staying.get(channel_id)?.get(socket) ?? false))
    for (const socket of sockets)
      if (isDue(socket) && isSubscribed(socket, name) && isWanted(socket.data.variant.intents ?? ALL, type)) {
        if (isUpToDate) sendFrame(socket, textFor(socket.data.variant))
        else closeWith(socket, close.restart)
      }
  }
}
