import { Malformed } from './reader.ts'

/** Edits per file. A video has one per chunk of its metadata track, one per second. */
const EDITS_MAX = 65_536

export interface Edit {
  start: number
  end: number
  /** The replacement; `zeros` keeps the length. */
  by: Uint8Array | 'zeros'
}

const NOTHING = new Uint8Array(0)

/** The edits that remove the metadata from a file. */
export class Edits {
  private readonly list: Edit[] = []

  remove(start: number, end: number): void {
    this.add({ start, end, by: NOTHING })
  }

  replace(start: number, end: number, by: Uint8Array): void {
    this.add({ start, end, by })
  }

  blank(start: number, end: number): void {
    this.add({ start, end, by: 'zeros' })
  }

  private add(edit: Edit): void {
    if (edit.end <= edit.start) return
    const last = this.list.at(-1)
    // Merge adjacent edits: a thousand comments in a row become one.
    const isMore = last?.end === edit.start && last.by === edit.by && (edit.by === NOTHING || edit.by === 'zeros')
    if (isMore) last.end = edit.end
    else if (this.list.push(edit) > EDITS_MAX) throw new Malformed('too many parts')
  }

  /** In file order, without overlaps. @throws Malformed if two edits contradict each other */
  toList(): Edit[] {
    const edits: Edit[] = []
    for (const edit of this.list.toSorted((a, b) => a.start - b.start)) {
      const last = edits.at(-1)
      if (!last || edit.start >= last.end) edits.push(edit)
      else if (last.by === 'zeros' && edit.by === 'zeros') last.end = Math.max(last.end, edit.end)
      else throw new Malformed('parts that overlap')
    }
    return edits
  }
}

/** The size of a file after the edits. */
export const editedSize = (size: number, edits: Edit[]): number =>
  edits.reduce((sum, { start, end, by }) => sum + (by === 'zeros' ? 0 : by.length - (end - start)), size)

/**
 * The bytes of the edited file, as a stream. The consumer may reuse the memory of a piece.
 * @param edits as `Edits.toList` returns them
 */
export async function* applyEdits(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  edits: Edit[],
): AsyncGenerator<Uint8Array> {
  let at = 0
  let next = 0
  for await (const chunk of bytes) {
    const end = at + chunk.length
    let from = at
    for (let edit = edits[next]; edit && edit.start < end; edit = edits[next]) {
      if (edit.start > from) yield chunk.subarray(from - at, edit.start - at)
      const until = Math.min(edit.end, end)
      if (edit.by === 'zeros') yield new Uint8Array(until - Math.max(edit.start, at))
      else if (edit.start >= at && edit.by.length > 0) yield new Uint8Array(edit.by)
      from = until
      if (edit.end > end) break
      next++
    }
    if (from < end) yield chunk.subarray(from - at)
    at = end
  }
}
