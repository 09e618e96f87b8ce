import { expect } from 'bun:test'
import type { Person } from './harness.ts'
import { connect, type Gateway, newestS } from './socket.ts'
import type { Server } from './standby.ts'

/** The DATABASE_URL that names both servers. The driver's `read-write` would take a standby for a primary. */
export const bothOf = ({ primary, standby }: { primary: Server; standby: Server }): string =>
  `postgres://parley@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/parley?target_session_attrs=read-write`

/**
 * Sends messages to a channel one after another, as a client does: what is not acknowledged is sent again with the same
 * nonce.
 */
export class Sending {
  /** The acknowledged messages, in the order of their acknowledgement. */
  readonly acknowledged: { id: number; content: string }[] = []
  /** Answers other than an acknowledgement. */
  readonly refusals: number[] = []
  #cuts = 0
  #isEnding = false
  readonly #ended: Promise<void>

  /** @param cutsMax requests that may end without an answer: with 502 of HAProxy, or with the connection */
  constructor(
    private readonly author: Person,
    private readonly channelId: number,
    private readonly cutsMax = 0,
  ) {
    this.#ended = this.#run()
  }

  /** Ends after the message under way is acknowledged. */
  async end(): Promise<void> {
    this.#isEnding = true
    await this.#ended
  }

  async #run(): Promise<void> {
    for (let n = 0; !this.#isEnding; n++) {
      const content = `${this.author.username} ${n}`
      for (let isSent = false; !isSent;) {
        const { status, body } = await this.#post(content)
        isSent = status === 201 || status === 200
        if (isSent && body) this.acknowledged.push({ id: body.id, content })
        else if (status !== 502 || ++this.#cuts > this.cutsMax) {
          this.refusals.push(status)
          await Bun.sleep(50)
        }
      }
    }
  }

  async #post(content: string): Promise<{ status: number; body?: { id: number } }> {
    try {
      return await this.author.post(`/api/channels/${this.channelId}/messages`, { content, nonce: content })
    } catch (error) {
      if (this.cutsMax === 0) throw error
      return { status: 502 }
    }
  }
}

/** A client's socket, which opens again when it is closed and resumes if it may. */
export class Watching {
  /** Contents of the received messages, with the number of sockets opened when each first came. */
  readonly seen = new Map<string, number>()
  /** How each new socket after the first began. */
  readonly reopened: ('resumed' | 'afresh')[] = []
  /** The codes with which sockets were closed. */
  readonly codes: number[] = []
  /** Set when a message came twice on one socket, or an event's `s` went back. */
  readonly faults: string[] = []
  #socket: Gateway | undefined
  #newest = 0
  #isEnding = false
  #ended: Promise<void> = Promise.resolve()

  static async open(who: Person): Promise<Watching> {
    const watching = new Watching()
    watching.#socket = await connect(who)
    watching.#ended = watching.#run(who)
    return watching
  }

  async end(): Promise<void> {
    this.#isEnding = true
    this.#take()
    this.#socket?.close()
    await this.#ended
  }

  /** The contents received so far. */
  contents(): Set<string> {
    this.#take()
    return new Set(this.seen.keys())
  }

  /** The `s` of the newest event received. */
  newest(): number {
    this.#take()
    return this.#newest
  }

  #take(): void {
    if (this.#socket) this.#newest = Math.max(this.#newest, newestS(this.#socket))
    if (this.#socket?.fault) this.faults.push(String(this.#socket.fault))
    for (const { d } of this.#socket?.of('message.created') ?? []) this.seen.set(d.content, this.reopened.length)
  }

  async #run(who: Person): Promise<void> {
    while (!this.#isEnding) {
      const closed = await this.#socket?.closed
      if (this.#isEnding) return
      if (closed) this.codes.push(closed.code)
      this.#take()
      const s = this.#socket ? newestS(this.#socket) : 0
      this.#socket = undefined
      while (!this.#socket && !this.#isEnding) this.#socket = await connect(who, `&s=${s}`).catch(() => undefined)
      if (this.#socket) this.reopened.push(this.#socket.frames[0]?.d.resumed ? 'resumed' : 'afresh')
    }
  }
}

/** The number of messages of the database with each content, as text `content|count`, where it is not one. */
export const doubled = (server: Server): string =>
  server.psql('select content, count(*) from messages group by content having count(*) > 1')

/** The contents of the messages that the server has. */
export const contentsOf = (server: Server): Set<string> =>
  new Set(server.psql('select content from messages').split('\n'))

/** Each person is answered 503 while there is no primary, never 500. */
export function expectOnlyAway(sendings: Sending[]): void {
  expect([...new Set(sendings.flatMap(({ refusals }) => refusals))].filter((status) => status !== 503)).toEqual([])
}
