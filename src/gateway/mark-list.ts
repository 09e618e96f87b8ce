import type { Sql } from '../database/database.ts'

/** Bytes of one mark: two numbers. */
const MARK_BYTES = 16

/**
 * SQL for the marks of rows `mark`, as one text. An account may have thousands, so they come as numbers that the process
 * does not parse.
 */
export const packedMarks = (sql: Sql) => sql`coalesce(encode(string_agg(
  float8send(mark.channel_id) || float8send(mark.message_id), ''::bytea order by mark.channel_id), 'hex'), '')`

/** Read marks by channel. Each belongs to the owner that claims it: the index of a server, or ELSEWHERE. */
export class MarkList {
  static readonly ELSEWHERE = -1
  static readonly #UNCLAIMED = -2

  /** Ascending. */
  readonly #channels: Float64Array
  readonly #messages: Float64Array
  readonly #owners: Int32Array
  readonly #isDropped: Uint8Array
  /** Where the next search looks first: channels of a server often follow each other. */
  #next = 0

  /** @param hex as `packedMarks` writes it */
  constructor(hex: string) {
    const bytes = Buffer.from(hex, 'hex')
    const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const count = bytes.length / MARK_BYTES
    this.#channels = new Float64Array(count)
    this.#messages = new Float64Array(count)
    this.#owners = new Int32Array(count).fill(MarkList.#UNCLAIMED)
    this.#isDropped = new Uint8Array(count)
    for (let at = 0; at < count; at++) {
      this.#channels[at] = numbers.getFloat64(at * MARK_BYTES)
      this.#messages[at] = numbers.getFloat64(at * MARK_BYTES + MARK_BYTES / 2)
    }
  }

  /**
   * Claims a channel's mark.
   * @param floor the result without a mark
   * @returns the message up to which the channel is read
   */
  claim(channelId: number, owner: number, floor = 0): number {
    const at = this.#find(channelId)
    if (at === -1) return floor
    this.#owners[at] = owner
    return this.#messages[at] ?? floor
  }

  /** Leaves a channel's mark out of `each`. */
  drop(channelId: number): void {
    const at = this.#find(channelId)
    if (at !== -1) this.#isDropped[at] = 1
  }

  /** The channels whose marks nobody has claimed. */
  unclaimed(): number[] {
    const ids: number[] = []
    for (let at = 0; at < this.#owners.length; at++)
      if (this.#owners[at] === MarkList.#UNCLAIMED) ids.push(this.#channels[at] ?? 0)
    return ids
  }

  /** Calls `use` with each mark that has not been dropped. A mark that nobody has claimed is ELSEWHERE. */
  each(use: (channelId: number, messageId: number, owner: number) => void): void {
    for (let at = 0; at < this.#channels.length; at++) {
      if (this.#isDropped[at]) continue
      use(this.#channels[at] ?? 0, this.#messages[at] ?? 0, Math.max(this.#owners[at] ?? 0, MarkList.ELSEWHERE))
    }
  }

  /** The index of a channel's mark, or -1. */
  #find(channelId: number): number {
    const channels = this.#channels
    if (channels[this.#next] === channelId) return this.#next++
    let [low, high] = [0, channels.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((channels[middle] ?? 0) < channelId) low = middle + 1
      else high = middle
    }
    if (channels[low] !== channelId) return -1
    this.#next = low + 1
    return low
  }
}
