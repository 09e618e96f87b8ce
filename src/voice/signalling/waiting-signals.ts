import { VOICE_FRAME_BYTES_MAX, WAITING_BYTES_MAX } from '../model.ts'

interface Signal {
  /** The voice session that sent the frame. */
  from: string
  frame: string
  bytes: number
}

/** Queued signalling for a seat whose member has no socket or reads too slowly, oldest first. */
export class WaitingSignals {
  readonly #signals: Signal[] = []

  isEmpty(): boolean {
    return this.#signals.length === 0
  }

  /**
   * Queues a frame.
   * @param peers number of members who may send to this seat: each gets a share of the space, or one frame
   * @returns false if the sender's share, or the whole queue, is full
   */
  push(signal: Signal, peers: number): boolean {
    const share = Math.max(VOICE_FRAME_BYTES_MAX, WAITING_BYTES_MAX / Math.max(1, peers))
    let [senderBytes, allBytes] = [signal.bytes, signal.bytes]
    for (const { from, bytes } of this.#signals) {
      allBytes += bytes
      if (from === signal.from) senderBytes += bytes
    }
    if (senderBytes > share || allBytes > WAITING_BYTES_MAX) return false
    this.#signals.push(signal)
    return true
  }

  shift(): string | undefined {
    return this.#signals.shift()?.frame
  }
}
