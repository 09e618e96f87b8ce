import { promisify } from 'node:util'
import { constants as zlib, createZstdCompress, createZstdDecompress, zstdCompress } from 'node:zlib'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { codeOf, messageOf, RefusesToBoot } from '../../core/errors.ts'
import type { AskPassphrase } from '../archive.ts'
import { isSealed, newSealingKey, rememberedKeys, seal, type SealingKey, unseal } from '../encryption.ts'
import type { ArchiveStore } from './archive-store.ts'

const compressAsync = promisify(zstdCompress)
const LEVEL = 3
const ZSTD = { params: { [zlib.ZSTD_c_compressionLevel]: LEVEL, [zlib.ZSTD_c_checksumFlag]: 1 } }
/** Sealed in each line, to recognise the passphrase. */
const WORD = Buffer.from('parley')

/** A part of the archive that differs from what was written. */
export class Damaged extends RefusesToBoot {}

/** Seals the files of an archive, with one derived key for many files; without a passphrase it changes nothing. */
export class Sealer {
  private key: Promise<SealingKey> | undefined

  constructor(readonly passphrase: string | undefined) {}

  /** Begins to use another key: each file has a random nonce of 56 bits, so a key must not seal millions of files. */
  renew(): void {
    this.key = undefined
  }

  async *seal(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
    if (this.passphrase === undefined) return yield* bytes
    const key = await (this.key ??= newSealingKey(this.passphrase))
    yield* seal(Symbol.asyncIterator in bytes ? bytes : Readable.from(bytes, { objectMode: true }), key)
  }

  /** Compresses and seals bytes that fit into memory. */
  async *pack(bytes: Buffer): AsyncGenerator<Buffer> {
    yield* this.seal([await compressAsync(bytes, ZSTD)])
  }

  /** Compresses and seals a stream. */
  async *packStream(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const compressed = createZstdCompress(ZSTD)
    const flowing = pipeline(Readable.from(bytes, { objectMode: false }), compressed)
    flowing.catch(() => {})
    try {
      yield* this.seal(compressed as AsyncIterable<Buffer>)
      await flowing
    } finally {
      compressed.destroy()
    }
  }

  /** The check of a new line. */
  async check(): Promise<string | null> {
    if (this.passphrase === undefined) return null
    return Buffer.concat(await Array.fromAsync(this.seal([WORD]))).toString('base64')
  }

  /** True if files of a line with this check are sealed like this. */
  async matches(check: string | null): Promise<boolean> {
    if (check === null || this.passphrase === undefined) return check === null && this.passphrase === undefined
    return isRight(check, this.passphrase)
  }
}

async function isRight(check: string, passphrase: string): Promise<boolean> {
  try {
    const word = await Array.fromAsync(unseal(Readable.from([Buffer.from(check, 'base64')]), passphrase))
    return Buffer.concat(word).equals(WORD)
  } catch (error) {
    if (error instanceof RefusesToBoot) return false
    throw error
  }
}

/** Reads the files of an archive. */
export class Unsealer {
  private passphrase: Promise<string> | undefined
  private readonly derive = rememberedKeys()

  constructor(
    private readonly archive: ArchiveStore,
    private readonly ask: AskPassphrase,
  ) {}

  /** Checks the passphrase of a line. @throws RefusesToBoot */
  async demandPassphrase(check: string | null): Promise<void> {
    if (check === null) return
    if (!(await isRight(check, await (this.passphrase ??= this.ask()))))
      throw new RefusesToBoot('The passphrase is wrong.')
  }

  /**
   * The bytes of a file as they were before they were sealed; undefined if it is missing.
   * @throws Damaged while they are read
   */
  async open(name: string): Promise<AsyncIterable<Buffer> | undefined> {
    const bytes = await this.archive.get(name)
    return bytes && this.unsealed(name, bytes)
  }

  /** The same, decompressed. */
  async unpack(name: string): Promise<AsyncIterable<Buffer> | undefined> {
    const bytes = await this.open(name)
    return bytes && decompressed(name, bytes)
  }

  private async *unsealed(name: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const chunks = bytes[Symbol.asyncIterator]()
    const first = await chunks.next()
    if (first.done) throw new Damaged(`${name} in the archive is empty`)
    async function* whole() {
      yield first.value as Buffer
      yield* { [Symbol.asyncIterator]: () => chunks }
    }
    if (!isSealed(first.value)) return yield* whole()
    const passphrase = await (this.passphrase ??= this.ask())
    try {
      yield* unseal(whole(), passphrase, this.derive)
    } catch (error) {
      throw error instanceof RefusesToBoot ? new Damaged(`${name} in the archive is damaged`) : error
    }
  }
}

async function* decompressed(name: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const output = createZstdDecompress()
  // The reader gets the same error.
  pipeline(Readable.from(bytes, { objectMode: false }), output).catch(() => {})
  try {
    yield* output as AsyncIterable<Buffer>
  } catch (error) {
    if (/^(ZSTD_|Z_|ERR_ZSTD|ERR_BUFFER)/.test(codeOf(error) ?? '') || /zstd|unexpected end/i.test(messageOf(error)))
      throw new Damaged(`${name} in the archive is damaged`)
    throw error
  } finally {
    output.destroy()
  }
}
