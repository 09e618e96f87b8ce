import { randomBytes } from 'node:crypto'
import { createConnection, type Socket } from 'node:net'
import type { Parley } from '../../src/parley.ts'
import { until } from './harness.ts'

/** RFC 6455 §5.2. */
export const opcode = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** A WebSocket client without a library: it answers no pings, may stop reading, and can send invalid frames. */
export class RawSocket {
  readonly tcp: Socket
  /** The head of the answer to the handshake, once it is complete. */
  head = ''
  /** The frames received; the payload of a text frame as UTF-8, of another frame as Latin-1. */
  readonly frames: { opcode: number; payload: string }[] = []
  bytes = 0
  hasEnded = false
  #pending: Buffer = Buffer.alloc(0)

  constructor(parley: Parley, query: string, headers: Record<string, string> = {}) {
    const { hostname, port, host } = new URL(parley.url)
    this.tcp = createConnection(Number(port), hostname)
    this.tcp.on('data', (chunk: Buffer) => this.#read(chunk))
    this.tcp.on('close', () => (this.hasEnded = true))
    this.tcp.on('error', () => (this.hasEnded = true))
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    this.tcp.write(
      [
        `GET /ws?${query} HTTP/1.1`,
        `Host: ${host}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
        ...lines,
        '\r\n',
      ].join('\r\n'),
    )
  }

  #read(chunk: Buffer): void {
    this.bytes += chunk.length
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    if (!this.head) {
      const end = this.#pending.indexOf('\r\n\r\n')
      if (end < 0) return
      this.head = this.#pending.subarray(0, end).toString()
      this.#pending = this.#pending.subarray(end + 4)
    }
    if (this.head.startsWith('HTTP/1.1 101')) while (this.#takeFrame());
  }

  /** Takes one complete frame from the pending bytes. @returns whether there was one */
  #takeFrame(): boolean {
    const data = this.#pending
    if (data.length < 2) return false
    const short = data.readUInt8(1) & 127
    const start = short < 126 ? 2 : short === 126 ? 4 : 10
    if (data.length < start) return false
    const length = short < 126 ? short : short === 126 ? data.readUInt16BE(2) : Number(data.readBigUInt64BE(2))
    if (data.length < start + length) return false
    const kind = data.readUInt8(0) & 15
    const encoding = kind === opcode.text ? 'utf8' : 'latin1'
    this.frames.push({ opcode: kind, payload: data.subarray(start, start + length).toString(encoding) })
    this.#pending = data.subarray(start + length)
    return true
  }

  /** Sends one masked frame. */
  send(kind: number, payload: string | Buffer): void {
    const data = Buffer.from(payload)
    const mask = randomBytes(4)
    const head = data.length < 126 ? Buffer.from([0x80 | kind, 0x80 | data.length]) : Buffer.alloc(4)
    if (data.length >= 126) {
      head.writeUInt8(0x80 | kind, 0)
      head.writeUInt8(0x80 | 126, 1)
      head.writeUInt16BE(data.length, 2)
    }
    this.tcp.write(Buffer.concat([head, mask, data.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]))
  }

  /** Waits for an event of that type. */
  async next(type: string): Promise<void> {
    await until(() => this.frames.some((frame) => frame.payload.startsWith(`{"t":"${type}"`)))
  }

  /** The body of the refusal, when the upgrade was refused. */
  get rest(): string {
    return this.#pending.toString()
  }

  destroy(): void {
    this.tcp.destroy()
  }
}
