import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../core/errors.ts'
import { lsnText, segmentName } from './names.ts'

/** Size of a page of the WAL in the embedded PostgreSQL. */
const PAGE_BYTES = 8192n
/** Offset of a page's own position in its header. Source: PostgreSQL, xlog_internal.h, XLogPageHeaderData. */
const PAGE_ADDRESS_AT = 8

/** A segment was removed or written anew before it was archived. */
export class LostWal extends Error {}

/** Thrown for a segment that is not in pg_wal. */
export class MissingSegment extends LostWal {}

/**
 * Reads bytes of the WAL that have been flushed to disk, within one segment.
 * @param directory pg_wal
 * @throws LostWal
 */
export async function readWal(
  directory: string,
  timeline: number,
  segmentBytes: number,
  from: bigint,
  to: bigint,
): Promise<Buffer> {
  const name = segmentName(timeline, from, segmentBytes)
  const bytes = Buffer.alloc(Number(to - from))
  const file = await open(join(directory, name), constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT' ? new MissingSegment(`${name} is missing in pg_wal`) : error
  })
  try {
    const start = Number(from % BigInt(segmentBytes))
    for (let at = 0; at < bytes.length;) {
      const { bytesRead } = await file.read(bytes, at, bytes.length - at, start + at)
      if (bytesRead === 0) throw new LostWal(`${name} in pg_wal is too short`)
      at += bytesRead
    }
  } finally {
    await file.close()
  }
  const firstPage = ((from + PAGE_BYTES - 1n) / PAGE_BYTES) * PAGE_BYTES
  for (let page = firstPage; page < to; page += PAGE_BYTES) {
    const at = Number(page - from) + PAGE_ADDRESS_AT
    const address = at + 8 <= bytes.length ? bytes.readBigUInt64LE(at) : page
    // After a switch to the next segment, the rest of a segment is zeros.
    if (address !== page && address !== 0n) throw new LostWal(`${name} in pg_wal has no WAL at ${lsnText(page)}`)
  }
  return bytes
}

/** Splits a run of the WAL at the ends of segments. */
export function* splitAtSegments(
  from: bigint,
  to: bigint,
  segmentBytes: number,
): Generator<[from: bigint, to: bigint]> {
  const size = BigInt(segmentBytes)
  for (let at = from; at < to;) {
    const segmentEnd = (at / size + 1n) * size
    const end = segmentEnd < to ? segmentEnd : to
    yield [at, end]
    at = end
  }
}
