import { columns, type Database, type Sql } from '../../adapters/database.ts'
import { eventFrame, topic } from '../../core/contract.ts'
import { found } from '../../core/errors.ts'
import { User } from '../accounts/model.ts'
import type { Status } from '../members/model.ts'
import { type Access, loadAccess, topicsOf } from './access.ts'
import { type Client, isOpen, sendPaced, type Socket } from './client.ts'
import { HEARTBEAT_MS, PRESENCE_MEMBERS_MAX, type Ready, type Snapshot } from './model.ts'
import { eventsSince, frameOf, type LoggedEvent, type Mark, markAt, markNow } from './replay.ts'
import { loadSnapshots, snapshotFrames } from './snapshots.ts'

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
  ready: Omit<Ready, 'session'>
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
  const [mark, since, [user], read_marks, [near]] = await Promise.all([
    markNow(sql),
    resume_s === undefined ? undefined : markAt(sql, resume_s, window_s),
    // By way of the session: one that was revoked while the socket opened has no beginning.
    sql<Ready['user'][]>`select ${columns(sql, User)} from users
      where id = (select user_id from sessions where id = ${session_id})`,
    sql<Ready['read_marks']>`select channel_id, message_id from read_marks where user_id = ${user_id}`,
    // One row: thousands of them a socket would leave much to collect.
    sql<{ user_ids: number[] }[]>`select array(
      select distinct user_id from members m join servers s on s.id = m.server_id
      where server_id = any(${ids}) and s.member_count <= ${PRESENCE_MEMBERS_MAX}) as user_ids`,
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
      conversations: [],
      relations: [],
      presences: found(near)
        .user_ids.filter((id) => statusOf(id) !== 'offline')
        .map((id) => ({ user_id: id, status: statusOf(id) })),
      voice_states: [],
      read_marks,
      resumed: missed !== undefined,
    },
  }
}

/** Reads what has changed for a socket with these subscriptions: its access, and the servers that are new to it. */
export async function loadUpdate(sql: Sql, user_id: number, had: Set<string>, statusOf: Statuses): Promise<Update> {
  const access = await loadAccess(sql, user_id)
  const gained = access.servers.map((server) => server.id).filter((id) => !had.has(topic.server(id).topic))
  const [mark, snapshots] = await Promise.all([markNow(sql), loadSnapshots(sql, access, gained, statusOf)])
  return { access, mark, snapshots }
}

/**
 * Subscribes the socket and sends `ready`, in one go: from here on it receives what is published.
 * @param window_s told to the client
 */
export function begin(socket: Socket, { access, ready }: Beginning, window_s: number): void {
  for (const name of topicsOf(access)) socket.subscribe(name)
  socket.data.live = true
  const session = { id: socket.data.session_id, heartbeat_ms: HEARTBEAT_MS, resume_window_s: window_s }
  socket.send(eventFrame('ready', undefined, JSON.stringify({ session, ...ready })))
}

/** Makes an open socket's subscriptions follow its account's access, in one go; tells it of servers that it lost. */
export function follow(socket: Socket, access: Access): void {
  const wanted = topicsOf(access)
  const had = new Set(socket.subscriptions)
  for (const name of had.difference(wanted)) {
    socket.unsubscribe(name)
    const [, id] = /^server:(\d+)$/.exec(name) ?? []
    if (id) socket.send(eventFrame('server.deleted', undefined, JSON.stringify({ id: Number(id) })))
  }
  for (const name of wanted.difference(had)) socket.subscribe(name)
}

/**
 * Sends what a socket is to be brought up to date with, then what was committed since that was read. Subscriptions
 * came first, so nothing falls between; what a change of access takes away in the meantime is left out.
 * @returns the newest `s` sent, or undefined when so much happened meanwhile that the client must resume
 */
export async function catchUp(
  socket: Socket,
  sql: Sql,
  { access, mark, snapshots, missed = [] }: Update & Partial<Beginning>,
): Promise<number | undefined> {
  const still = (server_id: number | null) => server_id === null || socket.isSubscribed(topic.server(server_id).topic)
  for (const snapshot of snapshots)
    await sendPaced(socket, snapshotFrames(snapshot), (frame) => (still(snapshot.server.id) ? frame : undefined))
  const send = (events: LoggedEvent[]) =>
    sendPaced(socket, events, (event) => (still(event.server_id) ? frameOf(event) : undefined))
  await send(missed)
  if (!isOpen(socket)) return mark.s
  const meanwhile = await eventsSince(sql, mark, access)
  if (!meanwhile) return undefined
  await send(meanwhile)
  return meanwhile.reduce((newest, event) => Math.max(newest, event.id), mark.s)
}
