import type { Nodes } from '../../cluster/nodes.ts'
import { type Message, send } from './model.ts'

/** Buffer per node, for the time while Redis is away or slow. */
const CHARS_MAX = 4 * 1024 * 1024
const FRAMES_MAX = 20_000
/** An unacknowledged frame is resent after this time. Nodes acknowledge twice within it. */
const RESEND_MS = 1_000
/** Frames that are worthless once the next one of their kind exists. */
const PASSING = /^{"t":"voice\.(active_speaker|sfu\.consumer_score)"/

type Body = Pick<Message<'voice.frame'>, 'client' | 'seat' | 'frame' | 'adopts'>

interface Frame {
  n: number
  sent_at: number
  body: Body
}

interface NodeFrames {
  frames: Frame[]
  chars: number
  /** The newest frame dropped for lack of space that the node may not have. */
  newestDropped: Frame | undefined
}

/**
 * Frames for other nodes' clients, buffered until their node acknowledges them. Frames that Redis loses are resent in
 * order.
 */
export class KeptFrames {
  readonly #nodes = new Map<string, NodeFrames>()
  /** Number of the newest frame to any node. */
  #n = 0
  /** The number of the newest frame when each answer was made. */
  readonly #answers = new WeakMap<object, number>()

  constructor(private readonly nodes: Nodes) {}

  send(node: string, body: Body): void {
    if (PASSING.test(body.frame)) return send(this.nodes, node, 'voice.frame', body)
    const to = this.#nodes.get(node) ?? { frames: [], chars: 0, newestDropped: undefined }
    this.#nodes.set(node, to)
    const after = newestOf(to)
    const frame = { n: ++this.#n, sent_at: performance.now(), body }
    to.frames.push(frame)
    to.chars += body.frame.length
    while (to.chars > CHARS_MAX || to.frames.length > FRAMES_MAX) to.newestDropped = remove(to, 1)
    this.#send(node, frame, after)
  }

  /** Call in the same step that makes an answer: it reflects exactly the frames so far. */
  mark(answer: object): void {
    this.#answers.set(answer, this.#n)
  }

  /** Number of the newest frame that is older than an answer. */
  newestBefore(answer: unknown): number {
    return (typeof answer === 'object' && answer !== null ? this.#answers.get(answer) : undefined) ?? this.#n
  }

  /** Number of the newest frame that the node may lack; 0 for none. */
  newest(node: string): number {
    const to = this.#nodes.get(node)
    return to ? newestOf(to) : 0
  }

  /**
   * Call when the node has every frame up to `newestReceived`. Resends later ones that are overdue.
   * @returns false if some were dropped, so that the node will never have them
   */
  acknowledge(node: string, newestReceived: number): boolean {
    const to = this.#nodes.get(node)
    if (!to) return true
    const first = to.frames.findIndex(({ n }) => n > newestReceived)
    remove(to, first < 0 ? to.frames.length : first)
    if (to.newestDropped && to.newestDropped.n <= newestReceived) to.newestDropped = undefined
    const now = performance.now()
    const isOverdue = (frame: Frame | undefined) => frame !== undefined && now - frame.sent_at >= RESEND_MS
    if (isOverdue(to.newestDropped)) {
      this.#nodes.delete(node)
      return false
    }
    if (to.newestDropped || !isOverdue(to.frames[0])) return true
    let after = 0
    for (const frame of to.frames) {
      frame.sent_at = now
      this.#send(node, frame, after)
      after = frame.n
    }
    return true
  }

  /** Forgets the frames for all nodes but these. */
  keepOnly(nodes: string[]): void {
    const present = new Set(nodes)
    for (const node of this.#nodes.keys()) if (!present.has(node)) this.#nodes.delete(node)
  }

  #send(node: string, { n, body }: Frame, after: number): void {
    send(this.nodes, node, 'voice.frame', { ...body, n, after })
  }
}

const newestOf = ({ frames, newestDropped }: NodeFrames): number => frames.at(-1)?.n ?? newestDropped?.n ?? 0

/** Removes this many of the oldest frames. @returns the last one removed */
function remove(to: NodeFrames, count: number): Frame | undefined {
  const removedFrames = to.frames.splice(0, count)
  for (const { body } of removedFrames) to.chars -= body.frame.length
  return removedFrames.at(-1)
}

/** Tracks which frames of other nodes have arrived here. */
export class ArrivedFrames {
  readonly #newest = new Map<string, number>()

  newest(node: string): number {
    return this.#newest.get(node) ?? 0
  }

  /** True if a frame is the next one of its node: not a repetition, and none before it is missing. */
  isNext(node: string, { n, after = 0 }: Message<'voice.frame'>): boolean {
    if (n === undefined) return true
    const newest = this.newest(node)
    if (n <= newest || after > newest) return false
    this.#newest.set(node, n)
    return true
  }

  forget(node: string): void {
    this.#newest.delete(node)
  }
}
