import { columns, type Database, type Sql } from '../database/database.ts'
import { ephemeralText, type Events, topic } from '../core/events.ts'
import { found } from '../core/errors.ts'
import { User } from '../features/accounts/model.ts'
import { Channel } from '../features/channels/model.ts'
import type { Status } from '../features/members/model.ts'
import { type Access, loadAccess, topicsOf } from './access.ts'
import { type Client, isOpen, sendPaced, type Socket } from './client.ts'
import { CONVERSATIONS_MAX, HEARTBEAT_MS, PRESENCE_MEMBERS_MAX, type Ready, type Snapshot } from './model.ts'
import { eventsSince, frameOf, type LoggedEvent, type Mark, markAt, markNow } from './replay.ts'
import { loadSnapshots, snapshotFrame, snapshotParts } from './snapshots.ts'

type Statuses = (user_id: number) => Status

/** What a socket is brought up to date with, all of one moment. */
export interface Update {
  access: Access
  /** Where that moment stands in the event log. */
  mark: Mark
  snapshots: Omit<Snapshot, 'part' | 'parts'>[]
}

/** What a connection begins with. */
export interface Beginning extends Update {
  ready: Omit<Ready, 'session' | 'voice_states'>
  /** What a resuming client has missed. */
  missed: LoggedEvent[]
}

/** Runs reads that belong to one moment. */
export const atOneMoment = <T>(sql: Database, read: (sql: Sql) => Promise<T>): Promise<T> =>
  sql
    .begin('isolation level repeatable read read only', async (tx) => ({ value: await read(tx) }))
    .then(({ value }) => value)

/** Reads a beginning; a client whose `s` cannot be resumed from, or missed too much, begins afresh. */
export async function loadBeginning(
  sql: Sql,
  { user_id, session_id, resume_s }: Pick<Client, 'user_id' | 'session_id' | 'resume_s'>,
  window_s: number,
  statusOf: Statuses,
): Promise<Beginning> {
  const access = await loadAccess(sql, user_id)
  const ids = access.servers.map((server) => server.id)
  const [mark, since, [user], read_marks, [near], relations, conversations] = await Promise.all([
    markNow(sql),
    resume_s === undefined ? undefined : markAt(sql, resume_s, window_s),
    // By way of the session: one that was revoked while the socket opened has no beginning.
    sql<Ready['user'][]>`select ${columns(sql, User)} from users
      where id = (select user_id from sessions where id = ${session_id})`,
    sql<Ready['read_marks']>`select channel_id, message_id from read_marks where user_id = ${user_id}`,
    // One row: thousands of them a socket would leave much to collect.
    sql<{ user_ids: number[] }[]>`select array(
      select user_id from members m join servers s on s.id = m.server_id
      where server_id = any(${ids}) and s.member_count <= ${PRESENCE_MEMBERS_MAX}
      union select other_id from relations_of where user_id = ${user_id} and state = 'friends') as user_ids`,
    sql<Ready['relations']>`select other_id as user_id, state, since from relations_of
      where user_id = ${user_id} and state <> 'none' order by other_id`,
    sql<Ready['conversations']>`select other_id as user_id, last_message_id, unread_count from participants
      where user_id = ${user_id} and last_message_id > hidden_id
      order by last_message_id desc limit ${CONVERSATIONS_MAX}`,
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

/** What has changed for a socket: its access, the servers and channels that it gained, the channels that it lost. */
export interface Change extends Update {
  gained: Channel[]
  lost: { id: number; server_id: number }[]
}

/** Reads what has changed for a socket with these subscriptions. */
export async function loadChange(sql: Sql, user_id: number, had: Set<string>, statusOf: Statuses): Promise<Change> {
  const access = await loadAccess(sql, user_id)
  const isNew = (server_id: number) => !had.has(topic.server(server_id).topic)
  const own = new Set(access.channels.filter((channel) => channel.restricted).map((channel) => channel.id))
  const before = [...had].flatMap((name) => /^channel:(\d+)$/.exec(name)?.[1] ?? []).map(Number)
  const seen = new Set(access.channels.map((channel) => channel.id))
  const gained = access.channels.filter(({ id, server_id }) => own.has(id) && !before.includes(id) && !isNew(server_id))
  const [mark, snapshots, channels, lost] = await Promise.all([
    markNow(sql),
    loadSnapshots(sql, access, access.servers.map((server) => server.id).filter(isNew), statusOf),
    sql<Channel[]>`select ${columns(sql, Channel, 'c')} from channels c where id = any(${gained.map(({ id }) => id)})`,
    sql<Change['lost']>`select id, server_id from channels where id = any(${before.filter((id) => !seen.has(id))})`,
  ])
  return { access, mark, snapshots, gained: channels, lost }
}

/**
 * Subscribes the socket and sends `ready`, in one go: from here on it receives what is published.
 * @param window_s told to the client
 * @param voiceStates who is in a call at this very moment, in these channels
 */
export function begin(
  socket: Socket,
  { access, ready }: Beginning,
  window_s: number,
  voiceStates: (channel_ids: number[]) => Ready['voice_states'],
): void {
  for (const name of topicsOf(access)) socket.subscribe(name)
  socket.data.live = true
  const session = { id: socket.data.session_id, heartbeat_ms: HEARTBEAT_MS, resume_window_s: window_s }
  const voice_states = voiceStates(access.channels.map(({ id }) => id))
  socket.send(ephemeralText('ready', { session, ...ready, voice_states }))
}

/** Sends an event that is made for one socket alone: without `s`. */
const tell = <K extends keyof Events & string>(socket: Socket, type: K, d: Events[K]): void => {
  socket.send(ephemeralText(type, d))
}

/** Makes an open socket's subscriptions follow its account's access, in one go; tells it of what it gained and lost. */
export function follow(socket: Socket, { access, gained, lost }: Change): void {
  const wanted = topicsOf(access)
  const had = new Set(socket.subscriptions)
  for (const name of had.difference(wanted)) {
    socket.unsubscribe(name)
    const [, id] = /^server:(\d+)$/.exec(name) ?? []
    if (id) tell(socket, 'server.deleted', { id: Number(id) })
  }
  for (const channel of lost) lose(socket, channel)
  for (const name of wanted.difference(had)) socket.subscribe(name)
  for (const channel of gained) gain(socket, channel)
}

/** A channel that the socket's account sees from now on. */
export function gain(socket: Socket, channel: Channel): void {
  socket.data.lost?.delete(channel.id)
  tell(socket, 'channel.created', channel)
}

/** A channel that it sees no more; of a server that it has left, that is all that is told. */
export function lose(socket: Socket, { id, server_id }: Pick<Channel, 'id' | 'server_id'>): void {
  if (socket.data.catching_up > 0) (socket.data.lost ??= new Set()).add(id)
  if (socket.isSubscribed(topic.server(server_id).topic)) tell(socket, 'channel.deleted', { id, server_id })
}

/**
 * Sends what a socket is to be brought up to date with, then what was committed since that was read. Subscriptions
 * came first, so nothing falls between; what a change of access takes away in the meantime is left out.
 * @returns the newest `s` sent, or undefined when so much happened meanwhile that the client must resume
 */
export async function catchUp(socket: Socket, sql: Sql, update: Update & Partial<Beginning>) {
  const { data } = socket
  data.catching_up++
  try {
    return await sendWhatIsSeen(socket, sql, update)
  } finally {
    if (--data.catching_up === 0) data.lost = undefined
  }
}

async function sendWhatIsSeen(
  socket: Socket,
  sql: Sql,
  { access, mark, snapshots, missed = [] }: Update & Partial<Beginning>,
): Promise<number | undefined> {
  const inside = (server_id: number) => socket.isSubscribed(topic.server(server_id).topic)
  const sees = (channel_id: number | null) => channel_id === null || !socket.data.lost?.has(channel_id)
  for (const snapshot of snapshots)
    await sendPaced(socket, snapshotParts(snapshot), (part) =>
      inside(part.server.id)
        ? snapshotFrame({ ...part, channels: part.channels.filter(({ id }) => sees(id)) })
        : undefined,
    )
  const still = ({ type, server_id, channel_id }: LoggedEvent) =>
    server_id === null ||
    (inside(server_id) &&
      sees(channel_id) &&
      (!type.startsWith('invite.') || socket.isSubscribed(topic.invites(server_id).topic)))
  const send = (events: LoggedEvent[]) =>
    sendPaced(socket, events, (event) => (still(event) ? frameOf(event) : undefined))
  await send(missed)
  if (!isOpen(socket)) return mark.s
  const meanwhile = await eventsSince(sql, mark, access)
  if (!meanwhile) return undefined
  await send(meanwhile)
  return meanwhile.reduce((newest, event) => Math.max(newest, event.id), mark.s)
}
