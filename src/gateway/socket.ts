import type { ServerWebSocket } from 'bun'
import { type Intents, narrowTopic } from './intents.ts'
import { close } from './model.ts'

/** What the gateway keeps of one socket (`ws.data`). Small, since there are many. */
export interface SocketData {
  readonly id: number
  readonly user_id: number
  readonly session_id: number
  readonly is_bot: boolean
  /** The origin under which the client reached this server. */
  readonly base: string
  /** When the token expires, seconds since the epoch. */
  readonly expires_s: number
  /** The `s` from which the client wants to resume. */
  readonly resume_s: number | undefined
  /** What it wants of events; undefined: all. */
  readonly intents: Intents | undefined
  /** When the client last sent anything, milliseconds since the epoch. */
  heard_at: number
  /** The minute since the epoch in which frames are counted, and the counts; voice commands have their own. */
  minute: number
  commands: number
  voice_commands: number
  /** Pings, and pongs that nobody asked for. */
  control_frames: number
  /** How many pings of the server the client has not answered. */
  pings_unanswered: number
  /** `handshake` until `ready` is sent: no subscriptions, no events, no answers. Then `live`. */
  state: 'handshake' | 'live'
  /** The refresh under way; resolves when the subscriptions match the access. */
  refreshing: Promise<void> | undefined
  /** The access changed after the refresh under way had read it. */
  access_changed: boolean
  /** How often the access has been read. */
  refreshes: number
  /** How many backlogs are being sent. */
  backlogs: number
  /** The channels that the account lost meanwhile: their rows in a backlog are left out. */
  lost_channels: Set<number> | undefined
  /** Set while paced sending waits; resolves when the outbound buffer has drained. */
  draining: PromiseWithResolvers<void> | undefined
}

export type Socket = ServerWebSocket<SocketData>

let sockets = 0
/** The base of the last socket: nearly all have the same, and hold one text. */
let last_base = ''

/** The data of a socket that is authenticated and not yet upgraded. */
export const newSocketData = (
  me: { id: number; session_id: number; token_expires_s: number; is_bot: boolean },
  resume_s: number | undefined,
  base: string,
  intents?: Intents,
): SocketData => ({
  id: ++sockets,
  user_id: me.id,
  session_id: me.session_id,
  is_bot: me.is_bot,
  base: base === last_base ? last_base : (last_base = base),
  expires_s: me.token_expires_s,
  resume_s,
  intents,
  heard_at: Date.now(),
  minute: 0,
  commands: 0,
  voice_commands: 0,
  control_frames: 0,
  pings_unanswered: 0,
  state: 'handshake',
  refreshing: undefined,
  access_changed: false,
  refreshes: 0,
  backlogs: 0,
  lost_channels: undefined,
  draining: undefined,
})

/** WebSocket's readyState: OPEN. */
const OPEN = 1
export const isOpen = (socket: Socket): boolean => socket.readyState === OPEN

/** Pings a client; its pong does not count against its limit. */
export function ping(socket: Socket): void {
  socket.data.pings_unanswered++
  socket.ping()
}

/** Closes an open socket with one of the gateway's codes. */
export const closeWith = (socket: Socket, { code, reason }: (typeof close)[keyof typeof close]): void => {
  if (isOpen(socket)) socket.close(code, reason)
}

/** The topic of this socket's own that stands for a topic: one with intents receives what passes their filter. */
const topicFor = ({ data: { intents } }: Socket, topic: string): string =>
  intents === undefined ? topic : narrowTopic(topic, intents)

export const subscribe = (socket: Socket, topic: string): void => {
  socket.subscribe(topicFor(socket, topic))
}
export const unsubscribe = (socket: Socket, topic: string): void => {
  socket.unsubscribe(topicFor(socket, topic))
}
export const isSubscribed = (socket: Socket, topic: string): boolean => socket.isSubscribed(topicFor(socket, topic))

/** The topics to which a socket is subscribed, whatever its intents; Bun names each once. */
export const topicsHeld = ({ subscriptions, data: { intents } }: Socket): string[] =>
  intents === undefined ? subscriptions : subscriptions.map((topic) => topic.split(' ')[0] ?? topic)

export const subscriptionsOf = (socket: Socket): Set<string> => new Set(topicsHeld(socket))
