import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, messageOf } from '../../core/errors.ts'
import type { ArchiveStore } from './archive-store.ts'
import { OBJECTS, objectName } from './names.ts'
import type { Sealer } from './sealing.ts'

/** Objects to copy that are remembered by name; beyond that the whole store is compared again. */
const WAITING_MAX = 10_000
const READ_BYTES = 256 * 1024
export const SHARDS = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, '0'))

/**
 * Copies objects of the embedded store into the archive: at the start those that it lacks, then each one that is
 * stored. They never change. What is removed from the store stays in the archive until no copy may need it.
 */
export class ObjectCopies {
  private readonly waiting = new Set<string>()
  /** Shards to compare. */
  private shards = [...SHARDS]

  /** @param directory of the embedded store */
  constructor(
    private readonly archive: ArchiveStore,
    private readonly directory: string,
    private readonly sealer: Sealer,
    private readonly signal: AbortSignal,
  ) {}

  /** Notes an object that was stored. @param hash its file name */
  add(hash: string): void {
    if (this.waiting.size < WAITING_MAX) return void this.waiting.add(hash)
    this.waiting.clear()
    this.compareAgain()
  }

  /** Compares the whole store again: the archive was away. */
  compareAgain(): void {
    this.shards = [...SHARDS]
  }

  /** Objects that are not in the archive yet, as far as they are noted. */
  get backlog(): number {
    return this.waiting.size
  }

  /** True until the store was compared with the archive. */
  get isComparing(): boolean {
    return this.shards.length > 0
  }

  /**
   * Copies everything that waits. Whatever fails keeps waiting.
   * @throws errors of the archive at once; errors of an object in the store after all others were copied
   */
  async run(): Promise<void> {
    const unreadable = new Map<string, Unreadable>()
    await this.copyAll(unreadable)
    for (const { cause } of unreadable.values()) throw cause
  }

  private async copyAll(unreadable: Map<string, Unreadable>): Promise<void> {
    await this.copyWaiting(unreadable)
    for (let shard = this.shards.at(-1); shard !== undefined; shard = this.shards.at(-1)) {
      const archived = new Set(await this.archive.list(`${OBJECTS}/${shard}`))
      for (const hash of await storedIn(this.directory, shard))
        if (!archived.has(hash)) await this.tryCopy(hash, unreadable)
      // `add` may have begun the comparison again.
      if (this.shards.at(-1) === shard) this.shards.pop()
      await this.copyWaiting(unreadable)
    }
  }

  private async copyWaiting(unreadable: Map<string, Unreadable>): Promise<void> {
    for (const hash of this.waiting) {
      if (unreadable.has(hash)) continue
      if (await this.tryCopy(hash, unreadable)) this.waiting.delete(hash)
    }
  }

  /** One object that cannot be read must not keep back the others. @returns false for one that cannot be read */
  private async tryCopy(hash: string, unreadable: Map<string, Unreadable>): Promise<boolean> {
    try {
      await this.copy(hash)
      return true
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      if (unreadable.size >= WAITING_MAX) return false
      unreadable.set(hash, error)
      this.waiting.add(hash)
      return false
    }
  }

  private async copy(hash: string): Promise<void> {
    this.signal.throwIfAborted()
    const path = join(this.directory, hash.slice(0, 2), hash)
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined
      throw new Unreadable(error)
    })
    if (!file) return
    try {
      await this.archive.put(objectName(hash), this.sealer.seal(chunksOf(file)), this.signal)
    } finally {
      await file.close()
    }
  }

  /** Names of objects in the archive that are not in the store, a line each. */
  async *goneObjects(): AsyncGenerator<Buffer> {
    for (const shard of SHARDS) {
      // The archive first: an object that is stored and copied meanwhile must not count as gone.
      const archived = await this.archive.list(`${OBJECTS}/${shard}`)
      const stored = new Set(await storedIn(this.directory, shard))
      const hashes = archived.filter((hash) => HASH.test(hash) && !stored.has(hash))
      if (hashes.length > 0) yield Buffer.from(`${hashes.join('\n')}\n`)
    }
  }

  /** True if the store has the object. */
  async isStored(hash: string): Promise<boolean> {
    return await Bun.file(join(this.directory, hash.slice(0, 2), hash)).exists()
  }
}

/** An object of the store cannot be read. */
class Unreadable extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause })
  }
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (;;) {
    const { buffer, bytesRead } = await file
      .read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES)
      .catch((error: unknown) => Promise.reject(new Unreadable(error)))
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

const HASH = /^[0-9a-f]{64}$/

async function storedIn(directory: string, shard: string): Promise<string[]> {
  const names = await readdir(join(directory, shard)).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
    return []
  })
  return names.filter((name) => HASH.test(name))
}
