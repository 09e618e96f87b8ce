import { topic } from '../core/events.ts'
import type { Access } from './access.ts'
import { sendPaced } from './paced-sending.ts'
import { type LoggedEvent, type Mark, type Reader, replayedText, textOf } from './replay.ts'
import { packed, type Packed } from './compression.ts'
import { openedFrame, type ServerOpening } from './server-opening.ts'
import { type ServerSnapshot, snapshotFrame } from './snapshots.ts'
import { blankBody, isBlanked, isWanted } from './intents.ts'
import { beginBacklog, endBacklog, isOpen, isSubscribed, type Socket } from './socket.ts'

/** Data that brings a socket up to date, all read from one snapshot of the database. */
export interface Backlog {
  access: Access
  /** Position of that snapshot in the event log. */
  mark: Mark
  /** Snapshots of servers that are new to the client. */
  snapshots: ServerSnapshot[]
  /** Marks, threads and presences of servers that the client asked to open; they follow the snapshots. */
  openings?: ServerOpening[]
  /** Events that a resuming client missed. */
  missed: LoggedEvent[]
}

/** Reads the events since a mark that an account may see; undefined if there are too many. */
type EventsSince = (reader: Reader) => Promise<LoggedEvent[] | undefined>

/**
 * Sends a backlog, then the events committed after it was read. The socket is already subscribed, so no event is lost;
 * events that the account may no longer see are skipped.
 * @returns the newest `s` sent; undefined if so much was committed meanwhile that the client must resume
 */
export async function sendBacklog(
  socket: Socket,
  backlog: Backlog,
  eventsSince: EventsSince,
): Promise<number | undefined> {
  const { data } = socket
  beginBacklog(data)
  try {
    return await sendVisible(socket, backlog, eventsSince)
  } finally {
    endBacklog(data)
  }
}

async function sendVisible(socket: Socket, backlog: Backlog, eventsSince: EventsSince): Promise<number | undefined> {
  const { access, mark, snapshots, openings = [], missed } = backlog
  const { isCompressed } = socket.data.variant
  await sendSnapshots(socket, snapshots)
  await sendPaced(socket, openings, (opening) =>
    isMember(socket, opening.server_id) ? openedFrame(opening, isCompressed, (id) => sees(socket, id)) : undefined,
  )
  await sendEvents(socket, missed, replayedText)
  if (!isOpen(socket)) return mark.s
  const meanwhile = await eventsSince({ mark, access })
  if (!meanwhile) return undefined
  await sendEvents(socket, meanwhile, textOf)
  return meanwhile.reduce((newest, event) => Math.max(newest, event.id), mark.s)
}

async function sendSnapshots(socket: Socket, snapshots: ServerSnapshot[]): Promise<void> {
  const { isCompressed } = socket.data.variant
  if (socket.takeSnapshot) {
    for (const snapshot of snapshots) if (isMember(socket, snapshot.server_id)) socket.takeSnapshot(snapshot)
    return
  }
  const parts = snapshots.flatMap(({ parts, server_id, me }) => parts.all().map((part) => ({ part, server_id, me })))
  await sendPaced(socket, parts, ({ part, server_id, me }) =>
    isMember(socket, server_id)
      ? snapshotFrame(part, me, isCompressed, socket.data.lostChannels && ((id) => !sees(socket, id)))
      : undefined,
  )
}

const sendEvents = (socket: Socket, events: LoggedEvent[], text: (event: LoggedEvent) => string): Promise<void> =>
  sendPaced(socket, events, (event) => (maySee(socket, event) ? wantedFrame(socket, event, text) : undefined))

/** An event as the socket asked for it; undefined if its intents exclude it. */
function wantedFrame(
  { data: { variant } }: Socket,
  event: LoggedEvent,
  textOf: (event: LoggedEvent) => string,
): Packed | undefined {
  const { intents, isCompressed } = variant
  if (intents !== undefined && !isWanted(intents, event.type)) return undefined
  const isBlank = intents !== undefined && isBlanked(intents, event.type)
  const text = textOf(isBlank ? { ...event, body: blankBody(event.body) } : event)
  return isCompressed ? packed(text) : text
}

const isMember = (socket: Socket, server_id: number): boolean => isSubscribed(socket, topic.server(server_id).topic)

const sees = ({ data }: Socket, channel_id: number): boolean => !data.lostChannels?.has(channel_id)

/** True if the account may still see an event from the backlog. */
function maySee(socket: Socket, { type, server_id, channel_id }: LoggedEvent): boolean {
  // Read marks are kept even for a hidden channel: it may return, without the mark.
  const isSeen = channel_id === null || type === 'channel.read' || sees(socket, channel_id)
  if (server_id === null) return isSeen
  if (!isMember(socket, server_id) || !isSeen) return false
  // A member without manage_server loses the topic of invites.
  return !/^(invite|automod)\./.test(type) || isSubscribed(socket, topic.invites(server_id).topic)
}
