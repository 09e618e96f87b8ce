import type { ServerWebSocket } from 'bun'
import { close } from './model.ts'

/** One socket's state; small, since there are many. */
export interface Client {
  readonly id: number
  readonly user_id: number
  readonly session_id: number
  /** The origin by which it reached us. */
  readonly base: string
  /** When its token expires, seconds since the epoch. */
  readonly expires_s: number
  /** The `s` that it wants to resume from. */
  readonly resume_s: number | undefined
  /** When it was last heard, milliseconds since the epoch. */
  heard_at: number
  /** The minute in which its commands are counted, and how many there were. */
  minute: number
  commands: number
  /** Those of voice are counted apart. */
  voice_commands: number
  /** Has its subscriptions; before that it sees nothing. */
  live: boolean
  /** Set while its access is looked up: resolves when its subscriptions follow. */
  settling: Promise<void> | undefined
  /** Its access changed while it was looked up. */
  stale: boolean
  /** Set while senders wait for the outbound buffer: resolved when it has drained. */
  draining: PromiseWithResolvers<void> | undefined
  /** How often its access has been looked up. */
  looks: number
  /** How many rows of frames are being sent to bring it up to date. */
  catching_up: number
  /** The channels that it lost meanwhile: what such a row still holds of them is left out. */
  lost: Set<number> | undefined
}

export type Socket = ServerWebSocket<Client>

let clients = 0

/** A client that has been authenticated and not yet upgraded. */
export const newClient = (
  me: { id: number; session_id: number; token_expires_s: number },
  resume_s: number | undefined,
  base: string,
): Client => ({
  id: ++clients,
  user_id: me.id,
  session_id: me.session_id,
  base,
  expires_s: me.token_expires_s,
  resume_s,
  heard_at: Date.now(),
  minute: 0,
  commands: 0,
  voice_commands: 0,
  live: false,
  settling: undefined,
  stale: false,
  draining: undefined,
  looks: 0,
  catching_up: 0,
  lost: undefined,
})

/** WebSocket's readyState: OPEN. */
const OPEN = 1
export const isOpen = (socket: Socket | undefined): boolean => socket?.readyState === OPEN

/** Closes with one of the gateway's codes. */
export const closeWith = (socket: Socket, { code, reason }: (typeof close)[keyof typeof close]): void => {
  if (isOpen(socket)) socket.close(code, reason)
}

/** Below this the next frame of a long row may follow. */
const PACE_BYTES = 128 * 1024
const DRAIN_SECONDS_MAX = 60

/**
 * Sends frames one after another as fast as the client reads, for what is longer than the outbound buffer.
 * @param wanted asked right before each frame: false leaves it out
 */
export async function sendPaced<T>(socket: Socket, items: Iterable<T>, frame: (item: T) => string | undefined) {
  for (const item of items) {
    if (!isOpen(socket)) return
    if (socket.getBufferedAmount() > PACE_BYTES) await drain(socket)
    const encoded = frame(item)
    if (encoded !== undefined && isOpen(socket)) socket.send(encoded)
  }
}

/** Waits until the client has read on; one that does not is dropped. Several senders may wait at once. */
async function drain(socket: Socket): Promise<void> {
  const { data } = socket
  data.draining ??= Promise.withResolvers<void>()
  const timer = setTimeout(() => socket.terminate(), DRAIN_SECONDS_MAX * 1000)
  await data.draining.promise
  clearTimeout(timer)
}

/** The outbound buffer has drained, or the socket is gone: whoever waits goes on. */
export function drained({ data }: Socket): void {
  data.draining?.resolve()
  data.draining = undefined
}
