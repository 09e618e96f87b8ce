import type { z } from 'zod'
import type { Nodes } from '../../cluster/nodes.ts'
import { errorCodes, Problem } from '../../core/errors.ts'
import { errorFields, type Log } from '../../core/log.ts'
import { Busy, MediaUnavailable } from '../sfu/process.ts'
import {
  ANSWER_MS_MAX,
  type Answered,
  type Asked,
  type LinkMessage,
  type Op,
  type RequestHandlers,
  requests,
  sendLink,
  UNDERWAY_MAX,
  WAITING_MAX,
} from './model.ts'

/** The other process refused the request, and goes on. */
export class Refused extends Error {}

/** The other process did not answer: it may or may not have done what it was asked. */
export class Unanswered extends Error {}

/** Time that a request of another process counts as running here, ms: that process has given it up long before. */
const RUNNING_MS_MAX = 2 * ANSWER_MS_MAX
const AWAY = 'Processes do not reach each other now'

interface Underway {
  node: string
  op: Op
  answer: PromiseWithResolvers<unknown>
  timer: Timer
}

interface Line {
  underway: number
  waiting: PromiseWithResolvers<void>[]
}

const schemas: { [K in Op]: { d: z.ZodType<Asked<K>>; answer: z.ZodType<Answered<K>> } } = requests

/** Requests about media to other processes, and answers to theirs. */
export class LinkRequests {
  readonly #underway = new Map<number, Underway>()
  /** By process. A crowd that joins at once waits here. */
  readonly #lines = new Map<string, Line>()
  /** Number of requests of each process that run here. */
  readonly #running = new Map<string, number>()
  #n = 0

  constructor(
    private readonly nodes: Nodes,
    private readonly log: Log,
    /** True while messages get through. */
    private readonly isOpen: () => boolean,
  ) {}

  /**
   * Sends a request to another process.
   * @throws Problem `validation_failed`, `not_found` or another one that the process answers
   * @throws Refused if it cannot do it
   * @throws Busy if too many requests wait for it, or no messages get through
   * @throws Unanswered if it does not answer in time, or its answer is malformed
   */
  async ask<K extends Op>(node: string, op: K, d: Asked<K>): Promise<Answered<K>> {
    if (!this.isOpen()) throw new Busy(AWAY)
    const line = this.#lines.get(node) ?? { underway: 0, waiting: [] }
    this.#lines.set(node, line)
    if (line.underway >= UNDERWAY_MAX) await this.#wait(line)
    else line.underway++
    try {
      const { data } = schemas[op].answer.safeParse(await this.#send(node, op, d))
      if (data === undefined) throw new Unanswered('The answer is malformed')
      return data
    } finally {
      const next = line.waiting.shift()
      // The next waiting request takes the free slot, so that no later one overtakes it.
      if (next) next.resolve()
      else line.underway--
      if (line.underway === 0 && this.#lines.get(node) === line) this.#lines.delete(node)
    }
  }

  settle(from: string, { n, d, error }: LinkMessage<'voice.link_answer'>): void {
    const request = this.#underway.get(n)
    if (request?.node !== from) return
    this.#end(n, request)
    if (!error) return request.answer.resolve(d)
    const { code, reason } = error
    const isKnown = code !== undefined && Object.hasOwn(errorCodes, code)
    request.answer.reject(isKnown ? new Problem(code as keyof typeof errorCodes, reason) : new Refused(reason))
  }

  /** Answers a request of another process. */
  async answer(from: string, { n, op, d }: LinkMessage<'voice.link'>, handlers: RequestHandlers): Promise<void> {
    const running = (this.#running.get(from) ?? 0) + 1
    this.#running.set(from, running)
    try {
      // Twice, because a process may have given up requests that still run here.
      if (running > 2 * UNDERWAY_MAX) throw new MediaUnavailable('Too many requests')
      sendLink(this.nodes, from, 'voice.link_answer', { n, d: await inTime(run(from, op, d, handlers)) })
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, 300)
      const code = error instanceof Problem ? { code: error.code } : {}
      if (!(error instanceof Problem || error instanceof MediaUnavailable))
        this.log('debug', 'voice.link', { op, ...errorFields(error) })
      sendLink(this.nodes, from, 'voice.link_answer', { n, error: { reason, ...code } })
    } finally {
      const rest = (this.#running.get(from) ?? 1) - 1
      if (rest > 0) this.#running.set(from, rest)
      else this.#running.delete(from)
    }
  }

  /** Call when the process will answer nothing more. */
  drop(node: string): void {
    // Waiting requests would otherwise be sent now, and each would wait for its answer in vain.
    for (const waiting of this.#lines.get(node)?.waiting.splice(0) ?? [])
      waiting.reject(new Unanswered('The other process is away'))
    for (const [n, request] of this.#underway) if (request.node === node) this.#giveUp(n, request)
  }

  async #wait(line: Line): Promise<void> {
    if (line.waiting.length >= WAITING_MAX) throw new Busy('The process that takes this member is busy')
    const waiting = Promise.withResolvers<void>()
    line.waiting.push(waiting)
    await waiting.promise
  }

  #send(node: string, op: Op, d: unknown): Promise<unknown> {
    const n = ++this.#n
    const answer = Promise.withResolvers<unknown>()
    const timer = setTimeout(() => this.#giveUp(n, request), ANSWER_MS_MAX)
    const request: Underway = { node, op, answer, timer }
    this.#underway.set(n, request)
    sendLink(this.nodes, node, 'voice.link', { n, op, d })
    return answer.promise
  }

  #giveUp(n: number, request: Underway): void {
    if (!this.#underway.has(n)) return
    this.#end(n, request)
    const error = this.isOpen() ? new Unanswered(`The other process does not answer ${request.op}`) : new Busy(AWAY)
    request.answer.reject(error)
  }

  #end(n: number, { timer }: Underway): void {
    clearTimeout(timer)
    this.#underway.delete(n)
  }
}

/** @throws Problem `validation_failed` for a malformed request */
function run<K extends Op>(from: string, op: K, d: unknown, handlers: RequestHandlers): Promise<Answered<K>> {
  const parsed = schemas[op].d.safeParse(d)
  if (!parsed.success) throw new Problem('validation_failed')
  return handlers[op](from, parsed.data)
}

/**
 * A worker that hangs answers no request. They must not count forever: the process has requests to other workers, too.
 * @throws MediaUnavailable after RUNNING_MS_MAX
 */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new MediaUnavailable('The worker does not answer')), RUNNING_MS_MAX)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
