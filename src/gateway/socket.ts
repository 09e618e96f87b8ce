import type { Server as BunServer } from 'bun'
import { packed, type Packed } from './compression.ts'
import type { ServerChoice } from './lazy-servers.ts'
import { close, type Ready } from './model.ts'
import type { ServerSnapshot } from './snapshots.ts'
import { type Variant, variantOf } from './variants.ts'

/** The gateway's state of one socket (`ws.data`). Small, because there are many. */
export interface SocketData {
  readonly id: number
  readonly user_id: number
  readonly session_id: number
  readonly is_bot: boolean
  /** The origin that the client used to reach this server. */
  readonly base: string
  /** When the token expires, seconds since the epoch. */
  readonly expiresS: number
  /** The `s` from which the client wants to resume. */
  readonly resumeS: number | undefined
  readonly variant: Variant
  /** The servers that the client wants opened, until the handshake; undefined means all. */
  servers: ServerChoice | undefined
  /** When the client last sent anything, ms since the epoch. */
  heardAt: number
  /** The minute since the epoch that the counters apply to. Voice commands have a separate counter. */
  minute: number
  commands: number
  /** Servers that the client asked to open. */
  opened: number
  voiceCommands: number
  /** Pings and unsolicited pongs. */
  controlFrames: number
  /** The server's pings that the client has not answered. */
  pingsUnanswered: number
  /** `handshake` until `ready` is sent: no subscriptions, events or answers. Then `live`. */
  state: 'handshake' | 'live'
  /** The running refresh; resolves when the subscriptions match the access. */
  refreshing: Promise<void> | undefined
  /** True if the access changed after the running refresh had read it. */
  accessChanged: boolean
  /** Number of times that the access has been read. */
  refreshes: number
  /** Backlogs being sent. */
  backlogs: number
  /** Channels lost meanwhile: their rows in a backlog are skipped. */
  lostChannels: Set<number> | undefined
  /** Set while paced sending waits; resolves when the outbound buffer has drained. */
  draining: PromiseWithResolvers<void> | undefined
}

/** The fields of `ready` that sockets with frames of their own need. */
export interface BareReady {
  /** JSON of the account. */
  userText: string
  serverIds: number[]
  voiceStates: Ready['voice_states']
}

/** The part of Bun's socket that the gateway uses. */
export interface Socket {
  readonly data: SocketData
  readonly readyState: number
  readonly subscriptions: string[]
  send(frame: Packed): unknown
  /**
   * Take what begins a connection as it is cached, instead of frames: what replaces `ready`, and snapshots of servers.
   * Only sockets that make frames of their own have them. A snapshot that waits there must leave out what the account
   * loses meanwhile.
   */
  takeReady?(ready: BareReady): void
  takeSnapshot?(snapshot: ServerSnapshot): void
  subscribe(topic: string): void
  unsubscribe(topic: string): void
  isSubscribed(topic: string): boolean
  cork(work: () => unknown): unknown
  ping(): unknown
  close(code: number, reason: string): void
  terminate(): void
  getBufferedAmount(): number
}

/** The part of Bun's socket that a foreign protocol uses. */
export interface ForeignSocket extends Pick<Socket, 'readyState' | 'cork' | 'ping' | 'close' | 'terminate'> {
  send(text: string): unknown
  sendBinary(bytes: Uint8Array): unknown
  getBufferedAmount(): number
}

/** A socket with a protocol of its own, whose module handles it: the gateway's commands and limits do not apply. */
export interface Foreign {
  readonly foreign: {
    open(socket: ForeignSocket): void
    message(message: string | Buffer): void
    ended(code: number): void
    /** A ping came, or a pong. */
    control(kind: 'ping' | 'pong'): void
    drained(): void
  }
}

/** Data of a socket of the HTTP server (`ws.data`). */
export type AnyData = SocketData | Foreign
export type SocketServer = BunServer<AnyData>

let sockets = 0
/** The base of the last socket, to share one string: nearly all sockets have the same. */
let lastBase = ''

/** Data of a socket that is authenticated but not yet upgraded. */
export const newSocketData = (
  me: { id: number; session_id: number; tokenExpiresS: number; is_bot: boolean },
  resumeS: number | undefined,
  base: string,
  variant = variantOf(undefined, false),
  servers?: ServerChoice,
): SocketData => ({
  id: ++sockets,
  user_id: me.id,
  session_id: me.session_id,
  is_bot: me.is_bot,
  base: base === lastBase ? lastBase : (lastBase = base),
  expiresS: me.tokenExpiresS,
  resumeS,
  variant,
  servers,
  heardAt: Date.now(),
  minute: 0,
  commands: 0,
  opened: 0,
  voiceCommands: 0,
  controlFrames: 0,
  pingsUnanswered: 0,
  state: 'handshake',
  refreshing: undefined,
  accessChanged: false,
  refreshes: 0,
  backlogs: 0,
  lostChannels: undefined,
  draining: undefined,
})

/** WebSocket's readyState: OPEN. */
const OPEN = 1
export const isOpen = (socket: Socket): boolean => socket.readyState === OPEN

/** Call before a backlog is read or taken: from here on, the channels that the account loses are noted. */
export function beginBacklog(data: SocketData): void {
  data.backlogs++
}

/** Call once for each begun backlog, after it is sent. */
export function endBacklog(data: SocketData): void {
  if (--data.backlogs === 0) data.lostChannels = undefined
}

/** Pings a client. Its pong does not count against its limit. */
export function ping(socket: Socket): void {
  socket.data.pingsUnanswered++
  socket.ping()
}

/** Closes an open socket with one of the gateway's codes. */
export const closeWith = (socket: Socket, { code, reason }: (typeof close)[keyof typeof close]): void => {
  if (isOpen(socket)) socket.close(code, reason)
}

/** Sends a frame, compressed if it is large and the client asked for that. */
export const sendFrame = (socket: Socket, text: string): void => {
  socket.send(socket.data.variant.isCompressed ? packed(text) : text)
}

/** Maps a topic to the one that this socket subscribes to. */
const topicFor = ({ data: { variant } }: Socket, topic: string): string => topic + variant.suffix

export const subscribe = (socket: Socket, topic: string): void => {
  socket.subscribe(topicFor(socket, topic))
}
export const unsubscribe = (socket: Socket, topic: string): void => {
  socket.unsubscribe(topicFor(socket, topic))
}
export const isSubscribed = (socket: Socket, topic: string): boolean => socket.isSubscribed(topicFor(socket, topic))

/** The topics that a socket is subscribed to, without what its variant appends. Bun lists each once. */
export const topicsHeld = ({ subscriptions, data: { variant } }: Socket): string[] =>
  variant.suffix === '' ? subscriptions : subscriptions.map((topic) => topic.split(' ')[0] ?? topic)

export const subscriptionsOf = (socket: Socket): Set<string> => new Set(topicsHeld(socket))
