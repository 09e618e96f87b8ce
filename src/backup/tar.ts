import { RefusesToBoot } from '../core/errors.ts'

const BLOCK_BYTES = 512
/** A size has eleven octal digits. */
const SIZE_MAX = 8 ** 11 - 1
/** Largest size of a pax header's records. */
const RECORDS_BYTES_MAX = 4096
const REGULAR = '0'
const PAX = 'x'

/** Additional facts about an entry, in pax records whose names begin with `PARLEY.`. */
export type Facts = Record<string, string>

/** An entry while it is read. Its bytes must be read or skipped before the next entry. */
export interface Entry {
  name: string
  size: number
  facts: Facts
  bytes: AsyncGenerator<Buffer>
}

/**
 * The header of a regular file, preceded by its facts if there are any. Source: POSIX.1-2017, pax, "ustar Interchange
 * Format" and "pax Extended Header".
 * @param name at most 100 bytes of ASCII
 */
export function tarHeader(name: string, size: number, facts: Facts = {}): Buffer {
  const records = Object.entries(facts).map(([key, value]) => paxRecord(`PARLEY.${key}`, value))
  const file = header(name, size, REGULAR)
  if (records.length === 0) return file
  const body = Buffer.from(records.join(''))
  return Buffer.concat([header('pax', body.length, PAX), body, padding(body.length), file])
}

/** Zeros that fill the last block after this many bytes. */
export const padding = (size: number): Buffer => Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES)

/** The end of an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK_BYTES)

function header(name: string, size: number, type: string): Buffer {
  if (Buffer.byteLength(name) > 100 || size > SIZE_MAX) throw new Error(`No tar entry can be ${name}, ${size} bytes`)
  const block = Buffer.alloc(BLOCK_BYTES)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  block.write(name, 0)
  block.write(octal(0o600, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(size, 11), 124)
  block.write(octal(0, 11), 136)
  block.write(' '.repeat(8), 148)
  block.write(type, 156)
  block.write('ustar\x0000', 257)
  block.write(`${octal(checksum(block), 6)}\0 `, 148)
  return block
}

const checksum = (block: Buffer): number => block.reduce((sum, byte) => sum + byte, 0)

/** `<length> <key>=<value>\n`, where the length counts its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + String(rest).length
  if (String(length).length > String(rest).length) length = rest + String(length).length
  return `${length} ${key}=${value}\n`
}

/** A byte stream, read in pieces of a chosen length. */
class Bytes {
  private readonly source: AsyncIterator<Buffer>
  private rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]()
  }

  /** Reads some bytes, up to this many. @throws RefusesToBoot at the end of the stream */
  async some(bytesMax: number): Promise<Buffer> {
    while (this.rest.length === 0) {
      const next = await this.source.next()
      if (next.done) throw new RefusesToBoot(CUT)
      this.rest = next.value
    }
    const piece = this.rest.subarray(0, bytesMax)
    this.rest = this.rest.subarray(piece.length)
    return piece
  }

  /** Reads exactly this many bytes into memory, so keep it small. */
  async exactly(bytes: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for (let bytesLeft = bytes; bytesLeft > 0;) {
      const piece = await this.some(bytesLeft)
      pieces.push(piece)
      bytesLeft -= piece.length
    }
    return Buffer.concat(pieces)
  }

  async *upTo(bytes: number): AsyncGenerator<Buffer> {
    for (let bytesLeft = bytes; bytesLeft > 0;) {
      const piece = await this.some(bytesLeft)
      bytesLeft -= piece.length
      yield piece
    }
  }
}

const CUT = 'The backup is truncated.'
const DAMAGED = 'The backup is damaged: it is not a valid archive.'

/**
 * Reads the entries of an archive written by `tarHeader`, up to its end.
 * @throws RefusesToBoot if the archive is truncated or not a tar
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const bytes = new Bytes(source)
  let facts: Facts = {}
  for (;;) {
    const block = await bytes.exactly(BLOCK_BYTES)
    if (block.every((byte) => byte === 0)) return void (await bytes.exactly(BLOCK_BYTES))
    const { name, size, type } = parseHeader(block)
    if (type === PAX) {
      if (size > RECORDS_BYTES_MAX) throw new RefusesToBoot(DAMAGED)
      facts = parseFacts((await bytes.exactly(size)).toString())
      await bytes.exactly(padding(size).length)
      continue
    }
    if (type !== REGULAR) throw new RefusesToBoot(DAMAGED)
    const content = bytes.upTo(size)
    yield { name, size, facts, bytes: content }
    facts = {}
    // Skip the part of the entry that the reader did not read.
    for await (const _ of content);
    await bytes.exactly(padding(size).length)
  }
}

function parseHeader(block: Buffer): { name: string; size: number; type: string } {
  const text = (from: number, to: number) => block.toString('latin1', from, to).replace(/\0.*$/s, '')
  const headerChecksum = Number.parseInt(text(148, 156), 8)
  const computedChecksum = checksum(block) - checksum(block.subarray(148, 156)) + 8 * 0x20
  const size = text(124, 136)
  if (headerChecksum !== computedChecksum || !/^[0-7]{11}$/.test(size)) throw new RefusesToBoot(DAMAGED)
  return { name: text(0, 100), size: Number.parseInt(size, 8), type: text(156, 157) }
}

function parseFacts(records: string): Facts {
  const matches = [...records.matchAll(/^\d+ PARLEY\.(\w+)=(.*)$/gm)]
  return Object.fromEntries(matches.map(([, key = '', value = '']) => [key, value]))
}
