import type { Sql } from '../database/database.ts'

// PostgreSQL's binary format of an array: number of dimensions (0 if it is empty), flags, type of the elements, length
// and lowest index, four bytes each; then each element, with its size in four bytes before it.
const EMPTY_HEAD_BYTES = 12
const HEAD_BYTES = 20
const LENGTH_AT = 12
const SIZE_BYTES = 4
const NUMBER_BYTES = 8

/**
 * SQL for rows `list` of `read_mark_lists` as one text. An account may have thousands of marks, so they come as numbers
 * that neither PostgreSQL prints nor the process parses.
 */
export const packedLists = (sql: Sql) => sql`coalesce(encode(string_agg(
  int8send(list.server_id) || array_send(list.channel_ids) || array_send(list.message_ids), ''::bytea
  order by list.server_id, list.part), 'hex'), '')`

/** The marks of one server: indexes in a MarkList. */
interface Range {
  start: number
  end: number
}
const NOTHING: Range = { start: 0, end: 0 }

/** Read marks by server and channel. Each belongs to the owner that claims it: the index of a server, or ELSEWHERE. */
export class MarkList {
  /** In place of a server for marks of threads, dms and groups. */
  static readonly NO_SERVER = 0
  static readonly ELSEWHERE = -1
  static readonly #UNCLAIMED = -2

  /** Ascending in each range. */
  readonly #channels: Float64Array
  readonly #messages: Float64Array
  readonly #owners: Int32Array
  readonly #isDropped: Uint8Array
  readonly #ranges = new Map<number, Range>()
  /** The marks that `claim` searches. */
  #range = NOTHING
  /** The index that the next search tries first: channels of a server often follow each other. */
  #next = 0

  /** @param hex as `packedLists` writes it */
  constructor(hex: string) {
    const bytes = Buffer.from(hex, 'hex')
    const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const countMax = bytes.length / (2 * (SIZE_BYTES + NUMBER_BYTES))
    this.#channels = new Float64Array(countMax)
    this.#messages = new Float64Array(countMax)
    let count = 0
    for (let at = 0; at < bytes.length;) {
      const serverId = numberAt(numbers, at)
      const start = this.#ranges.get(serverId)?.start ?? count
      const end = readArray(numbers, at + NUMBER_BYTES, this.#channels, count)
      at = readArray(numbers, end.at, this.#messages, count).at
      count = end.index
      this.#ranges.set(serverId, { start, end: count })
    }
    this.#owners = new Int32Array(count).fill(MarkList.#UNCLAIMED)
    this.#isDropped = new Uint8Array(count)
  }

  /** Makes `claim` search the marks of a server, or those of NO_SERVER. */
  enter(serverId: number): void {
    this.#range = this.#ranges.get(serverId) ?? NOTHING
    this.#next = this.#range.start
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

  /** Leaves a mark of the entered server out of `each`. */
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

  /** Leaves unclaimed marks out of `each`, except those of these channels. */
  keepUnclaimed(channelIds: ReadonlySet<number>): void {
    for (let at = 0; at < this.#owners.length; at++)
      if (this.#owners[at] === MarkList.#UNCLAIMED && !channelIds.has(this.#channels[at] ?? 0)) this.#isDropped[at] = 1
  }

  /** Calls `use` with each mark that has not been dropped. A mark that nobody has claimed is ELSEWHERE. */
  each(use: (channelId: number, messageId: number, owner: number) => void): void {
    for (let at = 0; at < this.#owners.length; at++) {
      if (this.#isDropped[at]) continue
      use(this.#channels[at] ?? 0, this.#messages[at] ?? 0, Math.max(this.#owners[at] ?? 0, MarkList.ELSEWHERE))
    }
  }

  /** The index of a channel's mark in the entered range, or -1. */
  #find(channelId: number): number {
    const channels = this.#channels
    let [low, high] = [this.#range.start, this.#range.end]
    if (this.#next < high && channels[this.#next] === channelId) return this.#next++
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((channels[middle] ?? 0) < channelId) low = middle + 1
      else high = middle
    }
    this.#next = low
    return low < this.#range.end && channels[low] === channelId ? this.#next++ : -1
  }
}

/** Ids are below 2^53. */
const numberAt = (numbers: DataView, at: number): number => numbers.getUint32(at) * 2 ** 32 + numbers.getUint32(at + 4)

/** Copies an array of PostgreSQL to `into`, from an index on. @returns the first index and byte after it */
function readArray(numbers: DataView, at: number, into: Float64Array, index: number): { at: number; index: number } {
  if (numbers.getUint32(at) === 0) return { at: at + EMPTY_HEAD_BYTES, index }
  const end = index + numbers.getUint32(at + LENGTH_AT)
  let next = at + HEAD_BYTES + SIZE_BYTES
  for (; index < end; index++, next += SIZE_BYTES + NUMBER_BYTES) into[index] = numberAt(numbers, next)
  return { at: next - SIZE_BYTES, index }
}
