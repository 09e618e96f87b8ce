import type { Nodes } from '../../cluster/nodes.ts'
import { Problem } from '../../core/errors.ts'
import type { Heartbeat } from './heartbeat.ts'
import { ANSWER_MS_MAX, type Message, send, UNDERWAY_MAX } from './model.ts'

interface Waiting {
  node: string
  answer: PromiseWithResolvers<unknown>
  timer: Timer
}

/** The requests of this node to others that have no answer yet. */
export class RpcClient {
  readonly #waiting = new Map<number, Waiting>()
  #requests = 0

  constructor(
    private readonly nodes: Nodes,
    private readonly heartbeat: Heartbeat,
  ) {}

  /**
   * Has a node run a client's command.
   * @throws Problem as the node refuses, `unavailable` when it cannot be reached or does not answer in time
   */
  command(node: string, body: Omit<Message<'voice.command'>, 'n'>): Promise<unknown> {
    return this.#request(node, (n) => send(this.nodes, node, 'voice.command', { n, ...body }))
  }

  /** Has a node let its client join another room. @throws Problem as `command` */
  move(node: string, body: Omit<Message<'voice.move'>, 'n'>): Promise<unknown> {
    return this.#request(node, (n) => send(this.nodes, node, 'voice.move', { n, ...body }))
  }

  answered(from: string, { n, d, error }: Message<'voice.answer'>): void {
    if (this.#waiting.get(n)?.node !== from) return
    const answer = this.#end(n)
    if (!error) return answer?.resolve(d)
    const { code, detail, errors } = error
    answer?.reject(new Problem(code, detail, errors && { errors }))
  }

  /** The node answers nothing more. */
  drop(node: string): void {
    for (const [n, waiting] of this.#waiting)
      if (waiting.node === node) this.#end(n)?.reject(new Problem('unavailable'))
  }

  #request(node: string, sendAs: (n: number) => void): Promise<unknown> {
    const { heartbeat } = this
    if (!heartbeat.isOpen() || heartbeat.isSilent(node) || this.#waiting.size >= UNDERWAY_MAX)
      throw new Problem('unavailable')
    const n = ++this.#requests
    const answer = Promise.withResolvers<unknown>()
    const timer = setTimeout(() => this.#end(n)?.reject(new Problem('unavailable')), ANSWER_MS_MAX)
    this.#waiting.set(n, { node, answer, timer })
    sendAs(n)
    return answer.promise
  }

  #end(n: number): PromiseWithResolvers<unknown> | undefined {
    const waiting = this.#waiting.get(n)
    clearTimeout(waiting?.timer)
    this.#waiting.delete(n)
    return waiting?.answer
  }
}
