import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from '../../core/errors.ts'

const READ_BYTES = 256 * 1024
/** The free space is measured each time after this many bytes. */
const MEASURE_BYTES = 16 * 1024 ** 2
/** Suffix of a file that is being written, or was when a process ended. */
export const PARTIAL = '.partial'

/** The archive has no space for more. */
export class ArchiveFull extends Error {}

/**
 * Keeps the files of an archive. Names are relative paths of letters, digits, dots and hyphens. A file appears complete
 * and durable, or not at all; writing it again replaces it.
 */
export interface ArchiveStore {
  /** @returns the bytes written */
  put(name: string, bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number>
  /** Undefined if it is missing. */
  get(name: string): Promise<AsyncIterable<Buffer> | undefined>
  /** Sorted names of the files and folders in a folder, without the folder; empty if it is missing. */
  list(folder: string): Promise<string[]>
  /** Also succeeds if it is missing. */
  remove(name: string): Promise<void>
}

/** The archive in a directory, perhaps on a disk that is not always there. */
export class DirectoryArchive implements ArchiveStore {
  /**
   * @param sibling a directory whose disk must keep `freeMinBytes`; on another disk the archive may take everything
   */
  constructor(
    private readonly root: string,
    private readonly sibling: string,
    private readonly freeMinBytes: number,
  ) {}

  async put(name: string, bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number> {
    const path = join(this.root, name)
    await this.makeFolder(dirname(path))
    await this.demandSpace()
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
    const file = await open(path + PARTIAL, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
    try {
      let [size, measuredAt] = [0, 0]
      for await (const chunk of bytes) {
        signal?.throwIfAborted()
        await writeAll(file, chunk)
        size += chunk.length
        if (size - measuredAt < MEASURE_BYTES) continue
        await this.demandSpace()
        measuredAt = size
      }
      await file.sync()
      await rename(path + PARTIAL, path)
      await flush(dirname(path))
      return size
    } catch (error) {
      await rm(path + PARTIAL, { force: true })
      throw error
    } finally {
      await file.close()
    }
  }

  async get(name: string): Promise<AsyncIterable<Buffer> | undefined> {
    const { O_RDONLY, O_NOFOLLOW } = constants
    const file = await open(join(this.root, name), O_RDONLY | O_NOFOLLOW).catch(unlessMissing)
    return file && chunksOf(file)
  }

  async list(folder: string): Promise<string[]> {
    return ((await readdir(join(this.root, folder)).catch(unlessMissing)) ?? []).sort()
  }

  async remove(name: string): Promise<void> {
    const path = join(this.root, name)
    await rm(path, { force: true, recursive: true })
  }

  /**
   * Makes a folder durably. Only a file at the top creates the archive itself, and its parent has to exist: it may be
   * the place of a disk.
   */
  private async makeFolder(folder: string): Promise<void> {
    const isMade = await mkdir(folder, { mode: 0o700 }).then(
      () => true,
      async (error: unknown) => {
        const code = codeOf(error)
        if (code === 'EEXIST') return false
        if (code !== 'ENOENT' || folder === this.root || dirname(folder) === this.root) throw error
        await this.makeFolder(dirname(folder))
        await mkdir(folder, { mode: 0o700 })
        return true
      },
    )
    if (isMade) await flush(dirname(folder))
  }

  /** The archive must not fill the disk of the data. @throws ArchiveFull */
  private async demandSpace(): Promise<void> {
    const [root, sibling] = await Promise.all([stat(this.root), stat(this.sibling)])
    if (root.dev !== sibling.dev) return
    const { bavail, bsize } = await statfs(this.root)
    if (bavail * bsize < this.freeMinBytes)
      throw new ArchiveFull(`The archive shares the disk of DATA_DIR, which has only ${bavail * bsize} bytes left`)
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at, chunk.length - at)).bytesWritten
}

async function flush(directory: string): Promise<void> {
  const handle = await open(directory, constants.O_RDONLY)
  await handle.sync().finally(() => handle.close())
}

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

/** Reads a file to its end and closes it. */
async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
