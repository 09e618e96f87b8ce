import { type Bytes, joined } from './bytes.ts'

// AV1 frames are sequences of OBUs (AV1 §5.3). Packetisers read the header of each OBU, leave out temporal delimiters, and
// drop the sizes, which the other side writes anew. Nothing else of a frame is read on the way: whether it is a key frame
// stands in the RTP packets. So a sealed frame is one OBU of type frame, whose payload is the whole frame, sealed.

/** OBU_FRAME (6) in bits 3 to 6, and the bit for a size. */
const HEADER = 0x32
/** Bytes of a size: AV1 allows eight, and four hold any frame. */
const SIZE_BYTES_MAX = 4

/** A number in groups of seven bits, the lowest first (AV1 §4.10.5, leb128). */
function leb128(value: number): number[] {
  const bytes: number[] = []
  for (let left = value; bytes.length === 0 || left > 0; left = Math.floor(left / 128))
    bytes.push((left % 128) | (left >= 128 ? 0x80 : 0))
  return bytes
}

/** Puts sealed bytes into an OBU. */
export function wrapped(...sealed: Bytes[]): Bytes {
  const size = sealed.reduce((sum, { length }) => sum + length, 0)
  return joined(new Uint8Array([HEADER, ...leb128(size)]), ...sealed)
}

/** Undoes `wrapped`. @returns nothing if these bytes are not one such OBU */
export function unwrapped(obu: Bytes): Bytes {
  const none = obu.subarray(0, 0)
  if (obu[0] !== HEADER) return none
  let size = 0
  for (let at = 1; at <= SIZE_BYTES_MAX; at++) {
    const byte = obu[at] ?? 0
    size += (byte & 0x7f) * 128 ** (at - 1)
    if (byte < 0x80) return size === obu.length - at - 1 ? obu.subarray(at + 1) : none
  }
  return none
}
