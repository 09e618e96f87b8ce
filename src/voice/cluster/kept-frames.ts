import type { Nodes } from '../../cluster/nodes.ts'
import { type Message, send } from './model.ts'

/** What is kept for one node, while Redis is away, or it takes long. */
const CHARS_MAX = 4 * 1024 * 1024
const FRAMES_MAX = 20_000
/** A frame that its node has not had for so long is sent again: the node says twice in this time what it has. */
const RESEND_MS = 1_000
/** Frames that the next one of their kind makes worthless. */
const PASSING = /^{"t":"voice\.(active_speaker|sfu\.consumer_score)"/

type Body = Pick<Message<'voice.frame'>, 'client' | 'seat' | 'frame'>

interface Frame {
  n: number
  sent_at: number
  body: Body
}

interface NodeFrames {
  kept: Frame[]
  chars: number
  /** The newest frame that was thrown away because there were too many, while the node may lack it. */
  thrown: Frame | undefined
}

/** The frames to other nodes' clients, each kept until its node has it: what Redis loses is sent again, in order. */
export class KeptFrames {
  readonly #nodes = new Map<string, NodeFrames>()
  /** The number of the newest frame to any node. */
  #n = 0

  constructor(private readonly nodes: Nodes) {}

  send(node: string, body: Body): void {
    if (PASSING.test(body.frame)) return send(this.nodes, node, 'voice.frame', body)
    const to = this.#nodes.get(node) ?? { kept: [], chars: 0, thrown: undefined }
    this.#nodes.set(node, to)
    const after = newestOf(to)
    const frame = { n: ++this.#n, sent_at: performance.now(), body }
    to.kept.push(frame)
    to.chars += body.frame.length
    while (to.chars > CHARS_MAX || to.kept.length > FRAMES_MAX) to.thrown = remove(to, 1)
    this.#send(node, frame, after)
  }

  /** The number of the newest frame to any node. */
  sent(): number {
    return this.#n
  }

  /** The number of the newest frame that the node may lack; 0 for none. */
  newest(node: string): number {
    const to = this.#nodes.get(node)
    return to ? newestOf(to) : 0
  }

  /**
   * The node has every frame up to number `got`: sends those after it again when they are overdue.
   * @returns false when it will never have some of them
   */
  acknowledged(node: string, got: number): boolean {
    const to = this.#nodes.get(node)
    if (!to) return true
    const first = to.kept.findIndex(({ n }) => n > got)
    remove(to, first < 0 ? to.kept.length : first)
    if (to.thrown && to.thrown.n <= got) to.thrown = undefined
    const now = performance.now()
    const isOverdue = (frame: Frame | undefined) => frame !== undefined && now - frame.sent_at >= RESEND_MS
    if (isOverdue(to.thrown)) {
      this.#nodes.delete(node)
      return false
    }
    if (to.thrown || !isOverdue(to.kept[0])) return true
    let after = 0
    for (const frame of to.kept) {
      frame.sent_at = now
      this.#send(node, frame, after)
      after = frame.n
    }
    return true
  }

  /** Forgets the frames to all nodes but these. */
  keepOnly(nodes: string[]): void {
    const left = new Set(nodes)
    for (const node of this.#nodes.keys()) if (!left.has(node)) this.#nodes.delete(node)
  }

  #send(node: string, { n, body }: Frame, after: number): void {
    send(this.nodes, node, 'voice.frame', { ...body, n, after })
  }
}

const newestOf = ({ kept, thrown }: NodeFrames): number => kept.at(-1)?.n ?? thrown?.n ?? 0

/** Removes so many of the oldest frames. @returns the last of them */
function remove(to: NodeFrames, count: number): Frame | undefined {
  const removed = to.kept.splice(0, count)
  for (const { body } of removed) to.chars -= body.frame.length
  return removed.at(-1)
}

/** Which frames of other nodes have arrived here. */
export class ArrivedFrames {
  readonly #newest = new Map<string, number>()

  newest(node: string): number {
    return this.#newest.get(node) ?? 0
  }

  /** Whether a frame is the next one of its node: not one that was here before, and none before it is missing. */
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
