/** An account's rate may be exceeded for so long, by a keyframe of a shared screen for one. */
const BURST_SECONDS = 2

/** What one account uses. */
export interface Account {
  user_id: number
  /** Relay ports held, reserved ones included. */
  places: number
  /** Bytes that may be relayed now. */
  bytes: number
  filled_ms: number
}

/** How much of the relay one account may use. RFC 8656 §7.2 asks for quotas by username, not by address. */
export class Quotas {
  private readonly accounts = new Map<number, Account>()
  constructor(private readonly limits: { allocations: number; bytes_per_s: number }) {}

  account(user_id: number): Account {
    let account = this.accounts.get(user_id)
    if (!account) {
      const bytes = this.limits.bytes_per_s * BURST_SECONDS
      account = { user_id, places: 0, bytes, filled_ms: Number.NEGATIVE_INFINITY }
      this.accounts.set(user_id, account)
    }
    return account
  }

  take(account: Account, places: number): boolean {
    if (account.places + places > this.limits.allocations) return false
    account.places += places
    return true
  }

  release(account: Account, places: number): void {
    account.places -= places
  }

  /** Whether the account may relay so many bytes now. */
  charge(account: Account, bytes: number, now_ms: number): boolean {
    const { bytes_per_s } = this.limits
    if (now_ms > account.filled_ms) {
      const grown = account.bytes + ((now_ms - account.filled_ms) * bytes_per_s) / 1000
      account.bytes = Math.min(bytes_per_s * BURST_SECONDS, grown)
      account.filled_ms = now_ms
    }
    if (account.bytes < bytes) return false
    account.bytes -= bytes
    return true
  }

  /** Forgets accounts that hold nothing, and whose rate is not to be remembered any more. */
  tidy(now_ms: number): void {
    for (const { user_id, places, filled_ms } of this.accounts.values())
      if (places === 0 && now_ms - filled_ms > BURST_SECONDS * 1000) this.accounts.delete(user_id)
  }
}
