import type { Bytes } from './bytes.ts'

// H.264 frames (Annex B): NAL units with start codes. Packetisers split them there and read the parameter sets and the
// beginning of the first slice. All that follows is sealed as the rest of that slice, with its bytes escaped as in any
// NAL unit, so that no start code appears in it.

/** Bytes of a slice that stay readable: its type, first_mb_in_slice, slice_type and pic_parameter_set_id. */
const SLICE_HEADER_BYTES = 5
const ESCAPE = 3
const TYPE = { slice: 1, keySlice: 5, sps: 7, pps: 8 } as const

/** The first bytes of the NAL units of a frame, after their start codes. */
function* unitsIn(frame: Bytes): Generator<number> {
  for (let at = 2; at + 1 < frame.length; at++)
    if (frame[at] === 1 && frame[at - 1] === 0 && frame[at - 2] === 0) yield at + 1
}

/** Start codes have three or four bytes, and may change on the way: neither they nor zeros before them count. */
function trimmed(unit: Bytes): Bytes {
  let length = unit.length
  while (length > 0 && unit[length - 1] === 0) length--
  return unit.subarray(0, length)
}

/**
 * The readable part of a frame.
 * @returns how many bytes it has, and what of them is authenticated; undefined if the frame has no slice
 */
export function clearPartOfH264(frame: Bytes): { bytes: number; authenticated: Bytes[] } | undefined {
  const authenticated: Bytes[] = []
  let [before, type] = [0, 0]
  const keep = (end: number) => {
    const unit = trimmed(frame.subarray(before, end))
    if (type === TYPE.sps || type === TYPE.pps)
      authenticated.push(new Uint8Array([unit.length >> 8, unit.length]), unit)
  }
  for (const at of unitsIn(frame)) {
    if (before > 0) keep(at - 3)
    before = at
    type = (frame[at] ?? 0) & 0x1f
    if (type !== TYPE.slice && type !== TYPE.keySlice) continue
    const bytes = Math.min(frame.length, at + SLICE_HEADER_BYTES)
    return { bytes, authenticated: [...authenticated, frame.subarray(at, bytes)] }
  }
  return undefined
}

/** Number of zeros at the end, at most two. */
const zerosAtEnd = (bytes: Bytes): number => (bytes.at(-1) !== 0 ? 0 : bytes.at(-2) !== 0 ? 1 : 2)

/** ITU-T H.264 §7.4.1: a byte of at most 3 after two zeros gets an emulation prevention byte before it. */
export function escaped(clear: Bytes, rest: Bytes): Bytes {
  // At most one byte more for every two.
  const out = new Uint8Array(rest.length + (rest.length >> 1) + 1)
  let [zeros, length] = [zerosAtEnd(clear), 0]
  for (const byte of rest) {
    if (zeros >= 2 && byte <= ESCAPE) {
      out[length++] = ESCAPE
      zeros = 0
    }
    out[length++] = byte
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return out.slice(0, length)
}

/** Undoes `escaped`. */
export function unescaped(clear: Bytes, rest: Bytes): Bytes {
  const out = new Uint8Array(rest.length)
  let [zeros, length] = [zerosAtEnd(clear), 0]
  for (const byte of rest) {
    const isEscape = zeros >= 2 && byte === ESCAPE
    zeros = isEscape || byte !== 0 ? 0 : zeros + 1
    if (!isEscape) out[length++] = byte
  }
  return out.slice(0, length)
}
