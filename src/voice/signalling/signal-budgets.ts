import { Problem } from '../../core/errors.ts'

interface Rate {
  burst_bytes: number
  bytes_per_second: number
}

/** What one account may send to its peers: a member of a mesh of eight offers and trickles to all others at once. */
export const SENT: Rate = { burst_bytes: 256 * 1024, bytes_per_second: 32 * 1024 }
/** What one account receives of all its peers; with what its socket may hold back, less than OUTBOUND_BYTES_MAX. */
export const RECEIVED: Rate = { burst_bytes: 512 * 1024, bytes_per_second: 128 * 1024 }

interface Usage {
  /** Bytes taken and not yet given back by the passing of time. */
  bytes: number
  /** When `bytes` was true, ms. */
  at: number
}

/** How much signalling each account sends and receives. Accounts, not seats: who joins again does not begin anew. */
export class SignalBudgets {
  readonly #sent = new Map<number, Usage>()
  readonly #received = new Map<number, Usage>()

  /**
   * Takes a frame from the budgets of the account that sends it and the account that receives it.
   * @param now ms
   * @throws Problem `rate_limited` when either budget has no room; neither is changed then
   */
  take(from: number, to: number, bytes: number, now: number): void {
    const [sent, received] = [usageAt(this.#sent, from, SENT, now), usageAt(this.#received, to, RECEIVED, now)]
    const wait_s = Math.max(waitFor(sent, SENT, bytes), waitFor(received, RECEIVED, bytes))
    if (wait_s > 0) throw new Problem('rate_limited', 'Too many bytes of signalling', { retry_after: wait_s })
    this.#sent.set(from, { bytes: sent + bytes, at: now })
    this.#received.set(to, { bytes: received + bytes, at: now })
  }

  /** Forgets the accounts that have their whole budget again. @param now ms */
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

/** Whole seconds until so many bytes fit; 0 when they fit now. */
const waitFor = (used: number, { burst_bytes, bytes_per_second }: Rate, bytes: number): number =>
  Math.max(0, Math.ceil((used + bytes - burst_bytes) / bytes_per_second))
