import { type Family, formatAddress, type Peers } from '../protocol/addresses.ts'
import type { Allocation, Allocations, Client, Holder } from './allocation.ts'
import { Answers } from './answers.ts'
import type { Authentication } from './authentication.ts'
import type { RelayPorts, Wanted } from './relay-ports.ts'
import {
  addressesOf,
  Attribute,
  bytesOf,
  type Message,
  Method,
  numberOf,
  transactionOf,
  unknownOf,
} from '../protocol/stun.ts'
import type { Writer } from '../protocol/stun-writer.ts'
import type { StunError, Tally } from './tally.ts'
import { wantedOf } from '../protocol/requested-transport.ts'

/** RFC 8656 §12: 0x4000 to 0x4FFF; RFC 5766 §11 had 0x4000 to 0x7FFE, and clients of that time still use them. */
const CHANNEL_MIN = 0x4000
const CHANNEL_MAX = 0x7fff

/** RFC 8489 §6.3.1: for 40 s a request may come again, and has the same answer. */
const FAREWELL_MS = 40_000
const FAREWELLS_MAX = 1_000
const farewellKey = ({ transport, address }: Client, message: Message, { username }: Holder): string =>
  `${transport} ${address.key} ${username} ${Buffer.from(transactionOf(message)).toString('latin1')}`

/** The moment of a request: lifetimes go by a clock that is never set, credentials by the wall. */
export interface Moment {
  ms: number
  unix_s: number
}

export interface RequestParts {
  allocations: Allocations
  ports: RelayPorts
  peers: Peers
  authentication: Authentication
  tally: Tally
  /** The address that relays of the family are announced by. */
  announced(family: Family): Uint8Array | undefined
}

/** Answers the requests of clients. RFC 8489 §6.3, RFC 8656. */
export class Requests {
  private readonly answers: Answers
  /** What answered those who ended their allocation, and may not have heard it: the oldest first. */
  private readonly farewells = new Map<string, { message: Uint8Array; until_ms: number }>()

  constructor(private readonly parts: RequestParts) {
    this.answers = new Answers(parts.tally)
  }

  /** Answers a request, or does not. */
  handle(client: Client, message: Message, now: Moment): void {
    if (message.method === Method.binding) return this.answers.binding(client, message, now.ms)
    const handler = HANDLERS[message.method]
    // RFC 8489 §6.3: what is no method of ours is dropped in silence.
    if (!handler) return void this.parts.tally.drops.malformed++
    // RFC 8656 §5: every request of TURN is authenticated, before anything else is looked at or kept.
    const holder = this.parts.authentication.judge(client, message, now.unix_s)
    if (typeof holder === 'number') return this.stranger(client, message, holder, now)
    const unknown = unknownOf(message)
    if (unknown.length > 0) return this.answers.unknown(client, message, unknown, holder)
    handler.call(this, client, message, holder, now)
  }

  private stranger(client: Client, message: Message, code: StunError, now: Moment): void {
    const nonce = () => this.parts.authentication.nonceFor(client, now.unix_s)
    this.answers.stranger(client, message, code, now.ms, nonce)
  }

  /** RFC 8656 §7.2. */
  allocate(client: Client, message: Message, holder: Holder, now: Moment): void {
    const { allocations, authentication } = this.parts
    const existing = allocations.of(client, now.ms)
    const transaction = Buffer.from(transactionOf(message)).toString('latin1')
    if (existing) {
      // RFC 8656 §7.2: a retransmission gets the answer again; anything else finds the 5-tuple in use.
      if (existing.answer?.transaction === transaction && existing.holder.username === holder.username)
        return client.send(existing.answer.message)
      return this.answers.refuse(client, message, 437, holder)
    }
    if (!authentication.mayAllocate(holder, now.unix_s)) return this.stranger(client, message, 401, now)
    const wanted = wantedOf(message)
    if (typeof wanted === 'number') return this.answers.refuse(client, message, wanted, holder)
    const allocation = allocations.allocate(client, holder, wanted, now.ms)
    if (typeof allocation === 'number') return this.answers.refuse(client, message, allocation, holder)
    const answer = this.answers.accept(client, message, holder, (writer) =>
      this.granted(writer, allocation, wanted, message, now),
    )
    allocation.answer = { transaction, message: answer.slice() }
  }

  private granted(writer: Writer, allocation: Allocation, wanted: Wanted, message: Message, now: Moment): void {
    const { announced, ports } = this.parts
    for (const relay of allocation.relays) {
      const ip = announced(relay.family)
      if (ip) writer.address(Attribute.xor_relayed_address, formatAddress(ip, relay.port))
    }
    const [, second] = wanted.families
    if (second !== undefined && !allocation.relayOf(second)) {
      // RFC 8656 §18.13: family, then the code as ERROR-CODE has it.
      const code = announced(second) ? 508 : 440
      writer.add(Attribute.address_error_code, new Uint8Array([second, 0, Math.floor(code / 100), code % 100]))
    }
    if (wanted.reserve) writer.add(Attribute.reservation_token, Buffer.from(ports.reserved, 'hex'))
    writer
      .number(Attribute.lifetime, allocation.live(numberOf(message, Attribute.lifetime), now.ms))
      .address(Attribute.xor_mapped_address, allocation.client.address)
  }

  /** RFC 8656 §8.2. */
  refresh(client: Client, message: Message, holder: Holder, now: Moment): void {
    const farewell = this.farewells.get(farewellKey(client, message, holder))
    if (farewell && farewell.until_ms > now.ms) return client.send(farewell.message)
    const allocation = this.own(client, message, holder, now)
    if (!allocation) return
    const asked = bytesOf(message, Attribute.requested_address_family)
    const family = asked?.[0]
    if (asked && asked.length !== 4) return this.answers.refuse(client, message, 400, holder)
    const relay = allocation.relays.find((one) => family === undefined || one.family === family)
    if (!relay) return this.answers.refuse(client, message, 443, holder)
    const wished = numberOf(message, Attribute.lifetime)
    if (wished !== 0) {
      const lifetime = allocation.live(wished, now.ms)
      return void this.answers.accept(client, message, holder, (writer) => writer.number(Attribute.lifetime, lifetime))
    }
    // RFC 8656 §8.2: of a dual allocation, the family that is named ends alone.
    if (family !== undefined && allocation.relays.length > 1) this.parts.allocations.endRelay(allocation, relay)
    else this.parts.allocations.end(allocation)
    const answer = this.answers.accept(client, message, holder, (writer) => writer.number(Attribute.lifetime, 0))
    const farewells = this.farewells
    farewells.set(farewellKey(client, message, holder), { message: answer.slice(), until_ms: now.ms + FAREWELL_MS })
    if (farewells.size > FAREWELLS_MAX) farewells.delete(farewells.keys().next().value ?? '')
  }

  /** RFC 8656 §10.2. */
  createPermission(client: Client, message: Message, holder: Holder, now: Moment): void {
    const allocation = this.own(client, message, holder, now)
    if (!allocation) return
    const peers = addressesOf(message, Attribute.xor_peer_address)
    if (!peers || peers.length === 0) return this.answers.refuse(client, message, 400, holder)
    // All or none: nothing is installed before all have been judged.
    for (const peer of peers) {
      if (!allocation.relayOf(peer.family)) return this.answers.refuse(client, message, 443, holder)
      if (!this.parts.peers.permitsHost(peer)) return this.answers.refuse(client, message, 403, holder)
    }
    const added = new Set(peers.map(({ ip_key }) => ip_key))
    if (!allocation.hasRoomFor(added)) return this.answers.refuse(client, message, 508, holder)
    for (const peer of peers) allocation.permit(peer, now.ms)
    this.answers.accept(client, message, holder)
  }

  /** RFC 8656 §12.2. */
  channelBind(client: Client, message: Message, holder: Holder, now: Moment): void {
    const allocation = this.own(client, message, holder, now)
    if (!allocation) return
    const number = (numberOf(message, Attribute.channel_number) ?? 0) >>> 16
    const [peer] = addressesOf(message, Attribute.xor_peer_address) ?? []
    if (number < CHANNEL_MIN || number > CHANNEL_MAX || !peer) return this.answers.refuse(client, message, 400, holder)
    if (!allocation.relayOf(peer.family)) return this.answers.refuse(client, message, 443, holder)
    if (!this.parts.peers.permits(peer)) return this.answers.refuse(client, message, 403, holder)
    const code = allocation.bind(number, peer, now.ms)
    if (code !== undefined) return this.answers.refuse(client, message, code, holder)
    this.answers.accept(client, message, holder)
  }

  /** The allocation of the 5-tuple, if it is the holder's. RFC 8656 §5: 437 without one, 441 for another's. */
  private own(client: Client, message: Message, holder: Holder, now: Moment): Allocation | undefined {
    const allocation = this.parts.allocations.of(client, now.ms)
    if (allocation?.holder.username === holder.username) return allocation
    this.answers.refuse(client, message, allocation ? 441 : 437, holder)
    return undefined
  }
}

type Handler = (this: Requests, client: Client, message: Message, holder: Holder, now: Moment) => void
const HANDLERS: Record<number, Handler | undefined> = {
  [Method.allocate]: Requests.prototype.allocate,
  [Method.refresh]: Requests.prototype.refresh,
  [Method.create_permission]: Requests.prototype.createPermission,
  [Method.channel_bind]: Requests.prototype.channelBind,
}
