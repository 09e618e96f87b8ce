import { statfs } from 'node:fs/promises'
import { isDiskFull, Problem } from './errors.ts'

/** When a client that was refused for want of space may try again. */
export const RETRY_SECONDS = 30
/** Between two probes, and how long one may take. */
const PROBE_MS = 2_000
/** How long a measurement counts: many who send at once fill much of a small disk within a second. */
const MEASURE_MS = 100

/** The file system that a part writes to. */
interface Volume {
  directory: string
  /** The part counts as full while less is free. */
  free_min_bytes: number
  /** Called when a measurement finds the part full, or no longer full. */
  onChange?: (full: boolean, free_bytes: number) => void
}

/**
 * Whether a part has space for new content. It is full while too little of its file system is free; and after a write
 * that found no space, until a probe succeeds.
 */
export class DiskSpace {
  private refused = false
  private probed_ms = -Infinity
  private measured_ms = -Infinity
  private free_bytes: Promise<number> = Promise.resolve(Infinity)
  private low = false

  /**
   * @param probe writes a little; it rejects when there is no space
   * @param volume absent where the data lie elsewhere: then only refused writes tell
   */
  constructor(
    private readonly probe: () => Promise<unknown>,
    private readonly volume?: Volume,
  ) {}

  /** Takes note of a failed write. */
  note(error: unknown): void {
    if (isDiskFull(error)) this.refused = true
  }

  /** Lets the next question measure anew: much has been written. */
  remeasure(): void {
    this.measured_ms = -Infinity
  }

  /** @param bytes what is about to be written */
  async isFull(bytes = 0): Promise<boolean> {
    if (this.volume && (await this.free()) - bytes < this.volume.free_min_bytes) return true
    if (!this.refused || performance.now() - this.probed_ms < PROBE_MS) return this.refused
    this.probed_ms = performance.now()
    const isRefused = this.probe().then(() => false, isDiskFull)
    this.refused = await Promise.race([isRefused, Bun.sleep(PROBE_MS).then(() => true)])
    return this.refused
  }

  /** @throws Problem `storage_full` */
  async demand(bytes = 0): Promise<void> {
    if (await this.isFull(bytes)) throw storageFull()
  }

  /** Bytes that can still be written; infinite where that is not known. */
  private free(): Promise<number> {
    if (performance.now() - this.measured_ms >= MEASURE_MS) {
      this.measured_ms = performance.now()
      this.free_bytes = this.measure()
    }
    return this.free_bytes
  }

  private async measure(): Promise<number> {
    if (!this.volume) return Infinity
    const { directory, free_min_bytes, onChange } = this.volume
    const { free_bytes } = (await measureVolume(directory)) ?? { free_bytes: Infinity }
    const low = free_bytes < free_min_bytes
    if (low !== this.low) onChange?.(low, free_bytes)
    this.low = low
    return free_bytes
  }
}

/** The file system of a directory; undefined where it cannot be measured. */
export const measureVolume = (directory: string) =>
  statfs(directory).then(
    ({ bavail, blocks, bsize }) => ({ free_bytes: bavail * bsize, size_bytes: blocks * bsize }),
    () => undefined,
  )

/** The refusal of new content for want of space. */
export const storageFull = () => new Problem('storage_full', undefined, { retry_after: RETRY_SECONDS })
