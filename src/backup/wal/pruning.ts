import type { ArchiveStore } from './archive-store.ts'
import { basesOf, readJson, type WrittenBase } from './line-writer.ts'
import { baseFolder, End, LINE_ID, lineFolder, LINES, objectName, pieceOf, walFolder } from './names.ts'
import type { ObjectCopies } from './object-copies.ts'
import type { Unsealer } from './sealing.ts'

interface Kept {
  line: string
  base: WrittenBase
}

/**
 * Removes what no restore to the last days needs: full copies before the newest one that is older, their WAL, earlier
 * lines, and objects that were gone from the store when the oldest kept copy began.
 * @param current the line that is being written, whose unfinished copy stays
 * @param running the id of the copy that is being made
 */
export async function prune(
  archive: ArchiveStore,
  current: string,
  running: string | undefined,
  beforeMs: number,
  objects: ObjectCopies | undefined,
  unsealer: Unsealer,
): Promise<void> {
  const lines = (await archive.list(LINES)).filter((line) => LINE_ID.test(line))
  const all: Kept[] = []
  for (const line of lines) for (const base of await basesOf(archive, line)) all.push({ line, base })
  all.sort((a, b) => Date.parse(a.base.at) - Date.parse(b.base.at))
  const newestOld = all.findLastIndex(({ base }) => Date.parse(base.at) <= beforeMs)
  const keptBases = all.slice(Math.max(0, newestOld))
  const keptIn = (line: string) => keptBases.filter((one) => one.line === line).map(({ base }) => base)
  for (const line of lines) {
    const bases = keptIn(line)
    if (bases.length === 0 && line !== current && (await isOver(archive, line, beforeMs, keptBases)))
      await archive.remove(lineFolder(line))
    else await pruneLine(archive, line, bases, line === current ? running : undefined)
  }
  const [oldest] = keptBases
  if (objects && oldest) await pruneObjects(archive, oldest, objects, unsealer)
}

/** A line without a copy restores nothing; it goes once a later line has one. */
async function isOver(archive: ArchiveStore, line: string, beforeMs: number, keptBases: Kept[]): Promise<boolean> {
  const end = await readJson(archive, `${lineFolder(line)}/end.json`, End)
  const endMs = end ? Date.parse(end.at) : 0
  return endMs < beforeMs || keptBases.some(({ base }) => Date.parse(base.at) > endMs)
}

async function pruneLine(
  archive: ArchiveStore,
  line: string,
  bases: WrittenBase[],
  running: string | undefined,
): Promise<void> {
  const [first] = bases
  if (!first) return
  const keptIds = new Set([...bases.map(({ id }) => id), running])
  for (const name of await archive.list(baseFolder(line))) {
    const id = name.split('.', 1)[0]
    // The description goes first: a copy without one is none.
    if (!keptIds.has(id)) await archive.remove(`${baseFolder(line)}/${id}.json`)
    if (!keptIds.has(id)) await archive.remove(`${baseFolder(line)}/${name}`)
  }
  for (const name of await archive.list(walFolder(line))) {
    const piece = pieceOf(name)
    if (piece && piece.to <= first.start - SEGMENT_BYTES_MAX) await archive.remove(`${walFolder(line)}/${name}`)
  }
}

/** A restore begins with the whole segment in which the copy begins. */
const SEGMENT_BYTES_MAX = 16n * 1024n ** 2n

async function pruneObjects(
  archive: ArchiveStore,
  oldest: Kept,
  objects: ObjectCopies,
  unsealer: Unsealer,
): Promise<void> {
  const name = `${baseFolder(oldest.line)}/${oldest.base.id}.gone.zst`
  const list = await unsealer.unpack(name)
  if (!list) return
  let rest = ''
  for await (const chunk of list) {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const hash of lines)
      if (/^[0-9a-f]{64}$/.test(hash) && !(await objects.isStored(hash))) await archive.remove(objectName(hash))
  }
  await archive.remove(name)
}
