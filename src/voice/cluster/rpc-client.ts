import type { Nodes } from '../../cluster/nodes.ts'
import { Problem } from '../../core/errors.ts'
import type { Heartbeat } from './heartbeat.ts'
import { ANSWER_MS_MAX, type Message, send, UNDERWAY_MAX } from './model.ts'

/** A request follows a room that is handed over again and again this often. */
const MOVES_MAX = 3

/** An answer, and the number of the last frame that its node sent before it. */
interface Answered {
  d: unknown
  frames: number
  /** Another one than the request was sent to if the client's room had been handed over. */
  node: string
}

interface OpenRequest {
  node: string
  /** True if the node waits for a confirmation that the answer arrived. */
  isJoin: boolean
  answer: PromiseWithResolvers<Answered>
  timer: Timer
  sendAs: (n: number, node: string) => void
  /** How many nodes have sent it on. */
  moves: number
}

/** This node's unanswered requests to other nodes. */
export class RpcClient {
  readonly #openRequests = new Map<number, OpenRequest>()
  #requests = 0

  constructor(
    private readonly nodes: Nodes,
    private readonly heartbeat: Heartbeat,
  ) {}

  /**
   * Makes a node run a client's command. A join that is given up leaves no seat there.
   * @param unwanted gives the command up if it is aborted before the answer
   * @throws Problem if the node refuses; `not_found` if unwanted; `unavailable` if the node is unreachable or does not
   * answer
   * in time
   */
  async command(
    node: string,
    body: Omit<Message<'voice.command'>, 'n' | 'wait_ms'>,
    unwanted?: AbortSignal,
  ): Promise<Answered> {
    const isJoin = body.op === 'voice.join'
    const wait = isJoin ? { wait_ms: ANSWER_MS_MAX } : {}
    const sendAs = (n: number, to: string) => send(this.nodes, to, 'voice.command', { n, ...body, ...wait })
    return this.#request(node, isJoin, sendAs, unwanted)
  }

  /** Makes a node let its client join another room. @throws Problem as `command` */
  move(node: string, body: Omit<Message<'voice.move'>, 'n'>): Promise<unknown> {
    return this.#request(node, false, (n) => send(this.nodes, node, 'voice.move', { n, ...body }))
  }

  /** Makes a node continue a room of this one. @throws Problem as `command` */
  take(node: string, room: Message<'voice.take'>['room']): Promise<unknown> {
    return this.#request(node, false, (n) => send(this.nodes, node, 'voice.take', { n, room }))
  }

  settle(from: string, { n, d, error, moved, frames = 0 }: Message<'voice.answer'>): void {
    const request = this.#openRequests.get(n)
    if (request?.node !== from) return
    this.#end(n, request)
    if (moved !== undefined) return this.#repeat(request, moved)
    if (request.isJoin && !error) send(this.nodes, from, 'voice.confirm', { n })
    if (!error) return request.answer.resolve({ d, frames, node: from })
    const { code, detail, errors } = error
    request.answer.reject(new Problem(code, detail, errors && { errors }))
  }

  /** Call when the node will answer nothing more. */
  drop(node: string): void {
    for (const [n, request] of this.#openRequests) if (request.node === node) this.#giveUp(n, request)
  }

  #request(
    node: string,
    isJoin: boolean,
    sendAs: (n: number, node: string) => void,
    unwanted?: AbortSignal,
  ): Promise<Answered> {
    const { heartbeat } = this
    if (unwanted?.aborted) throw new Problem('not_found')
    if (!heartbeat.isOpen() || heartbeat.isSilent(node) || this.#openRequests.size >= UNDERWAY_MAX)
      throw new Problem('unavailable')
    const n = ++this.#requests
    const answer = Promise.withResolvers<Answered>()
    const timer = setTimeout(() => this.#giveUp(n, request), ANSWER_MS_MAX)
    const request: OpenRequest = { node, isJoin, answer, timer, sendAs, moves: 0 }
    this.#openRequests.set(n, request)
    unwanted?.addEventListener('abort', () => this.#giveUp(n, request, 'not_found'))
    sendAs(n, node)
    return answer.promise
  }

  /** Sends a request to the node that has the room now. A join is never sent on. */
  #repeat({ isJoin, answer, sendAs, moves }: OpenRequest, node: string): void {
    if (isJoin || moves >= MOVES_MAX || this.heartbeat.isSilent(node)) return answer.reject(new Problem('unavailable'))
    const n = ++this.#requests
    const timer = setTimeout(() => this.#giveUp(n, request), ANSWER_MS_MAX)
    const request: OpenRequest = { node, isJoin, answer, timer, sendAs, moves: moves + 1 }
    this.#openRequests.set(n, request)
    sendAs(n, node)
  }

  #giveUp(n: number, request: OpenRequest, code: 'unavailable' | 'not_found' = 'unavailable'): void {
    if (!this.#openRequests.has(n)) return
    this.#end(n, request)
    if (request.isJoin) send(this.nodes, request.node, 'voice.cancel', { n })
    request.answer.reject(new Problem(code))
  }

  #end(n: number, { timer }: OpenRequest): void {
    clearTimeout(timer)
    this.#openRequests.delete(n)
  }
}
