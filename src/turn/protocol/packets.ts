import { type Address, formatAddress, type Key, V4 } from './addresses.ts'
import { at, type Libc, libc, Memory, MSG_DONTWAIT, SOCKADDR_BYTES, writeSockaddr } from '../server/libc.ts'

/** Packets that are read before any is sent on. */
const SLOTS = 64
/** Room before a packet for the header that it is sent on with: a Data indication with an IPv6 peer takes 48. */
export const HEADROOM_BYTES = 64
/** What is longer is cut by the system, and dropped. UDP over IPv4 carries 65,507. */
const PACKET_BYTES_MAX = 65_536
/** The odd rest keeps the slots from sharing the same lines of the processor's cache. */
const STRIDE_BYTES = HEADROOM_BYTES + PACKET_BYTES_MAX + 256
const NAME_BYTES = 32
// struct mmsghdr of 64-bit Linux, in words: name, its length, iovec, their count, control, its length, flags; length.
const HEADER_WORDS = 16
const NAME_LENGTH = 2
const FLAGS = 12
const LENGTH = 14
const MSG_TRUNC = 0x20
const AF_INET = 2

/** A UDP socket of the relay. */
export class Port {
  /** The first and last packet that waits to be sent by it. */
  head = -1
  tail = -1
  constructor(
    readonly fd: number,
    readonly address: Address,
    /** Takes one packet that has come in, by its slot. */
    readonly take: (port: Port, slot: number) => void,
  ) {}
}

/** Headers, names and vectors of as many packets as there are slots. */
class Headers {
  readonly headers = new Memory(SLOTS * HEADER_WORDS * 4)
  readonly names = new Memory(SLOTS * NAME_BYTES)
  readonly vectors = new Memory(SLOTS * 16)
  constructor() {
    for (let slot = 0; slot < SLOTS; slot++) {
      const word = slot * HEADER_WORDS
      this.headers.point(word, this.names.at + slot * NAME_BYTES)
      this.headers.point(word + 4, this.vectors.at + slot * 16)
      this.headers.words[word + 6] = 1
    }
  }
}

/**
 * Reads packets into slots and sends them on from where they lie, many with one call. What is queued is sent by
 * flush(), and has to be before a slot is used again.
 */
export class Packets {
  private readonly slots = new Memory(SLOTS * STRIDE_BYTES)
  private readonly incoming = new Headers()
  private readonly outgoing = new Headers()
  private readonly lone = new Memory(NAME_BYTES + PACKET_BYTES_MAX)
  private readonly c: Libc = libc()
  /** Slots in use since the last flush. */
  private used = 0
  private readonly starts = new Float64Array(SLOTS)
  private readonly lengths = new Uint32Array(SLOTS)
  private readonly targets: (Address | undefined)[] = Array(SLOTS).fill(undefined)
  private readonly next = new Int32Array(SLOTS)
  private queued = 0
  private readonly waiting: Port[] = []
  readonly bytes = this.slots.bytes
  /** Packets that the system did not take, or that came cut. */
  dropped = 0

  constructor() {
    for (let slot = 0; slot < SLOTS; slot++) {
      this.incoming.vectors.point(slot * 4, this.slots.at + this.startOf(slot))
      this.incoming.vectors.words[slot * 4 + 2] = PACKET_BYTES_MAX
      this.incoming.headers.words[slot * HEADER_WORDS + NAME_LENGTH] = SOCKADDR_BYTES
    }
  }

  startOf = (slot: number): number => slot * STRIDE_BYTES + HEADROOM_BYTES
  lengthOf = (slot: number): number => this.incoming.headers.words[slot * HEADER_WORDS + LENGTH] as number

  /** Where the packet comes from, to look it up by. */
  keyOf(slot: number): Key {
    const { bytes } = this.incoming.names
    const name = slot * NAME_BYTES
    const port = ((bytes[name + 2] as number) << 8) | (bytes[name + 3] as number)
    if (bytes[name] !== AF_INET) return `${String.fromCharCode(...bytes.subarray(name + 8, name + 24), port)}`
    const low = ((bytes[name + 5] as number) << 16) | ((bytes[name + 6] as number) << 8) | (bytes[name + 7] as number)
    return ((bytes[name + 4] as number) * 0x1000000 + low) * 0x10000 + port
  }

  sourceOf(slot: number): Address {
    const { bytes } = this.incoming.names
    const name = slot * NAME_BYTES
    const port = ((bytes[name + 2] as number) << 8) | (bytes[name + 3] as number)
    return formatAddress(
      bytes[name] === AF_INET ? bytes.slice(name + 4, name + 8) : bytes.slice(name + 8, name + 24),
      port,
    )
  }

  /** Reads what has come to the port, a bounded share of it, and hands it over. */
  receive(port: Port): void {
    if (this.used === SLOTS) this.flush()
    const first = this.used
    const { headers } = this.incoming
    const header = at(headers.at + first * HEADER_WORDS * 4)
    const count = this.c.recvmmsg(port.fd, header, SLOTS - first, MSG_DONTWAIT, null)
    if (count <= 0) return
    this.used = first + count
    for (let slot = first; slot < first + count; slot++) {
      headers.words[slot * HEADER_WORDS + NAME_LENGTH] = SOCKADDR_BYTES
      if ((headers.words[slot * HEADER_WORDS + FLAGS] as number) & MSG_TRUNC) this.dropped++
      else port.take(port, slot)
    }
    // What ended an allocation flushed on the way; the slots after it hold packets that still wait.
    this.used = first + count
  }

  /** Queues bytes of the slots; each packet that came in can be sent on once. */
  queue(port: Port, start: number, length: number, target: Address): void {
    const { queued } = this
    this.queued = queued + 1
    this.starts[queued] = start
    this.lengths[queued] = length
    this.targets[queued] = target
    this.next[queued] = -1
    if (port.head === -1) {
      port.head = queued
      this.waiting.push(port)
    } else this.next[port.tail] = queued
    port.tail = queued
  }

  /** Sends what is queued; the slots are free afterwards. */
  flush(): void {
    for (const port of this.waiting) this.sendQueue(port)
    this.waiting.length = 0
    this.queued = 0
    this.used = 0
  }

  private sendQueue(port: Port): void {
    const { headers, names, vectors } = this.outgoing
    let count = 0
    for (let at = port.head; at !== -1; at = this.next[at] as number) {
      const target = this.targets[at] as Address
      const sockaddr = (target.sockaddr ??= sockaddrOf(target))
      const words = sockaddr.length
      const name = (count * NAME_BYTES) / 4
      for (let word = 0; word < words; word++) names.words[name + word] = sockaddr[word] as number
      headers.words[count * HEADER_WORDS + NAME_LENGTH] = words * 4
      vectors.point(count * 4, this.slots.at + (this.starts[at] as number))
      vectors.words[count * 4 + 2] = this.lengths[at] as number
      count++
    }
    port.head = -1
    port.tail = -1
    // sendmmsg stops at the first packet that cannot be sent: that one is dropped, and the rest goes on.
    for (let sent = 0; sent < count;) {
      const went = this.c.sendmmsg(port.fd, at(headers.at + sent * HEADER_WORDS * 4), count - sent, MSG_DONTWAIT)
      if (went <= 0) this.dropped++
      sent += Math.max(1, went)
    }
  }

  /** Sends one packet now, from any memory. */
  send(port: Port, bytes: Uint8Array, target: Address): void {
    const { lone, c } = this
    if (bytes.length > PACKET_BYTES_MAX) return void this.dropped++
    const length = writeSockaddr(lone.bytes, 0, target)
    lone.bytes.set(bytes, NAME_BYTES)
    const sent = c.sendto(port.fd, at(lone.at + NAME_BYTES), bytes.length, MSG_DONTWAIT, at(lone.at), length)
    if (sent < 0) this.dropped++
  }
}

function sockaddrOf(target: Address): Uint32Array {
  const bytes = new Uint8Array(SOCKADDR_BYTES)
  const length = writeSockaddr(bytes, 0, target)
  return new Uint32Array(bytes.buffer, 0, (target.family === V4 ? 16 : length) / 4)
}
