import type { AddressKey } from '../../core/ip.ts'
import { type Address, transportAddress, V4 } from '../protocol/addresses.ts'
import { u16 } from '../protocol/stun.ts'
import { asPointer, type Libc, libc, MSG_DONTWAIT, NativeMemory, SOCKADDR_BYTES, writeSockaddr } from './libc.ts'

/** Packets that are read before any is forwarded. */
const SLOTS = 64
/** Room before a packet for the header that it is forwarded with; a Data indication for IPv6 needs 48 bytes. */
export const HEADROOM_BYTES = 64
/** The kernel truncates longer packets, which are then dropped. UDP over IPv4 carries 65,507 bytes. */
const PACKET_BYTES_MAX = 65_536
/** The extra 256 bytes keep slots from mapping to the same cache lines. */
const STRIDE_BYTES = HEADROOM_BYTES + PACKET_BYTES_MAX + 256
const NAME_BYTES = 32
// struct mmsghdr of 64-bit Linux in 32-bit words: name, namelen, iov, iovlen, control, controllen, flags, msg_len.
const HEADER_WORDS = 16
const NAME_LENGTH = 2
const FLAGS = 12
const LENGTH = 14
const MSG_TRUNC = 0x20
const AF_INET = 2

/** A UDP socket whose packets pass through the slots. */
export abstract class UdpSocket {
  /** The first and last packet queued on this socket; -1 when none is. */
  head = -1
  last = -1

  constructor(
    readonly fd: number,
    readonly address: Address,
  ) {}

  /** Called with the slot of each received packet. */
  abstract onPacket(slot: number): void
}

/** struct mmsghdr, sockaddr and iovec for every slot. */
class MessageHeaders {
  readonly headers = new NativeMemory(SLOTS * HEADER_WORDS * 4)
  readonly names = new NativeMemory(SLOTS * NAME_BYTES)
  readonly vectors = new NativeMemory(SLOTS * 16)
  constructor() {
    for (let slot = 0; slot < SLOTS; slot++) {
      const word = slot * HEADER_WORDS
      this.headers.writePointer(word, this.names.at + slot * NAME_BYTES)
      this.headers.writePointer(word + 4, this.vectors.at + slot * 16)
      this.headers.words[word + 6] = 1
    }
  }
}

/**
 * Receives packets into slots and forwards them from there without a copy, many per system call. flush() sends what is
 * queued; only then can a slot be used again.
 */
export class Packets {
  private readonly slots = new NativeMemory(SLOTS * STRIDE_BYTES)
  private readonly incoming = new MessageHeaders()
  private readonly outgoing = new MessageHeaders()
  private readonly single = new NativeMemory(NAME_BYTES + PACKET_BYTES_MAX)
  private readonly c: Libc = libc()
  /** Slots in use since the last flush. */
  private used = 0
  private readonly starts = new Float64Array(SLOTS)
  private readonly lengths = new Uint32Array(SLOTS)
  private readonly targets: (Address | undefined)[] = Array(SLOTS).fill(undefined)
  private readonly next = new Int32Array(SLOTS)
  private queued = 0
  private readonly waitingSockets: UdpSocket[] = []
  readonly bytes = this.slots.bytes
  /** Packets that the kernel refused or truncated. */
  dropped = 0

  constructor() {
    for (let slot = 0; slot < SLOTS; slot++) {
      this.incoming.vectors.writePointer(slot * 4, this.slots.at + this.startOf(slot))
      this.incoming.vectors.words[slot * 4 + 2] = PACKET_BYTES_MAX
      this.incoming.headers.words[slot * HEADER_WORDS + NAME_LENGTH] = SOCKADDR_BYTES
    }
  }

  startOf = (slot: number): number => slot * STRIDE_BYTES + HEADROOM_BYTES
  lengthOf = (slot: number): number => this.incoming.headers.words[slot * HEADER_WORDS + LENGTH] ?? 0

  /** The key of the packet's source address. */
  keyOf(slot: number): AddressKey {
    const { bytes } = this.incoming.names
    const name = slot * NAME_BYTES
    const port = u16(bytes, name + 2)
    if (bytes[name] !== AF_INET) return `${String.fromCharCode(...bytes.subarray(name + 8, name + 24), port)}`
    return (u16(bytes, name + 4) * 0x10000 + u16(bytes, name + 6)) * 0x10000 + port
  }

  sourceOf(slot: number): Address {
    const { bytes } = this.incoming.names
    const name = slot * NAME_BYTES
    const ip = bytes[name] === AF_INET ? bytes.slice(name + 4, name + 8) : bytes.slice(name + 8, name + 24)
    return transportAddress(ip, u16(bytes, name + 2))
  }

  /** Receives at most one packet per free slot and passes each to the socket. */
  receive(socket: UdpSocket): void {
    if (this.used === SLOTS) this.flush()
    const first = this.used
    const { headers } = this.incoming
    const header = asPointer(headers.at + first * HEADER_WORDS * 4)
    const count = this.c.recvmmsg(socket.fd, header, SLOTS - first, MSG_DONTWAIT, null)
    if (count <= 0) return
    this.used = first + count
    for (let slot = first; slot < first + count; slot++) {
      headers.words[slot * HEADER_WORDS + NAME_LENGTH] = SOCKADDR_BYTES
      if ((headers.words[slot * HEADER_WORDS + FLAGS] ?? 0) & MSG_TRUNC) this.dropped++
      else socket.onPacket(slot)
    }
    // Closing a socket in onPacket flushes and so resets `used`; the later slots may hold queued packets.
    this.used = first + count
  }

  /** Queues bytes of the slots for flush(); each received packet can be queued once. */
  queue(socket: UdpSocket, start: number, length: number, target: Address): void {
    const { queued } = this
    this.queued = queued + 1
    this.starts[queued] = start
    this.lengths[queued] = length
    this.targets[queued] = target
    this.next[queued] = -1
    if (socket.head === -1) {
      socket.head = queued
      this.waitingSockets.push(socket)
    } else this.next[socket.last] = queued
    socket.last = queued
  }

  /** Sends every queued packet and frees the slots. */
  flush(): void {
    for (const socket of this.waitingSockets) this.sendQueue(socket)
    this.waitingSockets.length = 0
    this.queued = 0
    this.used = 0
  }

  private sendQueue(socket: UdpSocket): void {
    const { headers, names, vectors } = this.outgoing
    let count = 0
    for (let at = socket.head; at !== -1; at = this.next[at] ?? -1) {
      const target = this.targets[at]
      if (!target) continue
      const sockaddr = (target.sockaddr ??= sockaddrOf(target))
      const words = sockaddr.length
      const name = (count * NAME_BYTES) / 4
      for (let word = 0; word < words; word++) names.words[name + word] = sockaddr[word] ?? 0
      headers.words[count * HEADER_WORDS + NAME_LENGTH] = words * 4
      vectors.writePointer(count * 4, this.slots.at + (this.starts[at] ?? 0))
      vectors.words[count * 4 + 2] = this.lengths[at] ?? 0
      count++
    }
    socket.head = -1
    socket.last = -1
    // sendmmsg stops at a packet that it cannot send: that packet is dropped, the following ones are sent.
    for (let sentPackets = 0; sentPackets < count;) {
      const acceptedPackets = this.c.sendmmsg(
        socket.fd,
        asPointer(headers.at + sentPackets * HEADER_WORDS * 4),
        count - sentPackets,
        MSG_DONTWAIT,
      )
      if (acceptedPackets <= 0) this.dropped++
      sentPackets += Math.max(1, acceptedPackets)
    }
  }

  /** Sends one packet at once, from any memory. */
  send(socket: UdpSocket, bytes: Uint8Array, target: Address): void {
    const { single, c } = this
    if (bytes.length > PACKET_BYTES_MAX) return void this.dropped++
    const length = writeSockaddr(single.bytes, 0, target)
    single.bytes.set(bytes, NAME_BYTES)
    const sentBytes = c.sendto(
      socket.fd,
      asPointer(single.at + NAME_BYTES),
      bytes.length,
      MSG_DONTWAIT,
      asPointer(single.at),
      length,
    )
    if (sentBytes < 0) this.dropped++
  }
}

function sockaddrOf(target: Address): Uint32Array {
  const bytes = new Uint8Array(SOCKADDR_BYTES)
  const length = writeSockaddr(bytes, 0, target)
  return new Uint32Array(bytes.buffer, 0, (target.family === V4 ? 16 : length) / 4)
}
