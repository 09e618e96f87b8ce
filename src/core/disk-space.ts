import { isDiskFull } from './errors.ts'

const PROBE_SECONDS = 2

/** Whether a part can write: after a write that found no space, until a probe succeeds. */
export class DiskSpace {
  private full = false
  private probed_at = 0

  /** @param probe writes a little; it rejects when there is no space */
  constructor(private readonly probe: () => Promise<unknown>) {}

  /** Takes note of a failed write. */
  note(error: unknown): void {
    if (isDiskFull(error)) this.full = true
  }

  async isFull(): Promise<boolean> {
    if (!this.full || Date.now() - this.probed_at < PROBE_SECONDS * 1000) return this.full
    this.probed_at = Date.now()
    this.full = await this.probe().then(() => false, isDiskFull)
    return this.full
  }
}
