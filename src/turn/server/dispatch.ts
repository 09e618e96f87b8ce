import { type Address, V4 } from '../protocol/addresses.ts'
import {
  addressesOf,
  Attribute,
  attributeOf,
  bytesOf,
  Class,
  decode,
  HEADER_BYTES,
  type Message,
  Method,
  padded,
  u16,
  unknownOf,
} from '../protocol/stun.ts'
import { StunWriter } from '../protocol/stun-writer.ts'
import type { Allocation, ChannelBinding, RelayedAddress, TurnClient } from './allocation.ts'
import type { Allocations } from './allocations.ts'
import type { TurnCounters } from './counters.ts'
import { HEADROOM_BYTES, type Packets } from './packets.ts'
import type { PeerPolicy } from './peer-policy.ts'
import type { Moment, Requests } from './requests.ts'
import { type Listener, type RelaySocket, UdpClient } from './udp.ts'

/** RFC 8656 §12.4: the channel number and the length stand before the data. */
const CHANNEL_HEADER_BYTES = 4
/** A Data indication up to its data: STUN header, XOR-PEER-ADDRESS and the header of DATA. */
const INDICATION_BYTES_V4 = 36
const INDICATION_BYTES_V6 = 48
/** The length field has 16 bits. On a stream, a client would read the rest of a longer message as frames. */
const MESSAGE_BYTES_MAX = HEADER_BYTES + 0xffff
/** IP and UDP headers count against the quota, so that empty packets are not free. */
const IP_UDP_HEADER_BYTES = 28
const TRANSACTION_BYTES = 12
const RANDOM_BYTES = 4096 * TRANSACTION_BYTES

interface DispatchParts {
  packets: Packets
  allocations: Allocations
  peers: PeerPolicy
  requests: Requests
  counters: TurnCounters
}

/** Forwards each packet to the peer or client that it is for. RFC 8656 §11, §12. */
export class Dispatch {
  now: Moment = { ms: 0, unixS: 0 }
  private readonly random = new Uint8Array(RANDOM_BYTES)
  private randomAt = RANDOM_BYTES

  constructor(private readonly parts: DispatchParts) {}

  /** Handles a packet that a client sent by UDP. */
  fromUdp = (listener: Listener, slot: number): void => {
    const { packets, counters } = this.parts
    const { bytes } = packets
    const start = packets.startOf(slot)
    const length = packets.lengthOf(slot)
    const allocation = listener.table.get(packets.keyOf(slot))
    const number = u16(bytes, start)
    // RFC 8656 §12: the first two bits are 01 in ChannelData and 00 in a STUN message.
    if (length >= CHANNEL_HEADER_BYTES && (number & 0xc000) === 0x4000) {
      const size = u16(bytes, start + 2)
      if (size > length - CHANNEL_HEADER_BYTES) return void counters.drops.malformed++
      const channel = allocation ? this.channelOf(allocation, number, size) : this.dropWithoutAllocation()
      if (!allocation || !channel?.target) return
      relayFor(allocation, channel.target)?.forward(start + CHANNEL_HEADER_BYTES, size, channel.target)
      return
    }
    const message = decode(bytes.subarray(start, start + length))
    if (!message) return void counters.drops.malformed++
    this.fromClient(allocation?.client ?? new UdpClient(packets, listener, packets.sourceOf(slot)), message)
  }

  /** Handles a STUN message from a client, over any transport. */
  fromClient(client: TurnClient, message: Message): void {
    if (message.class === Class.request) this.parts.requests.handle(client, message, this.now)
    else if (message.class === Class.indication && message.method === Method.send) this.sendIndication(client, message)
    // RFC 8489 §7: a Binding indication only keeps NAT bindings. Responses are dropped: the server sends no requests.
  }

  /** Handles ChannelData that a client sent over TCP or TLS. */
  fromStream(client: TurnClient, number: number, data: Uint8Array): void {
    const allocation = this.parts.allocations.of(client, this.now.ms)
    const channel = allocation ? this.channelOf(allocation, number, data.length) : this.dropWithoutAllocation()
    if (allocation && channel?.target) relayFor(allocation, channel.target)?.send(data, channel.target)
  }

  private dropWithoutAllocation(): undefined {
    this.parts.counters.drops.no_allocation++
    return undefined
  }

  /** The channel binding, if `size` bytes may be sent to its peer now; counts them. RFC 8656 §12.6. */
  private channelOf(allocation: Allocation, number: number, size: number): ChannelBinding | undefined {
    const { counters, peers, allocations } = this.parts
    const { ms } = this.now
    const channel = allocation.channels.get(number)
    if (!channel || channel.expiresMs <= ms || channel.permission.expiresMs <= ms || allocation.expiresMs <= ms)
      return void counters.drops.no_permission++
    if (channel.version !== peers.version) {
      channel.version = peers.version
      channel.target = peers.permits(channel.peer) ? peers.toBound(channel.peer) : undefined
    }
    if (!channel.target) return void counters.drops.denied_peer++
    if (!allocations.charge(allocation, IP_UDP_HEADER_BYTES + size, ms)) return void counters.drops.quota++
    counters.packets_out++
    counters.bytes_out += size
    return channel
  }

  /** RFC 8656 §11.2: an indication gets no response, so an invalid one is dropped. */
  private sendIndication(client: TurnClient, message: Message): void {
    const { counters, peers, allocations } = this.parts
    const allocation = allocations.of(client, this.now.ms)
    if (!allocation) return this.dropWithoutAllocation()
    const [peer] = addressesOf(message, Attribute.xorPeerAddress) ?? []
    const data = bytesOf(message, Attribute.data)
    if (!peer || !data || unknownOf(message).length > 0) return void counters.drops.malformed++
    if (!allocation.mayReach(peer, this.now.ms)) return void counters.drops.no_permission++
    if (!peers.permits(peer)) return void counters.drops.denied_peer++
    if (!allocations.charge(allocation, IP_UDP_HEADER_BYTES + data.length, this.now.ms))
      return void counters.drops.quota++
    const relay = relayFor(allocation, peer)
    if (!relay) return void counters.drops.no_permission++
    counters.packets_out++
    counters.bytes_out += data.length
    const isUnfragmented = attributeOf(message, Attribute.dontFragment) !== undefined
    if (isUnfragmented) relay.allowFragmentation(false)
    relay.send(data, peers.toBound(peer))
    if (isUnfragmented) relay.allowFragmentation(true)
  }

  /** Handles a packet that a peer sent to a relayed transport address. RFC 8656 §11.4, §12.7. */
  fromPeer = (relay: RelaySocket, slot: number): void => {
    const { packets, counters, allocations, peers } = this.parts
    const { ms } = this.now
    const allocation = relay.owner
    if (!allocation || allocation.expiresMs <= ms) return this.dropWithoutAllocation()
    const size = packets.lengthOf(slot)
    let peer: Address | undefined
    let channel = allocation.channelsByPeer.get(packets.keyOf(slot))
    if (!channel) {
      peer = peers.toAnnounced(packets.sourceOf(slot))
      channel = allocation.channelsByPeer.get(peer.key)
    }
    const permission = channel?.permission ?? (peer && allocation.permissions.get(peer.hostKey))
    if (!permission || permission.expiresMs <= ms) return void counters.drops.no_permission++
    if (!allocations.charge(allocation, IP_UDP_HEADER_BYTES + size, ms)) return void counters.drops.quota++
    counters.packets_in++
    counters.bytes_in += size
    const start = packets.startOf(slot)
    if (channel && channel.expiresMs > ms) {
      const { bytes } = packets
      bytes[start - 4] = channel.number >> 8
      bytes[start - 3] = channel.number & 0xff
      bytes[start - 2] = size >> 8
      bytes[start - 1] = size & 0xff
      allocation.client.forward(start - CHANNEL_HEADER_BYTES, size + CHANNEL_HEADER_BYTES)
      return
    }
    const source = peer ?? channel?.peer
    if (source) this.sendDataIndication(allocation, source, start, size)
  }

  /** Writes the header of a Data indication into the headroom before the data. */
  private sendDataIndication(allocation: Allocation, peer: Address, start: number, size: number): void {
    const { packets, counters } = this.parts
    const { bytes } = packets
    const header = peer.family === V4 ? INDICATION_BYTES_V4 : INDICATION_BYTES_V6
    if (header + padded(size) > MESSAGE_BYTES_MAX) return void counters.drops.malformed++
    const writer = new StunWriter(bytes.buffer, start - header, HEADROOM_BYTES + size)
    writer.begin(Method.data, Class.indication, this.transaction()).address(Attribute.xorPeerAddress, peer)
    allocation.client.forward(start - header, writer.finishInPlace(Attribute.data, size))
  }

  /** A random transaction id (RFC 8489 §6). Many are drawn at once: a small request for random bytes costs as much. */
  private transaction(): Uint8Array {
    if (this.randomAt >= RANDOM_BYTES) {
      crypto.getRandomValues(this.random)
      this.randomAt = 0
    }
    const transaction = this.random.subarray(this.randomAt, this.randomAt + TRANSACTION_BYTES)
    this.randomAt += TRANSACTION_BYTES
    return transaction
  }
}

/** The relayed transport address of the target's family. */
const relayFor = (allocation: Allocation, target: Address): RelayedAddress | undefined => {
  const [first] = allocation.relays
  return first?.family === target.family ? first : allocation.relayOf(target.family)
}
