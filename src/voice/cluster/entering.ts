import type { Message } from './model.ts'

type Frame = Message<'voice.frame'>

/**
 * The nodes that a client asks for a seat. Their numbered frames wait for the answer, because it contains the earlier
 * ones: a client that applied them after it would, for instance, go on showing a member who has left.
 */
export class Entering {
  /** Bounded by what a node keeps of frames that are not acknowledged, and by the time that an answer may take. */
  readonly #nodes = new Map<string, { requests: number; frames: Frame[] }>()

  isIdle(): boolean {
    return this.#nodes.size === 0
  }

  begin(node: string): void {
    const present = this.#nodes.get(node)
    if (present) present.requests++
    else this.#nodes.set(node, { requests: 1, frames: [] })
  }

  /** @returns true if the frame waits */
  keeps(node: string, frame: Frame): boolean {
    const present = frame.n === undefined ? undefined : this.#nodes.get(node)
    present?.frames.push(frame)
    return present !== undefined
  }

  /** Call when a request is answered or given up. @returns the frames that have waited, after the last request */
  end(node: string): Frame[] {
    const present = this.#nodes.get(node)
    if (!present || --present.requests > 0) return []
    this.#nodes.delete(node)
    return present.frames
  }
}
