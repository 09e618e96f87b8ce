import { REALM } from '../credentials.ts'
import { Attribute, Class, type Message, transactionOf, unknownOf } from '../protocol/stun.ts'
import { StunWriter } from '../protocol/stun-writer.ts'
import type { AuthenticatedUser, TurnClient } from './allocation.ts'
import { UnauthenticatedLimit } from './authentication.ts'
import type { StunError, TurnCounters } from './counters.ts'

const SOFTWARE = 'Parley'
/** No response is longer. */
const RESPONSE_BYTES_MAX = 1200

/** RFC 8489 §14.8, RFC 8656 §19. */
const REASONS: Record<StunError, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  420: 'Unknown Attribute',
  437: 'Allocation Mismatch',
  438: 'Stale Nonce',
  440: 'Address Family not Supported',
  441: 'Wrong Credentials',
  442: 'Unsupported Transport Protocol',
  443: 'Peer Address Family Mismatch',
  486: 'Allocation Quota Reached',
  508: 'Insufficient Capacity',
}

type Fill = (writer: StunWriter) => void

/** Writes and sends responses, and limits those to clients without valid credentials. */
export class Responses {
  private readonly writer = new StunWriter(new ArrayBuffer(RESPONSE_BYTES_MAX))
  private readonly limit = new UnauthenticatedLimit()

  constructor(private readonly counters: TurnCounters) {}

  /** Binding needs no credentials, so its responses are limited. RFC 8489 §7. */
  binding(client: TurnClient, message: Message, nowMs: number): void {
    if (!this.limit.admit(client.address, nowMs)) return void this.counters.drops.limited++
    const unknown = unknownOf(message)
    if (unknown.length > 0) return this.unknownAttributes(client, message, unknown)
    const writer = this.writer.begin(message.method, Class.success, transactionOf(message))
    client.send(writer.address(Attribute.xorMappedAddress, client.address).finish())
  }

  /** An error for a request without valid credentials: short and limited, so that it amplifies no attack. */
  unauthenticated(client: TurnClient, message: Message, code: StunError, nowMs: number, nonce: () => string): void {
    const { counters } = this
    if (!this.limit.admit(client.address, nowMs)) return void counters.drops.limited++
    counters.errors[code]++
    const writer = this.writer.begin(message.method, Class.error, transactionOf(message)).error(code)
    // RFC 8489 §9.2.4: a 400 carries neither REALM nor NONCE.
    if (code !== 400) writer.text(Attribute.realm, REALM).text(Attribute.nonce, nonce())
    client.send(writer.finish())
  }

  /** RFC 8489 §6.3.1. */
  unknownAttributes(client: TurnClient, message: Message, types: number[], user?: AuthenticatedUser): void {
    const typeBytes = new Uint8Array(types.flatMap((type) => [type >> 8, type & 0xff]))
    this.error(client, message, 420, user, (writer) => writer.add(Attribute.unknownAttributes, typeBytes))
  }

  error(client: TurnClient, message: Message, code: StunError, user?: AuthenticatedUser, fill?: Fill): void {
    this.counters.errors[code]++
    const writer = this.writer.begin(message.method, Class.error, transactionOf(message)).error(code, REASONS[code])
    fill?.(writer)
    client.send(this.finish(writer, user))
  }

  success(client: TurnClient, message: Message, user: AuthenticatedUser, fill?: Fill): Uint8Array {
    const writer = this.writer.begin(message.method, Class.success, transactionOf(message))
    fill?.(writer)
    const response = this.finish(writer, user)
    client.send(response)
    return response
  }

  /** RFC 8489 §9.2.4: the response to an authenticated request has MESSAGE-INTEGRITY with the same key. */
  private finish(writer: StunWriter, user: AuthenticatedUser | undefined): Uint8Array {
    writer.text(Attribute.software, SOFTWARE)
    if (user) writer.integrity(user.key)
    return writer.finish()
  }
}
