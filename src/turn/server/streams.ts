import type { Socket, TCPSocketListener } from 'bun'
import { type AddressKey, ipKey, parseIp } from '../../core/ip.ts'
import { type Address, clientPrefix, transportAddress } from '../protocol/addresses.ts'
import { decode, type Message, padded } from '../protocol/stun.ts'
import type { AllocationTable, TurnClient } from './allocation.ts'
import type { TurnCounters } from './counters.ts'

const CONNECTIONS_MAX = 2_000
/** Connections from one IPv4 address or IPv6 /64, for example an office behind one NAT. */
const CONNECTIONS_PER_PREFIX_MAX = 100
/** A connection without an allocation is closed after this time. */
export const IDLE_SECONDS_MAX = 30
/** The longest frame: a STUN header and a 16-bit length. */
const FRAME_BYTES_MAX = 65_536 + 20
/** The longest frame from a client without an allocation, which may be anybody. */
const FRAME_BYTES_MAX_WITHOUT_ALLOCATION = 4096
/** Unsent bytes for a client that does not read. */
const UNSENT_BYTES_MAX = 128 * 1024

/** PEM. */
export interface Certificate {
  cert: string
  key: string
}

/** Another program uses the port. */
export class PortTaken extends Error {
  constructor(readonly port: number) {
    super(`port ${port} is taken`)
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

interface StreamHandlers {
  /** The memory of the packet slots. */
  bytes: Uint8Array
  counters: TurnCounters
  /** Called before received bytes are handled. */
  updateClock(): void
  message(client: TurnClient, message: Message): void
  channelData(client: TurnClient, number: number, data: Uint8Array): void
  closed(client: TurnClient): void
  fault(error: unknown): void
}

/** A client that uses TCP or TLS. RFC 8656 §12.5: over a stream, ChannelData is padded to 4 bytes. */
class StreamClient implements TurnClient {
  readonly table: AllocationTable = new Map()
  readonly address: Address
  /** The received part of an incomplete frame. */
  private partial: Buffer = Buffer.alloc(0)
  /** Bytes that the kernel has not accepted yet; they may begin inside a frame. */
  private unsent: Buffer[] = []
  private unsentBytes = 0

  constructor(
    readonly transport: 'tcp' | 'tls',
    private readonly socket: Socket<StreamClient | undefined>,
    private readonly handlers: StreamHandlers,
    ip: Uint8Array,
    /** When the client connected or lost its allocation. */
    public idleSinceMs: number,
  ) {
    this.address = transportAddress(ip, socket.remotePort)
  }

  /** Sends a response. Responses are small: a client that leaves many unread is disconnected. */
  send(message: Uint8Array): void {
    if (this.unsentBytes > UNSENT_BYTES_MAX) return this.close()
    this.write(message)
  }

  forward(start: number, length: number): void {
    const { bytes, counters } = this.handlers
    if (this.unsentBytes > 0) return void counters.drops.slow_client++
    const paddedLength = padded(length)
    bytes.fill(0, start + length, start + paddedLength)
    this.write(bytes.subarray(start, start + paddedLength))
  }

  private write(bytes: Uint8Array): void {
    const acceptedBytes = this.unsentBytes > 0 ? 0 : Math.max(0, this.socket.write(bytes))
    if (acceptedBytes === bytes.length) return
    this.unsent.push(Buffer.from(bytes.subarray(acceptedBytes)))
    this.unsentBytes += bytes.length - acceptedBytes
  }

  drain(): void {
    while (this.unsent.length > 0) {
      const [first = Buffer.alloc(0)] = this.unsent
      const acceptedBytes = Math.max(0, this.socket.write(first))
      this.unsentBytes -= acceptedBytes
      if (acceptedBytes < first.length) {
        this.unsent[0] = first.subarray(acceptedBytes)
        return
      }
      this.unsent.shift()
    }
  }

  receive(chunk: Buffer): void {
    const bytes = this.partial.length > 0 ? Buffer.concat([this.partial, chunk]) : chunk
    let start = 0
    while (bytes.length - start >= 4) {
      const kind = bytes.readUInt8(start) >> 6
      const size = bytes.readUInt16BE(start + 2)
      // RFC 8656 §12: the first two bits are 00 in a STUN message and 01 in ChannelData.
      if (kind > 1) return this.malformed()
      const length = kind === 0 ? 20 + size : 4 + padded(size)
      if (bytes.length - start < length) break
      if (kind === 1) {
        this.handlers.channelData(this, bytes.readUInt16BE(start), bytes.subarray(start + 4, start + 4 + size))
      } else {
        const message = decode(bytes.subarray(start, start + length))
        if (!message) return this.malformed()
        this.handlers.message(this, message)
      }
      start += length
    }
    if (bytes.length - start > (this.table.size > 0 ? FRAME_BYTES_MAX : FRAME_BYTES_MAX_WITHOUT_ALLOCATION))
      return this.malformed()
    this.partial = Buffer.from(bytes.subarray(start))
  }

  private malformed(): void {
    this.handlers.counters.drops.malformed++
    this.close()
  }

  close(): void {
    this.socket.terminate()
  }
}

/** Listens for clients over TCP or TLS, and manages their connections. */
export class Streams {
  private readonly clients = new Set<StreamClient>()
  private readonly byPrefix = new Map<AddressKey, number>()
  private listener: TCPSocketListener<StreamClient | undefined> | undefined

  constructor(
    private readonly transport: 'tcp' | 'tls',
    private readonly handlers: StreamHandlers,
  ) {}

  /**
   * Listens on every address. Called again, it replaces the listener and keeps its connections.
   * @param port 0 picks a free port
   * @returns the port
   * @throws PortTaken; another Error for an unusable certificate
   */
  listen(port: number, certificate?: Certificate): number {
    const previous = this.listener
    if (previous) {
      this.listener = this.listenOn(port, certificate)
      previous.stop()
      return port
    }
    // The probe fails when another program uses the port. A TLS listener would share the port with that program,
    // because reusePort is set for its successor.
    const probe = this.listenOn(port)
    const free = probe.port
    if (certificate) probe.stop(true)
    this.listener = certificate ? this.listenOn(free, certificate) : probe
    return free
  }

  private listenOn(port: number, certificate?: Certificate): TCPSocketListener<StreamClient | undefined> {
    try {
      return this.listenAt('::', port, certificate)
    } catch (error) {
      if (codeOf(error) === 'EADDRINUSE') throw new PortTaken(port)
      // This machine has no IPv6.
      if (codeOf(error) !== 'EAFNOSUPPORT' && codeOf(error) !== 'EADDRNOTAVAIL') throw error
      return this.listenAt('0.0.0.0', port, certificate)
    }
  }

  private listenAt(hostname: string, port: number, tls: Certificate | undefined) {
    return Bun.listen<StreamClient | undefined>({
      hostname,
      port,
      ...(tls ? { tls, reusePort: true } : {}),
      socket: {
        open: (socket) => this.open(socket),
        // Without a handshake handler, Bun calls open() only after the TLS handshake, and connections that never begin
        // one would not be counted.
        handshake() {},
        data: ({ data: client }, chunk) => {
          this.handlers.updateClock()
          try {
            client?.receive(chunk)
          } catch (error) {
            this.handlers.fault(error)
            client?.close()
          }
        },
        drain: ({ data: client }) => client?.drain(),
        close: ({ data: client }) => client && this.handleClose(client),
        error() {},
      },
    })
  }

  private open(socket: Socket<StreamClient | undefined>): void {
    const ip = parseIp(socket.remoteAddress.replace(/^::ffff:(?=\d+\.)/i, ''))
    const count = (ip && this.byPrefix.get(ipKey(clientPrefix(ip)))) ?? 0
    if (!ip || this.clients.size >= CONNECTIONS_MAX || count >= CONNECTIONS_PER_PREFIX_MAX) {
      this.handlers.counters.drops.limited++
      socket.terminate()
      return
    }
    this.byPrefix.set(ipKey(clientPrefix(ip)), count + 1)
    socket.setNoDelay(true)
    socket.data = new StreamClient(this.transport, socket, this.handlers, ip, performance.now())
    this.clients.add(socket.data)
  }

  private handleClose(client: StreamClient): void {
    if (!this.clients.delete(client)) return
    const site = ipKey(clientPrefix(client.address.ip))
    const clientsLeft = (this.byPrefix.get(site) ?? 1) - 1
    if (clientsLeft > 0) this.byPrefix.set(site, clientsLeft)
    else this.byPrefix.delete(site)
    this.handlers.closed(client)
  }

  /** Closes idle connections without an allocation. */
  sweep(nowMs: number): void {
    for (const client of this.clients) {
      if (client.table.size > 0) client.idleSinceMs = nowMs
      else if (nowMs - client.idleSinceMs > IDLE_SECONDS_MAX * 1000) client.close()
    }
  }

  stop(): void {
    this.listener?.stop(true)
    for (const client of this.clients) client.close()
  }
}
