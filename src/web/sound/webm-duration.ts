// RFC 9559 §5.1: the ids of Segment, Info and Duration.
const SEGMENT = [0x18, 0x53, 0x80, 0x67]
const INFO = [0x15, 0x49, 0xa9, 0x66]
const DURATION = [0x44, 0x89]
/** The Info stands at the beginning. */
const SEARCHED_BYTES = 1_024
/** RFC 8794 §6.2: eight bytes of ones, for a size that is not known. */
const UNKNOWN = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]

const holdsAt = (bytes: Uint8Array, at: number, pattern: number[]): boolean =>
  pattern.every((byte, offset) => bytes[at + offset] === byte)

function indexOf(bytes: Uint8Array, pattern: number[]): number {
  for (let at = 0; at < Math.min(bytes.length, SEARCHED_BYTES); at++) if (holdsAt(bytes, at, pattern)) return at
  return -1
}

/** The size that stands at a place, and behind which byte. RFC 8794 §4: leading zeros count the bytes that follow. */
function sizeAt(bytes: Uint8Array, at: number): { size: number; end: number } {
  const first = bytes[at] ?? 0
  const length = Math.clz32(first) - 23
  let size = first & (0xff >> length)
  for (let nth = 1; nth < length; nth++) size = size * 256 + (bytes[at + nth] ?? 0)
  return { size, end: at + length }
}

/**
 * A recording that says how long it lasts: those of browsers do not, and cannot be skipped through.
 * @returns the same bytes where they are not what browsers record
 */
export function withDuration(bytes: Uint8Array<ArrayBuffer>, ms: number): Uint8Array<ArrayBuffer> {
  const [segment, info] = [indexOf(bytes, SEGMENT), indexOf(bytes, INFO)]
  if (segment < 0 || info < segment || !holdsAt(bytes, segment + SEGMENT.length, UNKNOWN)) return bytes
  const { size, end } = sizeAt(bytes, info + INFO.length)
  const body = bytes.subarray(end, end + size)
  if (indexOf(body, DURATION) >= 0 || end + size > SEARCHED_BYTES) return bytes
  // A size of eight bytes, the body, and the duration: a float of eight bytes, in ms where TimestampScale is 1,000,000.
  const infoWithDuration = new Uint8Array(8 + size + DURATION.length + 1 + 8)
  const view = new DataView(infoWithDuration.buffer)
  view.setUint8(0, 1)
  view.setUint32(4, size + DURATION.length + 9)
  infoWithDuration.set(body, 8)
  infoWithDuration.set([...DURATION, 0x88], 8 + size)
  view.setFloat64(8 + size + DURATION.length + 1, ms)
  const parts = [bytes.subarray(0, info + INFO.length), infoWithDuration, bytes.subarray(end + size)]
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
