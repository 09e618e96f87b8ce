import { createHash, randomUUID } from 'node:crypto'
import { constants, fsyncSync, mkdirSync, openSync, closeSync, rmSync } from 'node:fs'
import { copyFile, type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { S3Error } from './s3-errors.ts'

/** Each object is one file: what is known of it, padded to this length, then its bytes. So it is whole or absent. */
const HEADER_BYTES = 4096
/** Also what fits into the header, and into a header of HTTP. */
const CONTENT_TYPE = /^[ -~]{1,255}$/
/** Within this time an answer has begun, and with it its file is open. */
const PIN_MS = 10_000
/** Links kept at most: a flood of downloads must not fill the directory. */
const PINS_MAX = 4096
const UPLOAD_MS_MAX = 3_600_000
const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants

const Header = z.object({ size: z.int().min(0), content_type: z.string(), etag: z.string() })

export interface StoredObject extends z.infer<typeof Header> {
  modified: Date
}

interface Draft {
  content_type: string
  /** Bytes that have to come, exactly. */
  size: number
  /** Digests of the bytes, where the client names them. */
  md5_base64: string | undefined
  sha256_hex: string | undefined
  /** How long the client may send nothing. */
  idle_ms: number
}

export type ObjectFiles = ReturnType<typeof openObjectFiles>

/**
 * Objects in files below a directory, which belongs to one process. A key becomes a file name by hashing, so that no
 * key leads anywhere else. Each file appears by a rename, after it and before its directory are flushed to the disk.
 */
export function openObjectFiles(directory: string) {
  const passing = join(directory, 'tmp')
  // Whatever a crash left there never became an object.
  rmSync(passing, { recursive: true, force: true })
  for (const shard of shards) mkdirSync(join(directory, shard), { recursive: true, mode: 0o700 })
  mkdirSync(passing, { mode: 0o700 })
  flushDirectorySync(directory)

  const pathOf = (key: string) => {
    const name = createHash('sha256').update(key).digest('hex')
    return { shard: join(directory, name.slice(0, 2)), path: join(directory, name.slice(0, 2), name) }
  }
  const passingPath = (what: 'upload' | 'copy' | 'pin') => join(passing, `${what}-${randomUUID()}`)
  const pins: { path: string; until: number }[] = []
  const unpin = (now: number) => {
    while (pins[0] !== undefined && pins[0].until <= now) rmSync(pins.shift()?.path ?? '', { force: true })
  }
  const unpinning = setInterval(() => unpin(Date.now()), PIN_MS)
  unpinning.unref()

  /** Gives the file its place; then nothing of its passage is left, whatever happened. */
  async function settle(from: string, key: string): Promise<void> {
    const { shard, path } = pathOf(key)
    await rename(from, path)
    await flushDirectory(shard)
  }

  return {
    /**
     * Stores the bytes of a stream, in constant memory.
     * @returns the ETag: the MD5 of the bytes, in quotes
     * @throws S3Error when they are not what the draft says; then nothing has changed
     */
    async write(key: string, body: ReadableStream<Uint8Array> | null, draft: Draft): Promise<string> {
      if (!CONTENT_TYPE.test(draft.content_type)) throw new S3Error('InvalidArgument')
      const path = passingPath('upload')
      const file = await open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
      try {
        const etag = await receive(file, body, draft)
        await file.sync()
        await settle(path, key)
        return etag
      } finally {
        await file.close()
        await rm(path, { force: true })
      }
    },

    find: (key: string): Promise<StoredObject | undefined> => look(pathOf(key).path),

    /** An object, and a file that stays this version of it for as long as an answer needs to begin. */
    async pin(key: string): Promise<{ object: StoredObject; bytes: Bun.BunFile } | undefined> {
      const { path } = pathOf(key)
      const pinned = passingPath('pin')
      try {
        if (pins.length >= PINS_MAX) throw new Error('too many')
        await link(path, pinned)
      } catch (error) {
        if (isMissing(error)) return undefined
        // No links, or no more: should the object be replaced in this very moment, the answer breaks off or is mixed.
        const object = await look(path)
        return object && { object, bytes: bytesOf(path, object) }
      }
      pins.push({ path: pinned, until: Date.now() + PIN_MS })
      const object = await look(pinned)
      return object && { object, bytes: bytesOf(pinned, object) }
    },

    /**
     * Copies an object: by a link, since files never change, so that nothing comes between judging and copying.
     * @throws S3Error `NoSuchKey`; `PreconditionFailed` when its ETag is not the given one
     */
    async copy(from: string, to: string, etag: string | undefined): Promise<StoredObject> {
      const path = passingPath('copy')
      try {
        await linkOrCopy(pathOf(from).path, path)
        const object = await look(path)
        if (!object) throw new S3Error('NoSuchKey')
        if (etag !== undefined && unquoted(etag) !== unquoted(object.etag)) throw new S3Error('PreconditionFailed')
        await settle(path, to)
        return object
      } finally {
        // A rename onto another link of the same file does nothing: rename(2).
        await rm(path, { force: true })
      }
    },

    async remove(key: string): Promise<void> {
      const { shard, path } = pathOf(key)
      await rm(path, { force: true })
      await flushDirectory(shard)
    },

    close() {
      clearInterval(unpinning)
      unpin(Infinity)
    },
  }
}

const shards = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, '0'))
const unquoted = (etag: string) => etag.replace(/^"(.*)"$/, '$1')
const isMissing = (error: unknown) => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // ELOOP: a symbolic link, which nobody here has made.
  return code === 'ENOENT' || code === 'ELOOP'
}
const bytesOf = (path: string, { size }: StoredObject) =>
  Bun.file(path).slice(HEADER_BYTES, HEADER_BYTES + size) as Bun.BunFile

/** Reads what is known of the object in a file; undefined when there is none. */
async function look(path: string): Promise<StoredObject | undefined> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (!file) return undefined
  try {
    const { buffer } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
    const stat = await file.stat()
    const header = Header.parse(JSON.parse(buffer.toString()))
    if (stat.size !== HEADER_BYTES + header.size) throw new Error('An object file has not the size that it should have')
    return { ...header, modified: stat.mtime }
  } finally {
    await file.close()
  }
}

/**
 * Frees a chunk now: Bun's are a megabyte each, and the garbage collector does not hurry; without this an upload's
 * memory is what has gathered since its last round.
 */
const release = ({ buffer, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

async function receive(file: FileHandle, body: ReadableStream<Uint8Array> | null, draft: Draft): Promise<string> {
  const md5 = createHash('md5')
  const sha256 = draft.sha256_hex === undefined ? undefined : createHash('sha256')
  let size = 0
  for await (const chunk of arriving(body, draft.idle_ms)) {
    if (size + chunk.length > draft.size) throw new S3Error('IncompleteBody')
    md5.update(chunk)
    sha256?.update(chunk)
    await writeAll(file, chunk, HEADER_BYTES + size)
    size += chunk.length
    release(chunk)
  }
  if (size !== draft.size) throw new S3Error('IncompleteBody')
  const digest = md5.digest()
  if (draft.md5_base64 !== undefined && draft.md5_base64 !== digest.toString('base64')) throw new S3Error('BadDigest')
  if (sha256 && sha256.digest('hex') !== draft.sha256_hex) throw new S3Error('XAmzContentSHA256Mismatch')
  const etag = `"${digest.toString('hex')}"`
  const header = JSON.stringify({ size, content_type: draft.content_type, etag } satisfies z.infer<typeof Header>)
  await writeAll(file, Buffer.from(header.padEnd(HEADER_BYTES)), 0)
  return etag
}

/** The chunks of a body; a client that goes away or falls silent ends it with a refusal. */
async function* arriving(body: ReadableStream<Uint8Array> | null, idle_ms: number): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  if (!reader) return
  const deadline = Date.now() + UPLOAD_MS_MAX
  try {
    while (true) {
      let timer: Timer | undefined
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new S3Error('RequestTimeout')), Math.min(idle_ms, deadline - Date.now()))
      })
      const chunk = await Promise.race([reader.read(), silence]).finally(() => clearTimeout(timer))
      if (chunk.done) return
      yield chunk.value
    }
  } catch (error) {
    throw error instanceof S3Error ? error : new S3Error('IncompleteBody')
  } finally {
    reader.cancel().catch(() => {})
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (isMissing(error)) throw new S3Error('NoSuchKey')
    // A file system without links, or a file with too many of them.
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    const file = await open(to, O_RDWR | O_NOFOLLOW)
    await file.sync().finally(() => file.close())
  }
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
