import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { RefusesToBoot } from '../core/errors.ts'

/**
 * An encrypted backup: a header, then chunks of AES-256-GCM. Their nonces contain a counter and mark the last chunk,
 * so that none can be dropped, repeated or reordered (the STREAM construction: Hoang, Reyhanitabar, Rogaway, Vizár
 * 2015). The key is derived from the passphrase by scrypt (RFC 7914); each chunk also authenticates the header.
 */
const MAGIC = Buffer.from('parley-sealed-1\n')
const SALT_BYTES = 16
const PREFIX_BYTES = 7
const TAG_BYTES = 16
const CHUNK_BYTES = 256 * 1024
/** Parameters of scrypt, RFC 7914 §2; N is two to this power. Takes 128 MiB of memory. */
const COST = { log2N: 17, r: 8, p: 1 }
const HEADER_BYTES = MAGIC.length + 3 + SALT_BYTES + PREFIX_BYTES
const CHUNKS_MAX = 2 ** 32
/** Derived keys to remember. */
const KEYS_MAX = 64

const WRONG = 'The passphrase is wrong, or the beginning of the backup is damaged.'
const DAMAGED = 'The backup is damaged or truncated.'

/** True if a file with this beginning is an encrypted backup. */
export const isSealed = (beginning: Buffer): boolean => beginning.subarray(0, MAGIC.length).equals(MAGIC)

function keyOf(passphrase: string, salt: Buffer, { log2N, r, p }: typeof COST): Promise<Buffer> {
  const N = 2 ** log2N
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, 32, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}

/** A derived key and its salt, to seal several files with one derivation, which takes 0.3 s. */
export interface SealingKey {
  salt: Buffer
  key: Buffer
}

export async function newSealingKey(passphrase: string): Promise<SealingKey> {
  const salt = randomBytes(SALT_BYTES)
  return { salt, key: await keyOf(passphrase, salt, COST) }
}

/** Derives keys to unseal several files, and remembers the last ones. */
export function rememberedKeys(): typeof keyOf {
  const keys = new Map<string, Promise<Buffer>>()
  return (passphrase, salt, cost) => {
    const name = `${salt.toString('hex')} ${Object.values(cost).join(' ')} ${passphrase}`
    const key = keys.get(name) ?? keyOf(passphrase, salt, cost)
    if (keys.size >= KEYS_MAX) keys.clear()
    keys.set(name, key)
    return key
  }
}

function nonce(prefix: Buffer, counter: number, isLast: boolean): Buffer {
  if (counter >= CHUNKS_MAX) throw new RefusesToBoot('The backup is too large to be encrypted.')
  const rest = Buffer.alloc(5)
  rest.writeUInt32BE(counter)
  rest[4] = isLast ? 1 : 0
  return Buffer.concat([prefix, rest])
}

/**
 * Cuts a stream into pieces of exactly this size; the last may be shorter or empty. Each comes with a flag for the
 * last one.
 */
async function* pieces(source: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<[piece: Buffer, isLast: boolean]> {
  let chunks: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    length += chunk.length
    if (length <= bytes) continue
    const buffered = Buffer.concat(chunks)
    let at = 0
    // Only the end of the stream shows which piece is last, so one piece is buffered.
    for (; length - at > bytes; at += bytes) yield [buffered.subarray(at, at + bytes), false]
    chunks = [buffered.subarray(at)]
    length -= at
  }
  yield [Buffer.concat(chunks), true]
}

/** Encrypts a stream. @param from a passphrase, whose length is checked where it is read, or a key derived from it */
export async function* seal(source: AsyncIterable<Buffer>, from: string | SealingKey): AsyncGenerator<Buffer> {
  const { salt, key } = typeof from === 'string' ? await newSealingKey(from) : from
  const prefix = randomBytes(PREFIX_BYTES)
  const header = Buffer.concat([MAGIC, Buffer.from([COST.log2N, COST.r, COST.p]), salt, prefix])
  yield header
  let counter = 0
  for await (const [piece, isLast] of pieces(source, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonce(prefix, counter++, isLast)).setAAD(header)
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
  }
}

/**
 * Decrypts the output of `seal`. Yields a chunk only after the whole chunk is authenticated.
 * @throws RefusesToBoot for a wrong passphrase, and for a stream that was changed or truncated
 */
export async function* unseal(
  source: AsyncIterable<Buffer>,
  passphrase: string,
  derive = keyOf,
): AsyncGenerator<Buffer> {
  const { header, rest } = await splitHeader(source)
  const [log2N = 0, r = 0, p = 0] = header.subarray(MAGIC.length)
  // The header is not authenticated yet: forged parameters could exhaust the memory.
  if (log2N < 10 || log2N > 20 || r < 1 || r > 8 || p < 1 || p > 4) throw new RefusesToBoot(WRONG)
  const salt = header.subarray(MAGIC.length + 3, -PREFIX_BYTES)
  const prefix = header.subarray(-PREFIX_BYTES)
  const key = await derive(passphrase, salt, { log2N, r, p })
  let counter = 0
  for await (const [piece, isLast] of pieces(rest, CHUNK_BYTES + TAG_BYTES)) {
    const at = counter++
    const decipher = createDecipheriv('aes-256-gcm', key, nonce(prefix, at, isLast)).setAAD(header)
    if (piece.length < TAG_BYTES) throw new RefusesToBoot(DAMAGED)
    decipher.setAuthTag(piece.subarray(-TAG_BYTES))
    const plain = decipher.update(piece.subarray(0, -TAG_BYTES))
    try {
      decipher.final()
    } catch {
      throw new RefusesToBoot(at === 0 ? WRONG : DAMAGED)
    }
    yield plain
  }
}

async function splitHeader(source: AsyncIterable<Buffer>): Promise<{ header: Buffer; rest: AsyncIterable<Buffer> }> {
  const iterator = source[Symbol.asyncIterator]()
  let beginning = Buffer.alloc(0)
  while (beginning.length < HEADER_BYTES) {
    const next = await iterator.next()
    if (next.done) throw new RefusesToBoot(DAMAGED)
    beginning = Buffer.concat([beginning, next.value])
  }
  async function* rest(): AsyncGenerator<Buffer> {
    yield beginning.subarray(HEADER_BYTES)
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { header: beginning.subarray(0, HEADER_BYTES), rest: rest() }
}
