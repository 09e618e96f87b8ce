import { type Piece, walFolder } from './names.ts'
import { Damaged, type Unsealer } from './sealing.ts'
import { LostWal, MissingSegment, readWal } from './segments.ts'

/** Pieces at the end of a line that are compared with pg_wal. */
const COMPARED_MAX = 4

/**
 * True if the cluster has other WAL where a line ends. Then DATA_DIR was replaced by an earlier copy of itself, and has
 * written other changes since, perhaps beyond the end of the line: WAL that is appended there would not fit.
 *
 * The slot of an earlier copy keeps everything that the copy writes. So if a segment is missing in pg_wal, the cluster
 * has removed it because it is in the archive, and is no earlier copy.
 * @param pieces of the line, without a gap
 * @param directory pg_wal
 * @throws errors of the archive
 */
export async function hasDiverged(
  line: string,
  pieces: Piece[],
  unsealer: Unsealer,
  directory: string,
  timeline: number,
  segmentBytes: number,
): Promise<boolean> {
  for (const { name, from, to } of pieces.slice(-COMPARED_MAX).toReversed())
    try {
      const own = await readWal(directory, timeline, segmentBytes, from, to)
      const archived = await unsealer.unpack(`${walFolder(line)}/${name}`)
      if (!archived || !(await isEqual(own, archived))) return true
    } catch (error) {
      if (error instanceof MissingSegment) return false
      if (error instanceof LostWal || error instanceof Damaged) return true
      throw error
    }
  return false
}

/** Reads no further than the first difference. */
async function isEqual(bytes: Buffer, chunks: AsyncIterable<Buffer>): Promise<boolean> {
  let at = 0
  for await (const chunk of chunks) {
    if (!chunk.equals(bytes.subarray(at, at + chunk.length))) return false
    at += chunk.length
  }
  return at === bytes.length
}
