import { z } from 'zod'

/**
 * The layout of an archive. A line is an unbroken run of the write-ahead log (WAL) of one cluster, with full copies:
 * - `archive.json`: the id of the archive, which DATA_DIR has too
 * - `lines/<line>/line.json`: `Line`
 * - `lines/<line>/end.json`: `End`, replaced with each cycle
 * - `lines/<line>/secrets`: secrets.json of DATA_DIR
 * - `lines/<line>/base/<id>.tar.zst`: a full copy, valid once `<id>.json`, a `Base`, exists
 * - `lines/<line>/base/<id>.gone.zst`: names of objects that were in the archive and not in the store at its beginning
 * - `lines/<line>/wal/<from>-<to>[-<at>].zst`: bytes of the WAL, within one segment of PostgreSQL. The last piece of a
 * cycle ends with a whole record, and `at` is a time (ms) before which every commit is in the archive
 * - `objects/<hh>/<hash>`: objects as in the embedded store; `hash` is the SHA-256 of the key
 *
 * All but the JSON files are sealed if there is a passphrase.
 */
export const LINES = 'lines'
export const OBJECTS = 'objects'
/** The only file at the top: writing it creates the archive. */
export const ID_FILE = 'archive.json'
export const FORMAT = 1

export const lineFolder = (line: string): string => `${LINES}/${line}`
export const baseFolder = (line: string): string => `${lineFolder(line)}/base`
export const walFolder = (line: string): string => `${lineFolder(line)}/wal`
export const objectName = (hash: string): string => `${OBJECTS}/${hash.slice(0, 2)}/${hash}`

/** An id of a line is also the end of the name of its replication slot. */
export const LINE_ID = /^\d{14}_[0-9a-f]{8}$/

const Lsn = z
  .string()
  .regex(/^[0-9A-F]{16}$/)
  .transform((hex) => BigInt(`0x${hex}`))

/** A line of an archive. */
export const Line = z.object({
  format: z.int().min(1),
  /** Version of Parley that began it. */
  version: z.string().max(64),
  /** Major version of PostgreSQL. */
  postgres: z.int(),
  system_identifier: z.string().max(32),
  timeline: z.int().min(1),
  segment_bytes: z
    .int()
    .min(1024 ** 2)
    .max(1024 ** 3),
  /** A sealed word in Base64, to tell whether a passphrase is right; null without a passphrase. */
  check: z.string().max(4096).nullable(),
})
export type Line = z.infer<typeof Line>

/** Everything up to here is in the archive. */
export const End = z.object({ at: z.iso.datetime(), lsn: Lsn })
export type End = z.infer<typeof End>

/** A full copy of the cluster. */
export const Base = z.object({
  /** Version of Parley that made it. */
  version: z.string().max(64),
  began_at: z.iso.datetime(),
  /** The earliest time that it can restore. */
  at: z.iso.datetime(),
  start: Lsn,
  /** It is consistent from here on. */
  stop: Lsn,
})
export type Base = z.infer<typeof Base>

/** A position in the WAL as PostgreSQL writes it: `16/B374D848`. */
export function lsnOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export const lsnText = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffffffffn).toString(16).toUpperCase()}`

export const lsnHex = (lsn: bigint): string => lsn.toString(16).toUpperCase().padStart(16, '0')

/** The name of the segment that contains a position. Source: PostgreSQL, xlog_internal.h, XLogFileName. */
export function segmentName(timeline: number, lsn: bigint, segmentBytes: number): string {
  const number = lsn / BigInt(segmentBytes)
  const perId = 0x100000000n / BigInt(segmentBytes)
  return [BigInt(timeline), number / perId, number % perId]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('')
}

/** A piece of the WAL in the archive. */
export interface Piece {
  name: string
  from: bigint
  to: bigint
  /** Every commit before this time (ms) is in this piece or an earlier one; undefined within a cycle. */
  at: number | undefined
}

const PIECE = /^([0-9A-F]{16})-([0-9A-F]{16})(?:-(\d{13}))?\.zst$/

export const pieceName = (from: bigint, to: bigint, at?: number): string =>
  `${lsnHex(from)}-${lsnHex(to)}${at === undefined ? '' : `-${at}`}.zst`

export function pieceOf(name: string): Piece | undefined {
  const [, from, to, at] = PIECE.exec(name) ?? []
  if (from === undefined || to === undefined) return undefined
  const piece = {
    name,
    from: BigInt(`0x${from}`),
    to: BigInt(`0x${to}`),
    at: at === undefined ? undefined : Number(at),
  }
  return piece.from < piece.to ? piece : undefined
}

/** Pieces that follow each other without a gap from a position on; of overlapping ones the longest. */
export function* contiguous(pieces: Piece[], start: bigint): Generator<Piece> {
  let at = start
  const sorted = pieces.toSorted((a, b) => Number(a.from - b.from) || Number(a.to - b.to))
  for (let n = 0; n < sorted.length; n++) {
    const piece = sorted[n]
    if (!piece || piece.to <= at) continue
    if (piece.from > at) return
    const next = sorted[n + 1]
    if (next && next.from === piece.from) continue
    yield piece
    at = piece.to
  }
}
