import { constants as fs, createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants as zlib, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { codeOf, isDiskFull, messageOf, RefusesToBoot } from '../core/errors.ts'
import { isSealed, seal, unseal } from './encryption.ts'
import { type Entry, readTar } from './tar.ts'

const BEGINNING_BYTES = 64
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const LEVEL = 3

/** Asks for the passphrase of an encrypted archive. */
export type AskPassphrase = () => Promise<string>

/**
 * Compresses a tar, encrypts it if there is a passphrase, and writes it.
 * @returns the bytes written
 */
async function write(
  tar: AsyncIterable<Buffer>,
  passphrase: string | undefined,
  to: Writable,
  signal: AbortSignal,
): Promise<number> {
  let bytesWritten = 0
  const compress = createZstdCompress({
    params: { [zlib.ZSTD_c_compressionLevel]: LEVEL, [zlib.ZSTD_c_checksumFlag]: 1 },
  })
  const sealChunks = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of passphrase === undefined ? source : seal(source, passphrase)) {
      bytesWritten += chunk.length
      yield chunk
    }
  }
  await pipeline(Readable.from(tar, { objectMode: false }), compress, sealChunks, to, { signal })
  return bytesWritten
}

/**
 * Writes an archive to a file that only its owner may read. The file appears when it is complete and flushed to disk.
 * @returns its size in bytes
 * @throws RefusesToBoot if the file exists or cannot be written
 */
export async function writeArchive(
  path: string,
  tar: AsyncIterable<Buffer>,
  passphrase: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  if (await stat(path).catch(() => undefined)) throw new RefusesToBoot(`${path} exists already: nothing was written.`)
  const partial = `${path}.partial`
  const file = await open(partial, fs.O_WRONLY | fs.O_CREAT | fs.O_EXCL | fs.O_NOFOLLOW, 0o600).catch(cannotWrite(path))
  try {
    const bytes = await write(
      tar,
      passphrase,
      writing((chunk) => writeAll(file, chunk)),
      signal,
    )
    await file.sync()
    await rename(partial, path)
    await flush(dirname(path))
    return bytes
  } catch (error) {
    await rm(partial, { force: true })
    if (isDiskFull(error)) throw new RefusesToBoot(`There is no space for ${path}: nothing was written.`)
    throw error
  } finally {
    await file.close()
  }
}

/** Writes an archive to the standard output. @returns its size in bytes */
export const writeArchiveToStdout = (
  tar: AsyncIterable<Buffer>,
  passphrase: string | undefined,
  signal: AbortSignal,
): Promise<number> => {
  const put = (chunk: Buffer) =>
    new Promise<void>((resolve, reject) => {
      process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()))
    })
  return write(tar, passphrase, writing(put), signal)
}

const writing = (put: (chunk: Buffer) => Promise<void>): Writable =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      put(chunk).then(() => done(), done)
    },
  })

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let bytesWritten = 0; bytesWritten < chunk.length;)
    bytesWritten += (await file.write(chunk, bytesWritten, chunk.length - bytesWritten)).bytesWritten
}

const cannotWrite =
  (path: string) =>
  (error: unknown): never => {
    if (codeOf(error) === 'EEXIST')
      throw new RefusesToBoot(`${path}.partial exists: another backup is writing it, or was killed.`)
    throw new RefusesToBoot(`${path} cannot be written: ${messageOf(error)}.`)
  }

async function flush(directory: string): Promise<void> {
  const handle = await open(directory, fs.O_RDONLY)
  await handle.sync().finally(() => handle.close())
}

/**
 * Reads the entries of an archive.
 * @param signal cancels with an AbortError
 * @throws RefusesToBoot if the file is unreadable, no backup, damaged or truncated, or the passphrase is wrong
 */
export async function* readArchive(
  path: string,
  ask: AskPassphrase,
  signal = new AbortController().signal,
): AsyncGenerator<Entry> {
  const beginning = await beginningOf(path)
  const isEncrypted = isSealed(beginning)
  if (!isEncrypted && !beginning.subarray(0, ZSTD_MAGIC.length).equals(ZSTD_MAGIC))
    throw new RefusesToBoot(`${path} is not a Parley backup.`)
  const passphrase = isEncrypted ? await ask() : undefined
  const file = createReadStream(path, { highWaterMark: 256 * 1024 })
  const plain = passphrase === undefined ? file : Readable.from(unseal(file, passphrase), { objectMode: false })
  const tar = createZstdDecompress()
  const flowing = pipeline(plain, tar, { signal })
  // The reader gets the same error.
  flowing.catch(() => {})
  try {
    yield* readTar(decompressed(tar))
  } finally {
    tar.destroy()
    file.destroy()
  }
}

async function* decompressed(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* stream
  } catch (error) {
    if (/^(ZSTD_|Z_|ERR_ZSTD)/.test(codeOf(error) ?? ''))
      throw new RefusesToBoot(`The backup is damaged: ${messageOf(error)}.`)
    throw error
  }
}

async function beginningOf(path: string): Promise<Buffer> {
  try {
    const file = await open(path, fs.O_RDONLY)
    const { buffer, bytesRead } = await file
      .read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0)
      .finally(() => file.close())
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    throw new RefusesToBoot(`${path} cannot be read: ${messageOf(error)}.`)
  }
}
