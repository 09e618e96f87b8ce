import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { codeOf } from '../../core/errors.ts'
import type { ArchiveStore } from './archive-store.ts'
import { putJson, readJson } from './line-writer.ts'
import { ID_FILE, Line, LINE_ID, lineFolder, LINES } from './names.ts'

const ArchiveId = z.object({ id: z.string().regex(/^[0-9a-f]{32}$/) })

/** The file of DATA_DIR with the id of its archive. */
export const archiveIdPath = (dataDirectory: string): string => join(dataDirectory, 'wal-archive.json')

/** The place of the archive has another one, or none: perhaps its disk is not mounted. */
export class OtherArchive extends Error {}

/** The id of an archive; undefined if it has none. */
export const idOf = async (archive: ArchiveStore): Promise<string | undefined> =>
  (await readJson(archive, ID_FILE, ArchiveId))?.id

/** Makes an archive that of a DATA_DIR. @param id undefined for none: the next start looks for itself */
export function rememberArchive(dataDirectory: string, id: string | undefined): void {
  const path = archiveIdPath(dataDirectory)
  if (id === undefined) return rmSync(path, { force: true })
  writeFileSync(`${path}.new`, JSON.stringify({ id }), { flush: true, mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/**
 * The archive of this installation and no other. Both have the same id, written when the archive is begun: so the empty
 * place of a disk that is not mounted does not pass for the archive. An archive is changed only after its id was seen,
 * and a file counts as written only if the id is there afterwards too.
 */
export class OwnArchive implements ArchiveStore {
  /** @param place for people */
  constructor(
    private readonly store: ArchiveStore,
    private readonly place: string,
    private readonly dataDirectory: string,
  ) {}

  /**
   * Makes sure that the archive is there, and gives it an id if this installation has none yet.
   * @param systemIdentifier of the cluster
   * @returns true if the archive was not known before
   * @throws OtherArchive
   */
  async claim(systemIdentifier: () => Promise<string>): Promise<boolean> {
    if ((await this.knownId()) !== undefined) {
      await this.demand()
      return false
    }
    if (await this.isForeign(await systemIdentifier()))
      throw new OtherArchive(
        `${this.place} belongs to another installation: restore from it by restore --to, or name another place in ` +
          'WAL_ARCHIVE',
      )
    let id = await idOf(this.store)
    if (id === undefined) {
      id = randomBytes(16).toString('hex')
      await putJson(this.store, ID_FILE, { id })
    }
    rememberArchive(this.dataDirectory, id)
    return true
  }

  async put(name: string, bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number> {
    await this.demand()
    const size = await this.store.put(name, bytes, signal)
    await this.demand()
    return size
  }

  get(name: string): Promise<AsyncIterable<Buffer> | undefined> {
    return this.store.get(name)
  }

  list(folder: string): Promise<string[]> {
    return this.store.list(folder)
  }

  async remove(name: string): Promise<void> {
    await this.demand()
    await this.store.remove(name)
  }

  /** @throws OtherArchive */
  private async demand(): Promise<void> {
    const id = await this.knownId()
    if (id !== undefined && id === (await idOf(this.store))) return
    throw new OtherArchive(
      `The archive of this installation is not in ${this.place}: mount its disk, or correct WAL_ARCHIVE; if it was ` +
        `emptied or left behind on purpose, remove ${archiveIdPath(this.dataDirectory)} to begin a new one`,
    )
  }

  /** The id in DATA_DIR; empty if its file is damaged. */
  private async knownId(): Promise<string | undefined> {
    const text = await readFile(archiveIdPath(this.dataDirectory), 'utf8').catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
    })
    if (text === undefined) return undefined
    try {
      return ArchiveId.parse(JSON.parse(text)).id
    } catch {
      return ''
    }
  }

  /** True if it has lines, none of which is of this cluster. */
  private async isForeign(systemIdentifier: string): Promise<boolean> {
    const ids = (await this.store.list(LINES)).filter((name) => LINE_ID.test(name))
    for (const id of ids) {
      const line = await readJson(this.store, `${lineFolder(id)}/line.json`, Line)
      if (line?.system_identifier === systemIdentifier) return false
    }
    return ids.length > 0
  }
}
