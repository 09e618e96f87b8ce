import { type Family, transportAddress } from '../protocol/addresses.ts'
import { type AllocateRequest, readAllocateRequest } from '../protocol/allocate-request.ts'
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
import type { StunWriter } from '../protocol/stun-writer.ts'
import type { Allocation, AuthenticatedUser, TurnClient } from './allocation.ts'
import type { Allocations } from './allocations.ts'
import type { Authentication } from './authentication.ts'
import type { StunError, TurnCounters } from './counters.ts'
import type { PeerPolicy } from './peer-policy.ts'
import type { RelayPorts } from './relay-ports.ts'
import { Responses } from './responses.ts'

/** RFC 8656 §12: 0x4000 to 0x4FFF. Older clients use the range of RFC 5766 §11, 0x4000 to 0x7FFE. */
const CHANNEL_MIN = 0x4000
const CHANNEL_MAX = 0x7fff

/** RFC 8489 §6.3.1: a client may retransmit a request for 40 s, and gets the same response. */
const RETRANSMISSION_MS = 40_000
const FINAL_RESPONSES_MAX = 1_000
const finalResponseKey = (
  { transport, address }: TurnClient,
  message: Message,
  { username }: AuthenticatedUser,
): string => `${transport} ${address.key} ${username} ${Buffer.from(transactionOf(message)).toString('latin1')}`

/** The time of a request: lifetimes use the monotonic clock (ms), credentials the wall clock (unixS). */
export interface Moment {
  ms: number
  unixS: number
}

export interface RequestParts {
  allocations: Allocations
  ports: RelayPorts
  peers: PeerPolicy
  authentication: Authentication
  counters: TurnCounters
  /** The IP address of the family that responses name for relayed transport addresses. */
  announced(family: Family): Uint8Array | undefined
}

/** Handles the requests of clients. RFC 8489 §6.3, RFC 8656. */
export class Requests {
  private readonly responses: Responses
  /** Responses to the Refresh that ended an allocation, kept for retransmissions; the oldest first. */
  private readonly finalResponses = new Map<string, { message: Uint8Array; untilMs: number }>()

  constructor(private readonly parts: RequestParts) {
    this.responses = new Responses(parts.counters)
  }

  handle(client: TurnClient, message: Message, now: Moment): void {
    if (message.method === Method.binding) return this.responses.binding(client, message, now.ms)
    const handler = HANDLERS[message.method]
    // RFC 8489 §6.3: a request with an unknown method is dropped without a response.
    if (!handler) return void this.parts.counters.drops.malformed++
    // RFC 8656 §5: every TURN request is authenticated before anything else is read or stored.
    const user = this.parts.authentication.authenticate(client, message, now.unixS)
    if (typeof user === 'number') return this.refuseUnauthenticated(client, message, user, now)
    const unknown = unknownOf(message)
    if (unknown.length > 0) return this.responses.unknownAttributes(client, message, unknown, user)
    handler.call(this, client, message, user, now)
  }

  private refuseUnauthenticated(client: TurnClient, message: Message, code: StunError, now: Moment): void {
    const nonce = () => this.parts.authentication.nonceFor(client, now.unixS)
    this.responses.unauthenticated(client, message, code, now.ms, nonce)
  }

  /** RFC 8656 §7.2. */
  allocate(client: TurnClient, message: Message, user: AuthenticatedUser, now: Moment): void {
    const { allocations, authentication } = this.parts
    const existing = allocations.of(client, now.ms)
    const transaction = Buffer.from(transactionOf(message)).toString('latin1')
    if (existing) {
      // RFC 8656 §7.2: a retransmission gets the same response; for any other Allocate the 5-tuple is in use.
      if (existing.response?.transaction === transaction && existing.user.username === user.username)
        return client.send(existing.response.message)
      return this.responses.error(client, message, 437, user)
    }
    if (!authentication.mayAllocate(user, now.unixS)) return this.refuseUnauthenticated(client, message, 401, now)
    const request = readAllocateRequest(message)
    if (typeof request === 'number') return this.responses.error(client, message, request, user)
    const allocation = allocations.allocate(client, user, request, now.ms)
    if (typeof allocation === 'number') return this.responses.error(client, message, allocation, user)
    const response = this.responses.success(client, message, user, (writer) =>
      this.writeAllocated(writer, allocation, request, message, now),
    )
    allocation.response = { transaction, message: response.slice() }
  }

  private writeAllocated(
    writer: StunWriter,
    allocation: Allocation,
    request: AllocateRequest,
    message: Message,
    now: Moment,
  ): void {
    const { announced, ports } = this.parts
    for (const relay of allocation.relays) {
      const ip = announced(relay.family)
      if (ip) writer.address(Attribute.xorRelayedAddress, transportAddress(ip, relay.port))
    }
    const [, second] = request.families
    if (second !== undefined && !allocation.relayOf(second)) {
      // RFC 8656 §18.13: the family, then the code in the format of ERROR-CODE.
      const code = announced(second) ? 508 : 440
      writer.add(Attribute.addressErrorCode, new Uint8Array([second, 0, Math.floor(code / 100), code % 100]))
    }
    if (request.reserve) writer.add(Attribute.reservationToken, Buffer.from(ports.lastToken, 'hex'))
    writer
      .number(Attribute.lifetime, allocation.setLifetime(numberOf(message, Attribute.lifetime), now.ms))
      .address(Attribute.xorMappedAddress, allocation.client.address)
  }

  /** RFC 8656 §8.2. */
  refresh(client: TurnClient, message: Message, user: AuthenticatedUser, now: Moment): void {
    const finalResponse = this.finalResponses.get(finalResponseKey(client, message, user))
    if (finalResponse && finalResponse.untilMs > now.ms) return client.send(finalResponse.message)
    const allocation = this.allocationOf(client, message, user, now)
    if (!allocation) return
    const requestedFamily = bytesOf(message, Attribute.requestedAddressFamily)
    const family = requestedFamily?.[0]
    if (requestedFamily && requestedFamily.length !== 4) return this.responses.error(client, message, 400, user)
    const relay = allocation.relays.find((one) => family === undefined || one.family === family)
    if (!relay) return this.responses.error(client, message, 443, user)
    const lifetimeS = numberOf(message, Attribute.lifetime)
    if (lifetimeS !== 0) {
      const lifetime = allocation.setLifetime(lifetimeS, now.ms)
      return void this.responses.success(client, message, user, (writer) => writer.number(Attribute.lifetime, lifetime))
    }
    // RFC 8656 §8.2: a Refresh that names a family ends only that address of a dual allocation.
    if (family !== undefined && allocation.relays.length > 1) this.parts.allocations.endRelay(allocation, relay)
    else this.parts.allocations.end(allocation)
    const response = this.responses.success(client, message, user, (writer) => writer.number(Attribute.lifetime, 0))
    const finalResponses = this.finalResponses
    finalResponses.set(finalResponseKey(client, message, user), {
      message: response.slice(),
      untilMs: now.ms + RETRANSMISSION_MS,
    })
    if (finalResponses.size > FINAL_RESPONSES_MAX) finalResponses.delete(finalResponses.keys().next().value ?? '')
  }

  /** RFC 8656 §10.2. */
  createPermission(client: TurnClient, message: Message, user: AuthenticatedUser, now: Moment): void {
    const allocation = this.allocationOf(client, message, user, now)
    if (!allocation) return
    const peers = addressesOf(message, Attribute.xorPeerAddress)
    if (!peers || peers.length === 0) return this.responses.error(client, message, 400, user)
    // RFC 8656 §10.2: either every permission is installed or none, so every peer is checked first.
    for (const peer of peers) {
      if (!allocation.relayOf(peer.family)) return this.responses.error(client, message, 443, user)
      if (!this.parts.peers.permitsHost(peer)) return this.responses.error(client, message, 403, user)
    }
    const ipKeys = new Set(peers.map(({ hostKey }) => hostKey))
    if (!allocation.hasSpaceFor(ipKeys)) return this.responses.error(client, message, 508, user)
    for (const peer of peers) allocation.permit(peer, now.ms)
    this.responses.success(client, message, user)
  }

  /** RFC 8656 §12.2. */
  channelBind(client: TurnClient, message: Message, user: AuthenticatedUser, now: Moment): void {
    const allocation = this.allocationOf(client, message, user, now)
    if (!allocation) return
    const number = (numberOf(message, Attribute.channelNumber) ?? 0) >>> 16
    const [peer] = addressesOf(message, Attribute.xorPeerAddress) ?? []
    if (number < CHANNEL_MIN || number > CHANNEL_MAX || !peer) return this.responses.error(client, message, 400, user)
    if (!allocation.relayOf(peer.family)) return this.responses.error(client, message, 443, user)
    if (!this.parts.peers.permits(peer)) return this.responses.error(client, message, 403, user)
    const code = allocation.bind(number, peer, now.ms)
    if (code !== undefined) return this.responses.error(client, message, code, user)
    this.responses.success(client, message, user)
  }

  /** The user's allocation on the 5-tuple. RFC 8656 §5: without one the error is 437, for another user's 441. */
  private allocationOf(
    client: TurnClient,
    message: Message,
    user: AuthenticatedUser,
    now: Moment,
  ): Allocation | undefined {
    const allocation = this.parts.allocations.of(client, now.ms)
    if (allocation?.user.username === user.username) return allocation
    this.responses.error(client, message, allocation ? 441 : 437, user)
    return undefined
  }
}

type Handler = (this: Requests, client: TurnClient, message: Message, user: AuthenticatedUser, now: Moment) => void
const HANDLERS: Record<number, Handler | undefined> = {
  [Method.allocate]: Requests.prototype.allocate,
  [Method.refresh]: Requests.prototype.refresh,
  [Method.createPermission]: Requests.prototype.createPermission,
  [Method.channelBind]: Requests.prototype.channelBind,
}
