import { statfs } from 'node:fs/promises'
import { isDiskFull, Problem } from './errors.ts'

/** Retry-After of a request refused for lack of space. */
export const RETRY_SECONDS = 30
/** Interval between two probes, and the timeout of one. */
const PROBE_MS = 2_000
/** Lifetime of a measurement. Kept short because concurrent uploads can fill a small disk within a second. */
const MEASURE_MS = 100

/** The file system that a component writes to. */
interface Volume {
  directory: string
  /** The component counts as full below this much free space. */
  freeMinBytes: number
  /** Called when a measurement changes between full and not full. */
  onChange?: (isFull: boolean, free_bytes: number) => void
}

/**
 * Tells whether a component can store new content. It is full while its file system has too little free space, and
 * after a write failed for lack of space until a probe succeeds.
 */
export class DiskSpace {
  private wasRefused = false
  private probedMs = -Infinity
  private measuredMs = -Infinity
  private free_bytes: Promise<number> = Promise.resolve(Infinity)
  private isLow = false

  /**
   * @param probe writes a little; rejects when there is no space
   * @param volume absent if the data is stored elsewhere; then only failed writes show that it is full
   */
  constructor(
    private readonly probe: () => Promise<unknown>,
    private readonly volume?: Volume,
  ) {}

  /** Records a failed write. */
  note(error: unknown): void {
    if (isDiskFull(error)) this.wasRefused = true
  }

  /** Discards the measurement, after a large write. */
  remeasure(): void {
    this.measuredMs = -Infinity
  }

  /** @param bytes size of the write that follows */
  async isFull(bytes = 0): Promise<boolean> {
    if (this.volume && (await this.free()) - bytes < this.volume.freeMinBytes) return true
    if (!this.wasRefused || performance.now() - this.probedMs < PROBE_MS) return this.wasRefused
    this.probedMs = performance.now()
    const isRefused = this.probe().then(() => false, isDiskFull)
    this.wasRefused = await Promise.race([isRefused, Bun.sleep(PROBE_MS).then(() => true)])
    return this.wasRefused
  }

  /** @throws Problem `storage_full` */
  async demand(bytes = 0): Promise<void> {
    if (await this.isFull(bytes)) throw storageFull()
  }

  /** Bytes that can still be written; infinite if unknown. */
  private free(): Promise<number> {
    if (performance.now() - this.measuredMs >= MEASURE_MS) {
      this.measuredMs = performance.now()
      this.free_bytes = this.measure()
    }
    return this.free_bytes
  }

  private async measure(): Promise<number> {
    if (!this.volume) return Infinity
    const { directory, freeMinBytes, onChange } = this.volume
    const { free_bytes } = (await measureVolume(directory)) ?? { free_bytes: Infinity }
    const isBelowMin = free_bytes < freeMinBytes
    if (isBelowMin !== this.isLow) onChange?.(isBelowMin, free_bytes)
    this.isLow = isBelowMin
    return free_bytes
  }
}

/** The file system of a directory; undefined if it cannot be measured. */
export const measureVolume = (directory: string) =>
  statfs(directory).then(
    ({ bavail, blocks, bsize }) => ({ free_bytes: bavail * bsize, size_bytes: blocks * bsize }),
    () => undefined,
  )

/** Refuses new content for lack of space. */
export const storageFull = () => new Problem('storage_full', undefined, { retry_after: RETRY_SECONDS })
