import { Problem } from '../../core/errors.ts'

interface Rate {
  burstBytes: number
  bytesPerSecond: number
}

/** Budget of one sender: a member of a mesh of eight sends offers and candidates to all others at once. */
export const SENT: Rate = { burstBytes: 256 * 1024, bytesPerSecond: 32 * 1024 }
/** Budget of one receiver, for all its peers; with the frames queued for its socket, below OUTBOUND_BYTES_MAX. */
export const RECEIVED: Rate = { burstBytes: 512 * 1024, bytesPerSecond: 128 * 1024 }

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
  readonly #sentUsage = new Map<number, Usage>()
  readonly #receivedUsage = new Map<number, Usage>()

  /**
   * Charges a frame to the budgets of its sender and its receiver.
   * @param now ms
   * @throws Problem `rate_limited` if either budget is exhausted; then neither is charged
   */
  take(from: number, to: number, bytes: number, now: number): void {
    const [sentBytes, receivedBytes] = [
      usageAt(this.#sentUsage, from, SENT, now),
      usageAt(this.#receivedUsage, to, RECEIVED, now),
    ]
    const waitS = Math.max(waitFor(sentBytes, SENT, bytes), waitFor(receivedBytes, RECEIVED, bytes))
    if (waitS > 0) throw new Problem('rate_limited', 'Too many bytes of signalling', { retry_after: waitS })
    this.#sentUsage.set(from, { bytes: sentBytes + bytes, at: now })
    this.#receivedUsage.set(to, { bytes: receivedBytes + bytes, at: now })
  }

  /**
   * Charges bytes to the budget of their sender.
   * @param now ms
   * @throws Problem `rate_limited` if it is exhausted; then nothing is charged
   */
  takeSent(from: number, bytes: number, now: number): void {
    const sentBytes = usageAt(this.#sentUsage, from, SENT, now)
    const waitS = waitFor(sentBytes, SENT, bytes)
    if (waitS > 0) throw new Problem('rate_limited', 'Too many bytes of signalling', { retry_after: waitS })
    this.#sentUsage.set(from, { bytes: sentBytes + bytes, at: now })
  }

  /** Drops accounts whose budget is full again. @param now ms */
  prune(now: number): void {
    for (const userId of this.#sentUsage.keys())
      if (usageAt(this.#sentUsage, userId, SENT, now) === 0) this.#sentUsage.delete(userId)
    for (const userId of this.#receivedUsage.keys())
      if (usageAt(this.#receivedUsage, userId, RECEIVED, now) === 0) this.#receivedUsage.delete(userId)
  }
}

function usageAt(usages: Map<number, Usage>, userId: number, { bytesPerSecond }: Rate, now: number): number {
  const usage = usages.get(userId)
  return usage ? Math.max(0, usage.bytes - (Math.max(0, now - usage.at) / 1000) * bytesPerSecond) : 0
}

/** Whole seconds until this many bytes fit; 0 if they fit now. */
const waitFor = (usedBytes: number, { burstBytes, bytesPerSecond }: Rate, bytes: number): number =>
  Math.max(0, Math.ceil((usedBytes + bytes - burstBytes) / bytesPerSecond))
