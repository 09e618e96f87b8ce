import { expect } from 'bun:test'
import { inflateRawSync } from 'node:zlib'
import { events } from '../../src/api/asyncapi.ts'
import { CommandAnswer, type CommandName, commands } from '../../src/gateway/model.ts'
import type { Parley } from '../../src/parley.ts'
import { hit } from './coverage.ts'
import { expectExactly, type Person } from './harness.ts'
import { HANG_MS } from './until.ts'

export interface Frame {
  t: string
  s?: number
  replayed?: boolean
  d: any
}

/** Events without `s` after the receiver's own membership or permissions have changed. */
const SOMETIMES_EPHEMERAL = ['server.deleted', 'channel.created', 'channel.deleted', 'channel.own_overwrite_updated']

/** A gateway client that checks every frame it receives against its schema. */
export class Gateway {
  readonly frames: Frame[] = []
  /** The frames that arrived compressed. */
  readonly compressed = new Set<Frame>()
  readonly closed: Promise<{ code: number; reason: string }>
  readonly socket: WebSocket
  fault: Error | undefined
  #waiting = new Set<() => void>()
  #answers = new Map<number, (answer: any) => void>()
  #commands = 0

  constructor(url: string, options?: { headers: Record<string, string> }) {
    this.socket = new WebSocket(url, options as never)
    this.socket.binaryType = 'arraybuffer'
    const { promise, resolve } = Promise.withResolvers<{ code: number; reason: string }>()
    this.closed = promise
    this.socket.onclose = ({ code, reason }) => {
      resolve({ code, reason })
      for (const wake of this.#waiting) wake()
    }
    this.socket.onmessage = ({ data }) => {
      try {
        if (typeof data === 'string') this.#receive(JSON.parse(data))
        else this.#receive(this.#unpacked(data))
      } catch (error) {
        this.fault = error as Error
      }
      for (const wake of this.#waiting) wake()
    }
  }

  #unpacked(data: ArrayBuffer): any {
    const frame = JSON.parse(inflateRawSync(data).toString())
    this.compressed.add(frame)
    return frame
  }

  #receive(frame: any): void {
    if ('re' in frame) {
      expectExactly(CommandAnswer, frame, 'answer')
      if ('error' in frame) hit(`error ${frame.error.code}`)
      this.#answers.get(frame.re)?.(frame)
      return
    }
    const event = events[frame.t]
    if (!event) throw new Error(`${frame.t} is not a declared event`)
    hit(`event ${frame.t}`)
    expectExactly(event.schema, frame.d, frame.t)
    if (!event.resource) expect(frame.s).toBeUndefined()
    else if (!SOMETIMES_EPHEMERAL.includes(frame.t)) expect(frame.s).toBeInteger()
    this.frames.push(frame)
  }

  /** The first frame of this type that passes: one received before, or the next within `ms`. */
  async next(type: string, passes: (frame: Frame) => boolean = () => true, ms = HANG_MS): Promise<Frame> {
    const deadline = Date.now() + ms
    for (;;) {
      if (this.fault) throw this.fault
      const frame = this.frames.find((candidate) => candidate.t === type && passes(candidate))
      if (frame) return frame
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error(`closed before ${type} came`)
      const remaining = deadline - Date.now()
      if (remaining <= 0)
        throw new Error(`${type} did not come; there were ${this.frames.map((frame) => frame.t).join(', ')}`)
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting.add(resolve)
      await Promise.race([promise, Bun.sleep(remaining)])
      this.#waiting.delete(resolve)
    }
  }

  of = (type: string): Frame[] => this.frames.filter((frame) => frame.t === type)

  /** Sends a command and returns its answer, checked against the command's schema. */
  async command(op: CommandName, d: unknown = {}): Promise<any> {
    const id = ++this.#commands
    const { promise, resolve } = Promise.withResolvers<any>()
    this.#answers.set(id, resolve)
    this.socket.send(JSON.stringify({ op, id, d }))
    const answer = await Promise.race([
      promise,
      Bun.sleep(HANG_MS).then(() => Promise.reject(new Error(`${op} was not answered`))),
    ])
    this.#answers.delete(id)
    if ('d' in answer) {
      hit(`command ${op}`)
      expectExactly(commands[op].answer, answer.d, op)
    }
    return answer
  }

  /** A round trip, after which everything published before has arrived. */
  async settled(): Promise<void> {
    await this.command('ping')
    if (this.fault) throw this.fault
  }

  close(): void {
    this.socket.close()
  }
}

/** The gateway's address. */
export const gatewayUrl = (parley: Parley, query: string): string => `${parley.url.replace('http', 'ws')}/ws?${query}`

/** Connects and waits for `synced`. */
export async function connect(who: Person, query = ''): Promise<Gateway> {
  const gateway = new Gateway(gatewayUrl(who.parley, `token=${who.token}${query}`))
  await gateway.next('synced')
  expect(gateway.frames[0]?.t).toBe('ready')
  return gateway
}

/** The newest `s` that the client has received. */
export const newestS = (gateway: Gateway): number =>
  Math.max(...gateway.frames.map((frame) => (frame.t === 'synced' ? frame.d.s : (frame.s ?? 0))))
