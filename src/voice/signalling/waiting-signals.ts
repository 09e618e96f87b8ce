import { VOICE_FRAME_BYTES_MAX, WAITING_BYTES_MAX } from '../model.ts'

interface Signal {
  /** The voice session that sent the frame. */
  from: string
  frame: string
  bytes: number
}

/** Frames of signalling for a seat whose member has no socket, or one that reads too slowly; the oldest goes first. */
export class WaitingSignals {
  readonly #signals: Signal[] = []

  isEmpty(): boolean {
    return this.#signals.length === 0
  }

  /**
   * Keeps a frame.
   * @param peers how many members may send to this seat: each has a share of the room, or one frame
   * @returns false when the sender's share, or the whole, is full
   */
  push(signal: Signal, peers: number): boolean {
    const share = Math.max(VOICE_FRAME_BYTES_MAX, WAITING_BYTES_MAX / Math.max(1, peers))
    let [own, all] = [signal.bytes, signal.bytes]
    for (const { from, bytes } of this.#signals) {
      all += bytes
      if (from === signal.from) own += bytes
    }
    if (own > share || all > WAITING_BYTES_MAX) return false
    this.#signals.push(signal)
    return true
  }

  shift(): string | undefined {
    return this.#signals.shift()?.frame
  }
}
