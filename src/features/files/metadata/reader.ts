import { setImmediate as immediate } from 'node:timers/promises'

/** Random access to the bytes of a file, wherever it is stored. A read at the end returns fewer bytes. */
export interface Source {
  size: number
  read(start: number, length: number): Promise<Uint8Array>
}

/** The structure of a file contradicts itself, or needs more reads than an honest file does. */
export class Malformed extends Error {}

/** Bytes to read first, and after a jump: enough for the head of a box, a segment, a table. */
const WINDOW_BYTES_MIN = 16 * 1024
/** Sequential reads double up to this. */
const WINDOW_BYTES_MAX = 1024 * 1024
/** Reads per file. An hour of video in fragments of one second needs 7,200. */
const READS_MAX = 10_000
const READING_MS_MAX = 60_000
/** Accesses to the window per file. Each part of a file takes two. */
const CALLS_MAX = 500_000
/** Entries of all tables together: a few bytes may claim a million, in each of thousands of tracks. */
const ENTRIES_MAX = 2_000_000
/** Accesses within the window are synchronous, so yield to the event loop after this many. */
const CALLS_AT_ONCE = 256

/**
 * Reads a file at any offset through one window of at most 1 MiB, so that examining a file takes the same memory
 * whatever its size, on disk or in S3. Reads and time are bounded: a hostile structure ends with Malformed.
 */
export class Reader {
  private window: Buffer = Buffer.alloc(0)
  private windowStart = 0
  private reads = 0
  private calls = 0
  private entries = 0
  private windowBytes = WINDOW_BYTES_MIN
  private readonly untilMs = Date.now() + READING_MS_MAX

  constructor(private readonly source: Source) {}

  get size(): number {
    return this.source.size
  }

  /** Exactly these bytes, valid until the next call. @throws Malformed if the file ends before */
  async at(start: number, length: number): Promise<Buffer> {
    const bytes = await this.upTo(start, length)
    if (bytes.length < length) throw new Malformed('the file ends in the middle')
    return bytes
  }

  /** Up to this many bytes: fewer at the end of the file. */
  async upTo(start: number, length: number): Promise<Buffer> {
    if (++this.calls > CALLS_MAX) throw new Malformed('too many parts')
    if (this.calls % CALLS_AT_ONCE === 0) await immediate()
    const count = Math.min(length, this.size - start)
    if (start < 0 || count < 0 || count > WINDOW_BYTES_MAX) throw new Malformed('an offset outside of the file')
    const end = this.windowStart + this.window.length
    if (start < this.windowStart || start + count > end) await this.fill(start, count)
    return this.window.subarray(start - this.windowStart, start - this.windowStart + count)
  }

  /** All bytes in the window from `start` on: at least one, unless the file has ended. */
  async piece(start: number): Promise<Buffer> {
    await this.upTo(start, Math.min(1, this.size - start))
    return this.window.subarray(start - this.windowStart)
  }

  /** Counts the entries that a table claims to have. @throws Malformed if the file's tables claim too many */
  countEntries(count: number): void {
    this.entries += count
    if (this.entries > ENTRIES_MAX) throw new Malformed('too many entries')
  }

  private async fill(start: number, length: number): Promise<void> {
    if (++this.reads > READS_MAX || Date.now() > this.untilMs) throw new Malformed('too many reads')
    const end = this.windowStart + this.window.length
    const isNext = start >= this.windowStart && start <= end
    this.windowBytes = isNext ? Math.min(2 * this.windowBytes, WINDOW_BYTES_MAX) : WINDOW_BYTES_MIN
    const bytes = await this.source.read(start, Math.min(Math.max(length, this.windowBytes), this.size - start))
    if (bytes.length < length) throw new Malformed('the file is shorter than it was')
    this.window = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.windowStart = start
  }

  /** True if these bytes are all 0. */
  async isZero(start: number, end: number): Promise<boolean> {
    for (let at = start; at < end;) {
      const piece = (await this.piece(at)).subarray(0, end - at)
      if (piece.length === 0) throw new Malformed('the file ends in the middle')
      if (piece.compare(ZEROS, 0, piece.length) !== 0) return false
      at += piece.length
    }
    return true
  }
}

const ZEROS = Buffer.alloc(2 * WINDOW_BYTES_MAX)

/** A file in memory. */
export const sourceOf = (bytes: Uint8Array): Source => ({
  size: bytes.length,
  async read(start, length) {
    await immediate()
    return bytes.subarray(start, start + length)
  },
})
