import { createHash, randomUUID } from 'node:crypto'
import { closeSync, constants, fsyncSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { copyFile, type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { Problem } from '../core/errors.ts'

/** Each object is one file: its metadata as JSON, padded to this length, then its bytes. */
export const HEADER_BYTES = 4096
const READ_BYTES = 256 * 1024
/** Fits into the header of the file and into an HTTP header. */
const CONTENT_TYPE = /^[ -~]{1,255}$/
/** Bun opens the file of a response within this time. */
const PIN_MS = 10_000
/** Limits the pinned links, so that many downloads do not fill the directory. */
const PINS_MAX = 4096
const UPLOAD_MS_MAX = 3_600_000
const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants

const Header = z.object({ size: z.int().min(0), content_type: z.string(), etag: z.string() })

export interface StoredObject extends z.infer<typeof Header> {
  modified: Date
}

interface Draft {
  content_type: string
  /** Exact size in bytes. */
  size: number
  /** An upload fails if the client sends nothing for this long. */
  idleMs: number
}

/**
 * Stores objects as files in a directory that belongs to one process. The file name is a hash of the key, so that no
 * key leads outside the directory. A file is flushed to the disk, renamed into place, and then its directory is
 * flushed.
 */
export class ObjectFiles {
  /** Hard links to files that responses are about to open; oldest first. */
  private readonly pins: { path: string; untilMs: number }[] = []
  private readonly timer: Timer

  /** @param temporary directory of unfinished files; a second process needs another one */
  constructor(
    private readonly directory: string,
    private readonly temporary = join(directory, 'tmp'),
    /** Called with the key and the file name of an object that was stored. */
    private readonly onStored: (key: string, hash: string) => void = () => {},
  ) {
    // Remove temporary files left over from a crash.
    rmSync(this.temporary, { recursive: true, force: true })
    for (const shard of SHARDS) mkdirSync(join(directory, shard), { recursive: true, mode: 0o700 })
    mkdirSync(this.temporary, { mode: 0o700 })
    flushDirectorySync(directory)
    this.timer = setInterval(() => this.unpin(Date.now()), PIN_MS)
    this.timer.unref()
  }

  /**
   * Stores the bytes of a stream, in constant memory.
   * @returns the ETag: the MD5 of the bytes, in quotes
   * @throws Problem if the bytes do not match the draft; then nothing has changed
   */
  async write(key: string, body: ReadableStream<Uint8Array> | null, draft: Draft): Promise<string> {
    if (!CONTENT_TYPE.test(draft.content_type)) throw new Problem('bad_request', 'The Content-Type cannot be stored')
    const path = this.temporaryPath('upload')
    const file = await open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    try {
      const etag = await receive(file, body, draft)
      await file.sync()
      await this.publish(path, key)
      return etag
    } finally {
      await file.close()
      await rm(path, { force: true })
    }
  }

  /** Writes a page and removes it, to test for free space. */
  async probe(): Promise<void> {
    const path = this.temporaryPath('upload')
    const file = await open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    try {
      await writeAll(file, Buffer.alloc(HEADER_BYTES), 0)
      await file.sync()
    } finally {
      await file.close()
      await rm(path, { force: true })
    }
  }

  find(key: string): Promise<StoredObject | undefined> {
    return readObject(pathOf(this.directory, key).path)
  }

  /** Opens an object, and a link that preserves this version of it until a response has opened the file. */
  async pin(key: string): Promise<{ object: StoredObject; bytes: Blob } | undefined> {
    const { path } = pathOf(this.directory, key)
    const pinPath = this.temporaryPath('pin')
    try {
      if (this.pins.length >= PINS_MAX) throw new Error('Too many pins')
      await link(path, pinPath)
    } catch (error) {
      if (isMissing(error)) return undefined
      // Without a link, a response may break off or mix two versions if the object is replaced at this moment.
      return readWithBytes(path)
    }
    this.pins.push({ path: pinPath, untilMs: Date.now() + PIN_MS })
    return readWithBytes(pinPath)
  }

  /**
   * Copies an object by a hard link, because files never change: the ETag is compared with exactly the copied version.
   * @returns false if the source is missing or has another ETag
   */
  async copy(from: string, to: string, etag: string): Promise<boolean> {
    const path = this.temporaryPath('copy')
    try {
      if (!(await linkOrCopy(pathOf(this.directory, from).path, path))) return false
      const object = await readObject(path)
      if (object?.etag !== etag) return false
      await this.publish(path, to)
      return true
    } finally {
      // rename(2) does nothing if both names link to the same file; then the temporary name remains.
      await rm(path, { force: true })
    }
  }

  async remove(key: string): Promise<void> {
    const { shard, path } = pathOf(this.directory, key)
    await rm(path, { force: true })
    await flushDirectory(shard)
  }

  close(): void {
    clearInterval(this.timer)
    this.unpin(Infinity)
  }

  private temporaryPath(kind: 'upload' | 'copy' | 'pin'): string {
    return join(this.temporary, `${kind}-${randomUUID()}`)
  }

  /** Moves a temporary file to the path of its key, durably. */
  private async publish(from: string, key: string): Promise<void> {
    const { shard, path } = pathOf(this.directory, key)
    await rename(from, path)
    await flushDirectory(shard)
    this.onStored(key, basename(path))
  }

  private unpin(nowMs: number): void {
    while (this.pins[0] !== undefined && this.pins[0].untilMs <= nowMs)
      rmSync(this.pins.shift()?.path ?? '', { force: true })
  }
}

/**
 * Opens an object for one read, in the directory of a store that another process may use. The data stays the same if
 * the object is replaced or removed meanwhile.
 * @returns undefined if it is missing
 */
export async function openObject(directory: string, key: string) {
  const openedFile = await openFile(pathOf(directory, key).path)
  if (!openedFile) return undefined
  const bytes = readBytes(openedFile.file, openedFile.object.size)
  // Once started, the generator closes the file even if it is ended before its first chunk.
  await bytes.next()
  return { ...openedFile.object, bytes }
}

/** Yields nothing first, then the bytes; closes the file. */
async function* readBytes(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  try {
    yield Buffer.alloc(0)
    for (let at = 0; at < size;) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, HEADER_BYTES + at)
      if (bytesRead === 0) throw new Error('The object was cut short while it was read')
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  } finally {
    await file.close()
  }
}

/** The file name of an object. */
export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

function pathOf(directory: string, key: string): { shard: string; path: string } {
  const name = hashOf(key)
  const shard = join(directory, name.slice(0, 2))
  return { shard, path: join(shard, name) }
}

const SHARDS = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, '0'))
const isMissing = (error: unknown) => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // ELOOP: O_NOFOLLOW refuses a symbolic link, which is never an object.
  return code === 'ENOENT' || code === 'ELOOP'
}
/** Opens an object's file and reads its metadata; undefined if it is missing. */
async function openFile(path: string): Promise<{ file: FileHandle; object: StoredObject } | undefined> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (!file) return undefined
  try {
    const header = await readHeader(file)
    const stat = await file.stat()
    if (stat.size !== HEADER_BYTES + header.size) throw new Error('The size of an object file differs from its header')
    return { file, object: { ...header, modified: stat.mtime } }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Reads the metadata of an object's file; undefined if it is missing. */
async function readObject(path: string): Promise<StoredObject | undefined> {
  const openedFile = await openFile(path)
  await openedFile?.file.close()
  return openedFile?.object
}

/** The metadata at the beginning of an object's file; undefined if it is none. */
export function parseHeader(bytes: Buffer): z.infer<typeof Header> | undefined {
  try {
    return Header.parse(JSON.parse(bytes.toString()))
  } catch {
    return undefined
  }
}

async function readHeader(file: FileHandle): Promise<z.infer<typeof Header>> {
  const { buffer } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
  return Header.parse(JSON.parse(buffer.toString()))
}

async function readWithBytes(path: string): Promise<{ object: StoredObject; bytes: Blob } | undefined> {
  const object = await readObject(path)
  return object && { object, bytes: Bun.file(path).slice(HEADER_BYTES, HEADER_BYTES + object.size) }
}

/**
 * Frees a chunk at once. Bun's chunks are a megabyte each and would otherwise accumulate until the next garbage
 * collection.
 */
const release = ({ buffer, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

const mismatch = () => new Problem('upload_mismatch', 'The body does not have the announced size')

async function receive(file: FileHandle, body: ReadableStream<Uint8Array> | null, draft: Draft): Promise<string> {
  const md5 = createHash('md5')
  let size = 0
  for await (const chunk of readChunks(body, draft.idleMs)) {
    if (size + chunk.length > draft.size) throw mismatch()
    md5.update(chunk)
    await writeAll(file, chunk, HEADER_BYTES + size)
    size += chunk.length
    release(chunk)
  }
  if (size !== draft.size) throw mismatch()
  const etag = `"${md5.digest('hex')}"`
  const header = JSON.stringify({ size, content_type: draft.content_type, etag } satisfies z.infer<typeof Header>)
  await writeAll(file, Buffer.from(header.padEnd(HEADER_BYTES)), 0)
  return etag
}

/** The chunks of a body. @throws Problem if the client disconnects or sends nothing for too long */
async function* readChunks(body: ReadableStream<Uint8Array> | null, idleMs: number): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  if (!reader) return
  const deadline = Date.now() + UPLOAD_MS_MAX
  try {
    while (true) {
      let timer: Timer | undefined
      const timeout = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new Problem('bad_request', 'The upload took too long')),
          Math.min(idleMs, deadline - Date.now()),
        )
      })
      const chunk = await Promise.race([reader.read(), timeout]).finally(() => clearTimeout(timer))
      if (chunk.done) return
      yield chunk.value
    }
  } catch (error) {
    throw error instanceof Problem ? error : mismatch()
  } finally {
    reader.cancel().catch(() => {})
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    offset += (await file.write(bytes, offset, bytes.length - offset, position + offset)).bytesWritten
  }
}

/** @returns false if the file is missing */
async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
  } catch (error) {
    if (isMissing(error)) return false
    // The file system does not support links, or the file has too many.
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    const file = await open(to, O_RDWR | O_NOFOLLOW)
    await file.sync().finally(() => file.close())
  }
  return true
}

async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, O_RDONLY)
  await directory.sync().finally(() => directory.close())
}

function flushDirectorySync(path: string): void {
  const directory = openSync(path, O_RDONLY)
  fsyncSync(directory)
  closeSync(directory)
}
