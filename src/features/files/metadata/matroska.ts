import type { Edits } from './edits.ts'
import { Malformed, type Reader } from './reader.ts'

// Source: RFC 8794 (EBML) and RFC 9559 (Matroska, and so WebM).

const SEGMENT = 0x18538067
const INFO = 0x1549a966
const TAGS = 0x1254c367
const DATE = 0x4461
const FILENAME = 0x7384
/** Elements to descend into. Elements of unknown size are entered as well. */
const OPENED_ELEMENTS = new Set([SEGMENT, INFO])
/** Place and time of recording, and the original file name. */
const REMOVED_ELEMENTS = new Set([TAGS, DATE, FILENAME])
const VOID = 0xec
const VOID_HEAD_BYTES = 9

/** Offsets stay valid: a removed element becomes a void element of the same length. */
export async function editMatroska(reader: Reader, edits: Edits): Promise<void> {
  for (let at = 0; at < reader.size;) {
    const head = await reader.upTo(at, Math.min(12, reader.size - at))
    const idBytes = lengthOf(head[0], 4)
    const id = head.readUIntBE(0, Math.min(idBytes, head.length))
    const sizeBytes = lengthOf(head[idBytes], 8)
    const size = sizeIn(head.subarray(idBytes, idBytes + sizeBytes), sizeBytes)
    const body = at + idBytes + sizeBytes
    const end = body + (size ?? 0)
    // An interrupted recording ends in the middle of its frames.
    if (REMOVED_ELEMENTS.has(id)) {
      if (size === undefined || end > reader.size) throw new Malformed('an element that lies about its length')
      edits.replace(at, at + Math.min(end - at, VOID_HEAD_BYTES), voidHead(end - at))
      edits.blank(at + VOID_HEAD_BYTES, end)
    }
    at = OPENED_ELEMENTS.has(id) || size === undefined ? body : end
  }
}

/** Length of a variable-size integer, from its first byte. */
function lengthOf(first: number | undefined, max: number): number {
  const length = Math.clz32(first ?? 0) - 23
  if (length > max) throw new Malformed('an element without a length')
  return length
}

/** Undefined for an unknown size, as live recordings have. */
function sizeIn(bytes: Buffer, length: number): number | undefined {
  if (bytes.length < length) throw new Malformed('the file ends in the middle')
  const [first = 0, ...rest] = bytes
  const mask = 2 ** (8 - length) - 1
  if ((first & mask) === mask && rest.every((byte) => byte === 255)) return undefined
  return rest.reduce((value, byte) => value * 256 + byte, first & mask)
}

/** The head of a void element of this total length. */
function voidHead(length: number): Buffer {
  if (length < VOID_HEAD_BYTES) return Buffer.from([VOID, 0x80 | (length - 2), ...new Uint8Array(length - 2)])
  const head = Buffer.alloc(VOID_HEAD_BYTES)
  head[0] = VOID
  head.writeBigUInt64BE(BigInt(length - VOID_HEAD_BYTES) | (1n << 56n), 1)
  return head
}
