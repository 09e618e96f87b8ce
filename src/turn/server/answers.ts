import { REALM } from '../credentials.ts'
import type { Client, Holder } from './allocation.ts'
import { StrangerLimit } from './authentication.ts'
import { Attribute, Class, type Message, transactionOf, unknownOf } from '../protocol/stun.ts'
import { Writer } from '../protocol/stun-writer.ts'
import type { StunError, Tally } from './tally.ts'

const SOFTWARE = 'Parley'
/** No answer of ours is longer. */
const ANSWER_BYTES_MAX = 1200

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

type Fill = (writer: Writer) => void

/** Writes and sends answers, and rations those that strangers get. */
export class Answers {
  private readonly writer = new Writer(new ArrayBuffer(ANSWER_BYTES_MAX))
  private readonly strangers = new StrangerLimit()

  constructor(private readonly tally: Tally) {}

  /** RFC 8489 §7. It needs no credentials, so it is rationed. */
  binding(client: Client, message: Message, now_ms: number): void {
    if (!this.strangers.admit(client.address, now_ms)) return void this.tally.drops.limited++
    const unknown = unknownOf(message)
    if (unknown.length > 0) return this.unknown(client, message, unknown)
    const writer = this.writer.begin(message.method, Class.success, transactionOf(message))
    client.send(writer.address(Attribute.xor_mapped_address, client.address).finish())
  }

  /** Refuses whom we do not know: with few bytes, and not often. */
  stranger(client: Client, message: Message, code: StunError, now_ms: number, nonce: () => string): void {
    const { tally } = this
    if (!this.strangers.admit(client.address, now_ms)) return void tally.drops.limited++
    tally.errors[code]++
    const writer = this.writer.begin(message.method, Class.error, transactionOf(message)).error(code)
    // RFC 8489 §9.2.4: 400 carries neither.
    if (code !== 400) writer.text(Attribute.realm, REALM).text(Attribute.nonce, nonce())
    client.send(writer.finish())
  }

  /** RFC 8489 §6.3.1. */
  unknown(client: Client, message: Message, types: number[], holder?: Holder): void {
    const listed = new Uint8Array(types.flatMap((type) => [type >> 8, type & 0xff]))
    this.refuse(client, message, 420, holder, (writer) => writer.add(Attribute.unknown_attributes, listed))
  }

  refuse(client: Client, message: Message, code: StunError, holder?: Holder, fill?: Fill): void {
    this.tally.errors[code]++
    const writer = this.writer.begin(message.method, Class.error, transactionOf(message)).error(code, REASONS[code])
    fill?.(writer)
    client.send(this.seal(writer, holder))
  }

  accept(client: Client, message: Message, holder: Holder, fill?: Fill): Uint8Array {
    const writer = this.writer.begin(message.method, Class.success, transactionOf(message))
    fill?.(writer)
    const answer = this.seal(writer, holder)
    client.send(answer)
    return answer
  }

  /** RFC 8489 §9.2.4: what answers a sealed request is sealed with the same key. */
  private seal(writer: Writer, holder: Holder | undefined): Uint8Array {
    writer.text(Attribute.software, SOFTWARE)
    if (holder) writer.integrity(holder.key)
    return writer.finish()
  }
}
