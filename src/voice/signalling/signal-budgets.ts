import { Problem } from '../../core/errors.ts'

interface Rate {
  burst_bytes: number
  bytes_per_second: number
}

/** Budget of one sender: a member of a mesh of eight sends offers and candidates to all others at once. */
export const SENT: Rate = { burst_bytes: 256 * 1024, bytes_per_second: 32 * 1024 }
/** Budget of one receiver, for all its peers; with the frames queued for its socket, below OUTBOUND_BYTES_MAX. */
export const RECEIVED: Rate = { burst_bytes: 512 * 1024, bytes_per_second: 128 * 1024 }

interface Usage {
  /** Bytes used and not yet refilled. */
  bytes: number
  /** When `bytes` was computed, ms. */
  at: number
}

/**
 * Limits the signalling that each account sends and receives. Per account rather than per seat, so that joining again
 * does not reset it.
 */
export class SignalBudgets {
  readonly #sent = new Map<number, Usage>()
  readonly #received = new Map<number, Usage>()

  /**
   * Charges a frame to the budgets of its sender and its receiver.
   * @param now ms
   * @throws Problem `rate_limited` if either budget is exhausted; then neither is charged
   */
  take(from: number, to: number, bytes: number, now: number): void {
    const [sent, received] = [usageAt(this.#sent, from, SENT, now), usageAt(this.#received, to, RECEIVED, now)]
    const wait_s = Math.max(waitFor(sent, SENT, bytes), waitFor(received, RECEIVED, bytes))
    if (wait_s > 0) throw new Problem('rate_limited', 'Too many bytes of signalling', { retry_after: wait_s })
    this.#sent.set(from, { bytes: sent + bytes, at: now })
    this.#received.set(to, { bytes: received + bytes, at: now })
  }

  /** Drops accounts whose budget is full again. @param now ms */
  prune(now: number): void {
    for (const user_id of this.#sent.keys())
      if (usageAt(this.#sent, user_id, SENT, now) === 0) this.#sent.delete(user_id)
    for (const user_id of this.#received.keys())
      if (usageAt(this.#received, user_id, RECEIVED, now) === 0) this.#received.delete(user_id)
  }
}

function usageAt(usages: Map<number, Usage>, user_id: number, { bytes_per_second }: Rate, now: number): number {
  const usage = usages.get(user_id)
  return usage ? Math.max(0, usage.bytes - (Math.max(0, now - usage.at) / 1000) * bytes_per_second) : 0
}

/** Whole seconds until this many bytes fit; 0 if they fit now. */
const waitFor = (used: number, { burst_bytes, bytes_per_second }: Rate, bytes: number): number =>
  Math.max(0, Math.ceil((used + bytes - burst_bytes) / bytes_per_second))
