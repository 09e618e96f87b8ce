import { type Call, openRest } from './rest.ts'
import { GatewayConnection, type GatewayOptions } from './gateway.ts'
import type { DraftStorage } from './draft-store.ts'
import { type Draft, Outbox, type SentMessage } from './outbox.ts'

export type { AnswerOf, BodyOf, EndpointName, ParametersOf } from './endpoints.ts'
export type { CommandAnswer, CommandInput, ConnectionState, EventFrame, GatewayConnection } from './gateway.ts'
export type { DraftStorage } from './draft-store.ts'
export type { Draft, Outbox, Place, SentMessage } from './outbox.ts'
export { ApiError, type Call } from './rest.ts'

export interface ClientOptions {
  /** The server's origin; absent in a page that it serves itself. */
  base?: string
  /** A bearer token; absent if the browser has the cookie. */
  token?: string
  /** Events that the gateway sends besides those of the account; all if absent. */
  intents?: GatewayOptions['intents']
  /** The servers that the gateway sends at once; it lists the others, and `server.open` asks for one. */
  servers?: GatewayOptions['servers']
  /** Keeps unsent messages. */
  storage?: DraftStorage
  /** Called with the server's answer to a sent message; the gateway delivers the message too. */
  onSent?: (draft: Draft, message: SentMessage) => void
  /** Called when slowmode holds a message up, with the seconds until the channel takes it. */
  onSlowmode?: (draft: Draft, retryAfter: number) => void
  /** Called when the server refuses a message for good; its draft stays until it is retried or dropped. */
  onRefused?: (draft: Draft, error: unknown) => void
  /** Called when the server refuses the token, or the cookie since another tab logged out or in to another account. */
  onUnauthorized?: () => void
}

/** A client of Parley's public API, for browsers and Bun. It caches nothing that the server sends. */
export interface ParleyClient {
  /** REST requests, by endpoint name. */
  call: Call
  /** Events and commands. */
  gateway: GatewayConnection
  /** Sends messages, and repeats until the server has them. */
  outbox: Outbox
}

/** Opens a client; `gateway.connect()` connects it. */
export function openClient(options: ClientOptions = {}): ParleyClient {
  const { base = '', token, intents, servers, storage, onUnauthorized } = options
  const { onSent = () => {}, onSlowmode = () => {}, onRefused = () => {} } = options
  const call = openRest({ base, token, accountId: () => outbox.accountId, onUnauthorized })
  const outbox = new Outbox(call, { onSent, onSlowmode, onRefused }, storage)
  const renew = async (cause: 'expired' | 'refused') => {
    // Browsers hide the reason why a socket was refused, but REST returns it. Every answer except 401 means: reconnect.
    const answer =
      cause === 'expired' && token === undefined ? call('POST /api/auth/refresh') : call('GET /api/auth/me')
    return answer.then(
      () => true,
      (error) => error.status !== 401,
    )
  }
  const gateway = new GatewayConnection({ base, token, intents, servers, renew })
  gateway.watch((state) => state === 'online' && outbox.flush())
  return { call, gateway, outbox }
}
