import type { Sql } from '../database/database.ts'

/** Bytes of one mark: two numbers. */
const MARK_BYTES = 16

/**
 * SQL for the marks of rows `mark`, as one text. An account may have thousands, so they come as numbers that the
 * process does not parse.
 */
export const packedMarks = (sql: Sql) => sql`coalesce(encode(string_agg(
  float8send(mark.channel_id) || float8send(mark.message_id), ''::bytea order by mark.channel_id), 'hex'), '')`

/** Read marks as two lists of equal length, ascending by channel. Never changed, because openings share them. */
export interface PackedMarks {
  channels: Float64Array
  messages: Float64Array
}

/** @param hex as `packedMarks` writes it */
export function unpacked(hex: string): PackedMarks {
  const bytes = Buffer.from(hex, 'hex')
  const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const count = bytes.length / MARK_BYTES
  const [channels, messages] = [new Float64Array(count), new Float64Array(count)]
  for (let at = 0; at < count; at++) {
    channels[at] = numbers.getFloat64(at * MARK_BYTES)
    messages[at] = numbers.getFloat64(at * MARK_BYTES + MARK_BYTES / 2)
  }
  return { channels, messages }
}

/**
 * Marks with some of them replaced.
 * @param moved messages by channel; undefined for a channel without a mark
 * @returns the same object if nothing differs
 */
export function withMoved(marks: PackedMarks, moved: ReadonlyMap<number, number | undefined>): PackedMarks {
  if (moved.size === 0) return marks
  const { channels } = marks
  const messages = marks.messages.slice()
  // Most changes only move marks.
  const others: [channelId: number, messageId: number | undefined][] = []
  let isChanged = false
  for (const [channelId, messageId] of moved) {
    const at = indexIn(channels, channelId)
    if (messageId === (at === -1 ? undefined : messages[at])) continue
    isChanged = true
    if (at !== -1 && messageId !== undefined) messages[at] = messageId
    else others.push([channelId, messageId])
  }
  if (others.length === 0) return isChanged ? { channels, messages } : marks
  const all = new Map<number, number | undefined>()
  for (const [at, channelId] of channels.entries()) all.set(channelId, messages[at])
  for (const [channelId, messageId] of others) all.set(channelId, messageId)
  const rows = [...all].flatMap(([channelId, messageId]) =>
    messageId === undefined ? [] : [[channelId, messageId] as const],
  )
  rows.sort(([one], [other]) => one - other)
  return {
    channels: Float64Array.from(rows, ([channelId]) => channelId),
    messages: Float64Array.from(rows, ([, messageId]) => messageId),
  }
}

export const hasMark = ({ channels }: PackedMarks, channelId: number): boolean => indexIn(channels, channelId) !== -1

/** Index of a number in an ascending list, or -1. */
export function indexIn(ascending: ArrayLike<number>, sought: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) < sought) low = middle + 1
    else high = middle
  }
  return ascending[low] === sought ? low : -1
}

/** Read marks by channel. Each belongs to the owner that claims it: the index of a server, or ELSEWHERE. */
export class MarkList {
  static readonly ELSEWHERE = -1
  static readonly #UNCLAIMED = -2

  /** Ascending. */
  readonly #channels: Float64Array
  readonly #messages: Float64Array
  readonly #owners: Int32Array
  readonly #isDropped: Uint8Array
  /** The index that the next search tries first: channels of a server often follow each other. */
  #next = 0

  constructor({ channels, messages }: PackedMarks) {
    this.#channels = channels
    this.#messages = messages
    this.#owners = new Int32Array(channels.length).fill(MarkList.#UNCLAIMED)
    this.#isDropped = new Uint8Array(channels.length)
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

  /** Leaves unclaimed marks out of `each`, except those of these channels. */
  keepUnclaimed(channelIds: ReadonlySet<number>): void {
    for (let at = 0; at < this.#owners.length; at++)
      if (this.#owners[at] === MarkList.#UNCLAIMED && !channelIds.has(this.#channels[at] ?? 0)) this.#isDropped[at] = 1
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
    const next = channels[this.#next] ?? Infinity
    if (next === channelId) return this.#next++
    // Between two neighbours is none.
    if (next > channelId && (channels[this.#next - 1] ?? 0) < channelId) return -1
    const at = indexIn(channels, channelId)
    if (at !== -1) this.#next = at + 1
    return at
  }
}
