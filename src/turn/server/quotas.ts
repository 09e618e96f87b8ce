/** The bucket holds the bytes of 2 s, so that a keyframe of a shared screen passes. */
const BURST_SECONDS = 2

/** An account with fewer ports than this may take another as long as any is free. */
const PORTS_MIN = 4

/**
 * Relay ports that one account may use: its quota while half of all ports are free, then less in proportion to the
 * free ones. With 1,000 ports and a quota of 40, 25 accounts that take all they can get about 26 each and leave 330
 * free; a hundred get about 8 each. Exhausting the range takes some two hundred such accounts.
 * @param free unused ports
 * @param total ports of the range
 */
export const portShare = (free: number, total: number, quota: number): number =>
  Math.min(quota, Math.max(PORTS_MIN, Math.floor((quota * 2 * free) / total)))

/** Usage of one account. */
export interface AccountUsage {
  user_id: number
  /** Relay ports in use, reserved ones included. */
  ports: number
  /** Bytes left in the bucket. */
  bytes: number
  filledMs: number
}

/** Limits of one account. RFC 8656 §7.2: quotas are by username, not by address. */
export class Quotas {
  private readonly accounts = new Map<number, AccountUsage>()
  constructor(private readonly limits: { allocations: number; bytes_per_s: number }) {}

  account(user_id: number): AccountUsage {
    let account = this.accounts.get(user_id)
    if (!account) {
      const bytes = this.limits.bytes_per_s * BURST_SECONDS
      account = { user_id, ports: 0, bytes, filledMs: Number.NEGATIVE_INFINITY }
      this.accounts.set(user_id, account)
    }
    return account
  }

  /** Takes ports for the account if its share of the free ports allows it. */
  take(account: AccountUsage, ports: number, { free, total }: { free: number; total: number }): boolean {
    const { allocations } = this.limits
    // If no port is free, answer that (508) rather than that the share is used up.
    const share = free > 0 ? portShare(free, total, allocations) : allocations
    if (ports > 0 && account.ports + ports > share) return false
    account.ports += ports
    return true
  }

  release(account: AccountUsage, ports: number): void {
    account.ports -= ports
  }

  /** True if the account's rate allows these bytes now; counts them if so. */
  charge(account: AccountUsage, bytes: number, nowMs: number): boolean {
    const { bytes_per_s } = this.limits
    if (nowMs > account.filledMs) {
      const refilledBytes = account.bytes + ((nowMs - account.filledMs) * bytes_per_s) / 1000
      account.bytes = Math.min(bytes_per_s * BURST_SECONDS, refilledBytes)
      account.filledMs = nowMs
    }
    if (account.bytes < bytes) return false
    account.bytes -= bytes
    return true
  }

  /** Drops accounts without ports whose bucket is full again. */
  removeUnused(nowMs: number): void {
    for (const { user_id, ports, filledMs } of this.accounts.values())
      if (ports === 0 && nowMs - filledMs > BURST_SECONDS * 1000) this.accounts.delete(user_id)
  }
}
