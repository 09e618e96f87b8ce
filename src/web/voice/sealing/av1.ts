import { type Bytes, joined } from './bytes.ts'

// AV1 frames are sequences of OBUs (AV1 §5.3). Packetisers read the header of each OBU, leave out temporal delimiters,
// and drop the sizes, which the other side writes anew. A frame that begins with a sequence header starts a sequence; a
// receiver takes no other frame for a key frame. So a sealed frame is a copy of the sequence header, if it has one,
// and an OBU of type frame, whose payload is the whole frame, sealed.

/** First bytes of OBUs: the type in bits 3 to 6, and the bit for a size. */
const HEADER = { sequence: 0x0a, delimiter: 0x12, frame: 0x32 } as const
/** Bytes of a size: AV1 allows eight, and four hold any frame. */
const SIZE_BYTES_MAX = 4

/** A number in groups of seven bits, the lowest first (AV1 §4.10.5, leb128). */
export function leb128(number: number): number[] {
  const bytes: number[] = []
  for (let value = number; bytes.length === 0 || value > 0; value = Math.floor(value / 128))
    bytes.push((value % 128) | (value >= 128 ? 0x80 : 0))
  return bytes
}

/** The payload of the OBU with which these bytes begin, if it has this header, and what follows it. */
function obuOf(bytes: Bytes, header: number): { payload: Bytes; after: Bytes } | undefined {
  if (bytes[0] !== header) return undefined
  let size = 0
  for (let at = 1; at <= SIZE_BYTES_MAX; at++) {
    const byte = bytes[at] ?? 0
    size += (byte & 0x7f) * 128 ** (at - 1)
    if (byte >= 0x80) continue
    const [begin, end] = [at + 1, at + 1 + size]
    return end <= bytes.length ? { payload: bytes.subarray(begin, end), after: bytes.subarray(end) } : undefined
  }
  return undefined
}

/** The payload of a frame's sequence header; empty if it does not begin with one. */
export function sequenceHeaderOf(frame: Bytes): Bytes {
  const start = obuOf(frame, HEADER.delimiter)?.after ?? frame
  return obuOf(start, HEADER.sequence)?.payload ?? frame.subarray(0, 0)
}

/** Puts sealed bytes into an OBU, after a sequence header if it is not empty. */
export function wrapped(sequenceHeader: Bytes, ...sealed: Bytes[]): Bytes {
  const size = sealed.reduce((sum, { length }) => sum + length, 0)
  const { length } = sequenceHeader
  const first =
    length > 0 ? joined(new Uint8Array([HEADER.sequence, ...leb128(length)]), sequenceHeader) : sequenceHeader
  return joined(first, new Uint8Array([HEADER.frame, ...leb128(size)]), ...sealed)
}

/** Undoes `wrapped`. @returns nothing if these bytes are not one such frame */
export function unwrapped(frame: Bytes): Bytes {
  const obu = obuOf(obuOf(frame, HEADER.sequence)?.after ?? frame, HEADER.frame)
  return obu?.after.length === 0 ? obu.payload : frame.subarray(0, 0)
}
