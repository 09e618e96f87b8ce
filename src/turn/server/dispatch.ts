import type { Address, Family, Peers } from '../protocol/addresses.ts'
import type { Allocation, Allocations, Channel, Client, Home } from './allocation.ts'
import { HEADROOM_BYTES, type Packets, Port } from '../protocol/packets.ts'
import type { Relay } from './relay-ports.ts'
import { fragment } from './libc.ts'
import type { Moment, Requests } from './requests.ts'
import { addressesOf, Attribute, bytesOf, Class, decode, HEADER_BYTES, type Message, Method } from '../protocol/stun.ts'
import { padded, partOf, unknownOf } from '../protocol/stun.ts'
import { Writer } from '../protocol/stun-writer.ts'
import type { Tally } from './tally.ts'

/** RFC 8656 §12.4: a channel number and a length stand before the data. */
const CHANNEL_HEADER_BYTES = 4
/** A Data indication up to its data: header, XOR-PEER-ADDRESS and the head of DATA, for IPv4 and IPv6. */
const INDICATION_BYTES = { 4: 36, 16: 48 } as const
/** What 16 bits can count after a header: over a stream, the rest of what is longer would be read as frames. */
const MESSAGE_BYTES_MAX = HEADER_BYTES + 0xffff
/** IP and UDP before each packet's data: what is empty costs something too. */
const HEADERS_BYTES = 28
const TRANSACTION_BYTES = 12
const RANDOM_BYTES = 4096 * TRANSACTION_BYTES

/** A UDP address that clients reach us at. */
export class Listener extends Port {
  readonly home: Home = new Map()
}

/** A client behind UDP. */
class UdpClient implements Client {
  readonly transport = 'udp'
  constructor(
    private readonly packets: Packets,
    private readonly listener: Listener,
    readonly address: Address,
  ) {}
  get home(): Home {
    return this.listener.home
  }
  send = (message: Uint8Array): void => this.packets.send(this.listener, message, this.address)
  forward(start: number, length: number): void {
    this.packets.queue(this.listener, start, length, this.address)
  }
}

/** A relayed transport address that is open. */
export class RelayPort implements Relay {
  owner: Allocation | undefined
  readonly port: number
  readonly family: Family
  readonly socket: Port
  constructor(
    private readonly packets: Packets,
    fd: number,
    address: Address,
    take: (relay: RelayPort, slot: number) => void,
    private readonly onClose: (socket: Port) => void,
  ) {
    this.port = address.port
    this.family = address.family
    this.socket = new Port(fd, address, (_socket, slot) => take(this, slot))
  }
  send = (bytes: Uint8Array, target: Address): void => this.packets.send(this.socket, bytes, target)
  forward(start: number, length: number, target: Address): void {
    this.packets.queue(this.socket, start, length, target)
  }
  fragment = (allowed: boolean): void => fragment(this.socket.fd, this.family, allowed)
  close(): void {
    this.owner = undefined
    this.onClose(this.socket)
  }
}

interface DispatchParts {
  packets: Packets
  allocations: Allocations
  peers: Peers
  requests: Requests
  tally: Tally
}

/** Where each packet goes. RFC 8656 §11, §12. */
export class Dispatch {
  now: Moment = { ms: 0, unix_s: 0 }
  private readonly random = new Uint8Array(RANDOM_BYTES)
  private random_at = RANDOM_BYTES

  constructor(private readonly parts: DispatchParts) {}

  /** A packet of a client, by UDP. */
  fromUdp = (listener: Listener, slot: number): void => {
    const { packets, tally } = this.parts
    const { bytes } = packets
    const start = packets.startOf(slot)
    const length = packets.lengthOf(slot)
    const allocation = listener.home.get(packets.keyOf(slot))
    const first = bytes[start] as number
    // RFC 8656 §12: two bits tell a channel's data from a message.
    if (length >= CHANNEL_HEADER_BYTES && (first & 0xc0) === 0x40) {
      const number = (first << 8) | (bytes[start + 1] as number)
      const size = ((bytes[start + 2] as number) << 8) | (bytes[start + 3] as number)
      if (size > length - CHANNEL_HEADER_BYTES) return void tally.drops.malformed++
      const channel = allocation ? this.channelOf(allocation, number, size) : this.nobody()
      if (!allocation || !channel?.target) return
      relayFor(allocation, channel.target)?.forward(start + CHANNEL_HEADER_BYTES, size, channel.target)
      return
    }
    const message = decode(bytes.subarray(start, start + length))
    if (!message) return void tally.drops.malformed++
    this.fromClient(allocation?.client ?? new UdpClient(packets, listener, packets.sourceOf(slot)), message)
  }

  /** A message of a client, however it came. */
  fromClient(client: Client, message: Message): void {
    if (message.class === Class.request) this.parts.requests.handle(client, message, this.now)
    else if (message.class === Class.indication && message.method === Method.send) this.sendIndication(client, message)
    // A Binding indication only keeps a path open (RFC 8489 §7); answers were not asked for.
  }

  /** A channel's data from a client behind a stream. */
  fromStream(client: Client, number: number, data: Uint8Array): void {
    const allocation = this.parts.allocations.of(client, this.now.ms)
    const channel = allocation ? this.channelOf(allocation, number, data.length) : this.nobody()
    if (allocation && channel?.target) relayFor(allocation, channel.target)?.send(data, channel.target)
  }

  private nobody(): undefined {
    this.parts.tally.drops.no_allocation++
    return undefined
  }

  /** The channel, if so many bytes may go out by it now. RFC 8656 §12.6. */
  private channelOf(allocation: Allocation, number: number, size: number): Channel | undefined {
    const { tally, peers, allocations } = this.parts
    const { ms } = this.now
    const channel = allocation.channels.get(number)
    if (!channel || channel.expires_ms <= ms || channel.permission.expires_ms <= ms || allocation.expires_ms <= ms)
      return void tally.drops.no_permission++
    if (channel.version !== peers.version) {
      channel.version = peers.version
      channel.target = peers.permits(channel.peer) ? peers.toBound(channel.peer) : undefined
    }
    if (!channel.target) return void tally.drops.denied_peer++
    if (!allocations.charge(allocation, HEADERS_BYTES + size, ms)) return void tally.drops.quota++
    tally.packets_out++
    tally.bytes_out += size
    return channel
  }

  /** RFC 8656 §11.2: it is never answered, so whatever is wrong with it drops it. */
  private sendIndication(client: Client, message: Message): void {
    const { tally, peers, allocations } = this.parts
    const allocation = allocations.of(client, this.now.ms)
    if (!allocation) return this.nobody()
    const [peer] = addressesOf(message, Attribute.xor_peer_address) ?? []
    const data = bytesOf(message, Attribute.data)
    if (!peer || !data || unknownOf(message).length > 0) return void tally.drops.malformed++
    if (!allocation.mayReach(peer, this.now.ms)) return void tally.drops.no_permission++
    if (!peers.permits(peer)) return void tally.drops.denied_peer++
    if (!allocations.charge(allocation, HEADERS_BYTES + data.length, this.now.ms)) return void tally.drops.quota++
    const relay = relayFor(allocation, peer)
    if (!relay) return void tally.drops.no_permission++
    tally.packets_out++
    tally.bytes_out += data.length
    const whole = partOf(message, Attribute.dont_fragment) !== undefined
    if (whole) relay.fragment(false)
    relay.send(data, peers.toBound(peer))
    if (whole) relay.fragment(true)
  }

  /** A packet of a peer. RFC 8656 §11.4, §12.7. */
  fromPeer = (relay: RelayPort, slot: number): void => {
    const { packets, tally, allocations, peers } = this.parts
    const { ms } = this.now
    const allocation = relay.owner
    if (!allocation || allocation.expires_ms <= ms) return this.nobody()
    const size = packets.lengthOf(slot)
    let peer: Address | undefined
    let channel = allocation.channels_by_peer.get(packets.keyOf(slot))
    if (!channel) {
      peer = peers.toAnnounced(packets.sourceOf(slot))
      channel = allocation.channels_by_peer.get(peer.key)
    }
    const permission = channel?.permission ?? (peer && allocation.permissions.get(peer.ip_key))
    if (!permission || permission.expires_ms <= ms) return void tally.drops.no_permission++
    if (!allocations.charge(allocation, HEADERS_BYTES + size, ms)) return void tally.drops.quota++
    tally.packets_in++
    tally.bytes_in += size
    const start = packets.startOf(slot)
    if (channel && channel.expires_ms > ms) {
      const { bytes } = packets
      bytes[start - 4] = channel.number >> 8
      bytes[start - 3] = channel.number & 0xff
      bytes[start - 2] = size >> 8
      bytes[start - 1] = size & 0xff
      allocation.client.forward(start - CHANNEL_HEADER_BYTES, size + CHANNEL_HEADER_BYTES)
    } else this.dataIndication(allocation, peer ?? (channel as Channel).peer, start, size)
  }

  /** Writes the head of a Data indication before the data, where it lies. */
  private dataIndication(allocation: Allocation, peer: Address, start: number, size: number): void {
    const { packets, tally } = this.parts
    const { bytes } = packets
    const head = INDICATION_BYTES[peer.ip.length as 4 | 16]
    if (head + padded(size) > MESSAGE_BYTES_MAX) return void tally.drops.malformed++
    const writer = new Writer(bytes.buffer as ArrayBuffer, start - head, HEADROOM_BYTES + size)
    writer.begin(Method.data, Class.indication, this.transaction()).address(Attribute.xor_peer_address, peer)
    const whole = writer.head(Attribute.data, size)
    allocation.client.forward(start - head, whole)
  }

  /** RFC 8489 §6: chosen at random; taken from a stock, since asking for few bytes costs as much as for many. */
  private transaction(): Uint8Array {
    if (this.random_at >= RANDOM_BYTES) {
      crypto.getRandomValues(this.random)
      this.random_at = 0
    }
    const transaction = this.random.subarray(this.random_at, this.random_at + TRANSACTION_BYTES)
    this.random_at += TRANSACTION_BYTES
    return transaction
  }
}

/** The relay that reaches the target. */
const relayFor = (allocation: Allocation, target: Address): Relay | undefined => {
  const [first] = allocation.relays
  return first?.family === target.family ? first : allocation.relayOf(target.family)
}
