import type { Socket, TCPSocketListener } from 'bun'
import { type Address, formatAddress, ipKey, type Key, parseIp, siteOf } from '../protocol/addresses.ts'
import type { Client, Home } from './allocation.ts'
import { decode, type Message, padded } from '../protocol/stun.ts'
import type { Tally } from './tally.ts'

const CONNECTIONS_MAX = 2_000
/** From one address, or one /64: a household or an office behind one NAT. */
const CONNECTIONS_PER_SITE_MAX = 100
/** How long a connection without an allocation stays open. */
export const IDLE_SECONDS_MAX = 30
/** The longest frame: a header and what 16 bits can count. */
const FRAME_BYTES_MAX = 65_536 + 20
/** The same of a client without an allocation: it has nothing long to say, and may be anybody. */
const STRANGER_FRAME_BYTES_MAX = 4096
/** What waits for a client that does not read; data beyond it is dropped, as the network would drop it. */
const WAITING_BYTES_MAX = 128 * 1024

/** PEM. */
export interface Certificate {
  cert: string
  key: string
}

/** A port that another program has. */
export class PortTaken extends Error {
  constructor(readonly port: number) {
    super(`port ${port} is taken`)
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

interface StreamHandlers {
  /** The memory of the packets' slots. */
  bytes: Uint8Array
  tally: Tally
  /** Called before anything of a client is looked at. */
  wake(): void
  message(client: Client, message: Message): void
  channelData(client: Client, number: number, data: Uint8Array): void
  gone(client: Client): void
  fault(error: unknown): void
}

/** A client behind TCP or TLS. RFC 8656 §12.5: frames follow each other, a channel's data padded to 4 bytes. */
class StreamClient implements Client {
  readonly home: Home = new Map()
  readonly address: Address
  /** The beginning of a frame that has not come whole. */
  private partial: Buffer = Buffer.alloc(0)
  /** What the system did not take yet; it begins inside a frame. */
  private waiting: Buffer[] = []
  private waiting_bytes = 0

  constructor(
    readonly transport: 'tcp' | 'tls',
    private readonly socket: Socket<StreamClient | undefined>,
    private readonly handlers: StreamHandlers,
    ip: Uint8Array,
    /** When it came, or lost its allocation. */
    public idle_since_ms: number,
  ) {
    this.address = formatAddress(ip, socket.remotePort)
  }

  /** Answers are few: a client that lets many of them wait is gone. */
  send(message: Uint8Array): void {
    if (this.waiting_bytes > WAITING_BYTES_MAX) return this.close()
    this.write(message)
  }

  forward(start: number, length: number): void {
    const { bytes, tally } = this.handlers
    if (this.waiting_bytes > 0) return void tally.drops.slow_client++
    const whole = padded(length)
    bytes.fill(0, start + length, start + whole)
    this.write(bytes.subarray(start, start + whole))
  }

  private write(bytes: Uint8Array): void {
    const taken = this.waiting_bytes > 0 ? 0 : Math.max(0, this.socket.write(bytes))
    if (taken === bytes.length) return
    this.waiting.push(Buffer.from(bytes.subarray(taken)))
    this.waiting_bytes += bytes.length - taken
  }

  drain(): void {
    while (this.waiting.length > 0) {
      const [first = Buffer.alloc(0)] = this.waiting
      const taken = Math.max(0, this.socket.write(first))
      this.waiting_bytes -= taken
      if (taken < first.length) {
        this.waiting[0] = first.subarray(taken)
        return
      }
      this.waiting.shift()
    }
  }

  receive(chunk: Buffer): void {
    const bytes = this.partial.length > 0 ? Buffer.concat([this.partial, chunk]) : chunk
    let start = 0
    while (bytes.length - start >= 4) {
      const kind = bytes.readUInt8(start) >> 6
      const size = bytes.readUInt16BE(start + 2)
      // RFC 8656 §12: 00 begins a message, 01 a channel's data. Nothing else can be told from noise.
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
    if (bytes.length - start > (this.home.size > 0 ? FRAME_BYTES_MAX : STRANGER_FRAME_BYTES_MAX))
      return this.malformed()
    this.partial = Buffer.from(bytes.subarray(start))
  }

  private malformed(): void {
    this.handlers.tally.drops.malformed++
    this.close()
  }

  close(): void {
    this.socket.terminate()
  }
}

/** The streams of clients: TCP, or TLS over it. */
export class Streams {
  private readonly clients = new Set<StreamClient>()
  private readonly by_site = new Map<Key, number>()
  private listener: TCPSocketListener<StreamClient | undefined> | undefined

  constructor(
    private readonly transport: 'tcp' | 'tls',
    private readonly handlers: StreamHandlers,
  ) {}

  /**
   * Listens on every address. A listener that was there goes when the next one is there, its connections stay.
   * @returns the port
   * @throws PortTaken; another Error when the certificate is not usable
   */
  listen(port: number, certificate?: Certificate): number {
    const former = this.listener
    if (former) {
      this.listener = this.listenOn(port, certificate)
      former.stop()
      return port
    }
    // Nobody else listens there: those that may share the port with their successor would share it with strangers.
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
      // A machine without IPv6.
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
        // Without this, Bun tells of a TLS connection after its handshake only: who never shakes hands went uncounted.
        handshake() {},
        data: ({ data: client }, chunk) => {
          this.handlers.wake()
          try {
            client?.receive(chunk)
          } catch (error) {
            this.handlers.fault(error)
            client?.close()
          }
        },
        drain: ({ data: client }) => client?.drain(),
        close: ({ data: client }) => client && this.closed(client),
        error() {},
      },
    })
  }

  private open(socket: Socket<StreamClient | undefined>): void {
    const ip = parseIp(socket.remoteAddress.replace(/^::ffff:(?=\d+\.)/i, ''))
    const count = (ip && this.by_site.get(ipKey(siteOf(ip)))) ?? 0
    if (!ip || this.clients.size >= CONNECTIONS_MAX || count >= CONNECTIONS_PER_SITE_MAX) {
      this.handlers.tally.drops.limited++
      socket.terminate()
      return
    }
    this.by_site.set(ipKey(siteOf(ip)), count + 1)
    socket.setNoDelay(true)
    socket.data = new StreamClient(this.transport, socket, this.handlers, ip, performance.now())
    this.clients.add(socket.data)
  }

  private closed(client: StreamClient): void {
    if (!this.clients.delete(client)) return
    const site = ipKey(siteOf(client.address.ip))
    const left = (this.by_site.get(site) ?? 1) - 1
    if (left > 0) this.by_site.set(site, left)
    else this.by_site.delete(site)
    this.handlers.gone(client)
  }

  /** Closes connections that hold nothing. */
  sweep(now_ms: number): void {
    for (const client of this.clients) {
      if (client.home.size > 0) client.idle_since_ms = now_ms
      else if (now_ms - client.idle_since_ms > IDLE_SECONDS_MAX * 1000) client.close()
    }
  }

  stop(): void {
    this.listener?.stop(true)
    for (const client of this.clients) client.close()
  }
}
