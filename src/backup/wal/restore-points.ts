import { RefusesToBoot } from '../../core/errors.ts'
import type { ArchiveStore } from './archive-store.ts'
import { basesOf, readJson, type WrittenBase } from './line-writer.ts'
import { contiguous, End, FORMAT, Line, LINE_ID, lineFolder, LINES, type Piece, pieceOf, walFolder } from './names.ts'

/** A line of the archive, as far as it can be restored. */
export interface KnownLine {
  id: string
  line: Line
  bases: WrittenBase[]
  /** Everything before this time (ms) is there. */
  endMs: number
  /** The position that the archive once reached. */
  endLsn: bigint
}

/** A copy, and the changes that lead from it to the time. */
export interface RestorePoint {
  line: KnownLine
  base: WrittenBase
  pieces: Piece[]
  /** The name of the first missing piece, if the time lies behind it. */
  gap: { message: string; at: number } | undefined
}

/** The lines of an archive with at least one full copy, in order of time. @throws RefusesToBoot if there is none */
export async function linesOf(archive: ArchiveStore): Promise<KnownLine[]> {
  const lines: KnownLine[] = []
  for (const id of (await archive.list(LINES)).filter((name) => LINE_ID.test(name))) {
    const line = await readJson(archive, `${lineFolder(id)}/line.json`, Line)
    const end = await readJson(archive, `${lineFolder(id)}/end.json`, End)
    const bases = line ? await basesOf(archive, id) : []
    if (!line || bases.length === 0) continue
    if (line.format > FORMAT)
      throw new RefusesToBoot(`The archive has a newer format: use Parley ${line.version} or later.`)
    const newest = Math.max(Date.parse(end?.at ?? bases[0]?.at ?? ''), ...bases.map(({ at }) => Date.parse(at)))
    lines.push({ id, line, bases, endMs: newest, endLsn: end?.lsn ?? 0n })
  }
  if (lines.length === 0) throw new RefusesToBoot('There is no complete copy in WAL_ARCHIVE: nothing can be restored.')
  return lines.sort((a, b) => a.endMs - b.endMs)
}

/**
 * The copies from which a time can be restored, the best one first.
 * @param toMs undefined for the end of the archive
 * @throws RefusesToBoot if the archive does not have this time
 */
export function candidates(lines: KnownLine[], toMs: number | undefined): { line: KnownLine; base: WrittenBase }[] {
  const last = lines.at(-1)
  const iso = (ms: number) => new Date(ms).toISOString()
  // The newest one may be a server that began on an empty DATA_DIR.
  const ends = new Map(lines.map(({ line, endMs }) => [line.system_identifier, iso(endMs)]))
  if (toMs === undefined && ends.size > 1)
    throw new RefusesToBoot(
      `The archive has ${ends.size} databases, which end at ${[...ends.values()].join(' and ')}: ` +
        'name one of these times with --to.',
    )
  if (last && toMs !== undefined && toMs > last.endMs)
    throw new RefusesToBoot(`The archive ends at ${iso(last.endMs)}: restore --to latest restores that.`)
  const chosen = lines.flatMap((line) =>
    toMs === undefined && line !== last
      ? []
      : line.bases
          .filter(({ at }) => toMs === undefined || (Date.parse(at) <= toMs && toMs <= line.endMs))
          .map((base) => ({ line, base })),
  )
  if (chosen.length > 0) return chosen.sort((a, b) => Date.parse(b.base.at) - Date.parse(a.base.at))
  const firstMs = Math.min(...lines.flatMap(({ bases }) => bases.map(({ at }) => Date.parse(at))))
  if (toMs !== undefined && toMs < firstMs)
    throw new RefusesToBoot(`The archive begins at ${iso(firstMs)}: an earlier time cannot be restored.`)
  const before = lines.findLast(({ endMs }) => toMs !== undefined && endMs < toMs)
  const after = lines.find(({ bases }) => bases.some(({ at }) => toMs !== undefined && Date.parse(at) > toMs))
  const next = Math.min(...(after?.bases.map(({ at }) => Date.parse(at)) ?? []))
  throw new RefusesToBoot(
    `The archive has a gap from ${before ? iso(before.endMs) : 'its beginning'} to ${iso(next)}: choose another time.`,
  )
}

/**
 * The changes that follow a copy.
 * @returns undefined if those are missing that make it consistent
 */
export async function pointOf(
  archive: ArchiveStore,
  line: KnownLine,
  base: WrittenBase,
  toMs: number | undefined,
): Promise<RestorePoint | undefined> {
  const size = BigInt(line.line.segment_bytes)
  const all = (await archive.list(walFolder(line.id))).flatMap((name) => pieceOf(name) ?? [])
  const run = [...contiguous(all, (base.start / size) * size)]
  const end = run.findLastIndex(({ at }) => at !== undefined)
  const pieces = run.slice(0, end + 1)
  const last = pieces.at(-1)
  if (last?.at === undefined || last.to < base.stop) return undefined
  // After the last piece nothing was written, unless later pieces are there, or the line once reached further.
  const isBetween = all.some(({ from }) => from > (run.at(-1)?.to ?? 0n))
  const isMissing = (isBetween || last.to < line.endLsn) && (toMs === undefined || toMs > last.at)
  const name = `${walFolder(line.id)}/${run.at(-1)?.name}`
  const message = isBetween
    ? `The archive has nothing between ${name} and what follows it`
    : `The archive has nothing after ${name}, but once went up to ${new Date(line.endMs).toISOString()}`
  return { line, base, pieces, gap: isMissing ? { message, at: last.at } : undefined }
}
