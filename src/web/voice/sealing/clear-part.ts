import { sequenceHeaderOf, unwrapped, wrapped } from './av1.ts'
import { type Bytes, joined } from './bytes.ts'
import { clearPartOfH264, escaped, unescaped } from './h264.ts'

/** How a frame is packed. `whole` needs no readable part: audio, and VP9, whose packets describe themselves. */
export type Codec = 'whole' | 'vp8' | 'h264' | 'av1'

const VP8_KEY_HEADER_BYTES = 10

/** RFC 6386 §9.1: a key frame of VP8 has this start code after three bytes. */
const isVp8Key = (frame: Bytes): boolean =>
  frame.length >= VP8_KEY_HEADER_BYTES &&
  ((frame[0] ?? 1) & 1) === 0 &&
  frame[3] === 0x9d &&
  frame[4] === 0x01 &&
  frame[5] === 0x2a

/**
 * The codec of frames with this MIME type.
 * @returns undefined for a codec whose packets could not be built from a sealed frame: nothing of it may be sent
 */
export function codecOf(mimeType: string | undefined): Codec | undefined {
  const [kind, name] = (mimeType ?? '').toLowerCase().split('/')
  if (kind === 'audio' || name === 'vp9') return 'whole'
  return name === 'vp8' || name === 'h264' || name === 'av1' ? name : undefined
}

/** Formats that repair losses of another codec: they carry its sealed frames. */
const REPAIRS = ['rtx', 'red', 'ulpfec', 'flexfec-03'].map((name) => `video/${name}`)

/** True for a video codec that a call may negotiate if it is or may become encrypted: not H.265, for instance. */
export const isSealable = (mimeType: string): boolean =>
  codecOf(mimeType) !== undefined || REPAIRS.includes(mimeType.toLowerCase())

/** A frame's readable part, which packetisers and the SFU need, and the rest. */
export interface Parts {
  clear: Bytes
  /** Bytes of the readable part that must not change. */
  authenticated: Bytes[]
  rest: Bytes
}

/** @returns undefined if the frame is not one of this codec */
export function partsOf(codec: Codec, frame: Bytes): Parts | undefined {
  if (codec === 'whole') return { clear: frame.subarray(0, 0), authenticated: [], rest: frame }
  if (codec === 'av1') {
    const clear = sequenceHeaderOf(frame)
    return { clear, authenticated: [clear], rest: frame }
  }
  if (codec === 'h264') {
    const part = clearPartOfH264(frame)
    if (!part) return undefined
    return { ...split(frame, part.bytes), authenticated: part.authenticated }
  }
  if (frame.length === 0) return undefined
  // RFC 7741 §4.3: a depacketiser reads the size from a key frame, and from any frame whether it is one.
  const { clear, rest } = split(frame, isVp8Key(frame) ? VP8_KEY_HEADER_BYTES : 1)
  return { clear, authenticated: [clear], rest }
}

const split = (frame: Bytes, bytes: number) => ({ clear: frame.subarray(0, bytes), rest: frame.subarray(bytes) })

/** A frame of a readable part and sealed bytes, which are changed so that packetisers find nothing in them. */
export function packed(codec: Codec, clear: Bytes, ...sealed: Bytes[]): Bytes {
  if (codec === 'av1') return wrapped(clear, ...sealed)
  return codec === 'h264' ? joined(clear, escaped(clear, joined(...sealed))) : joined(clear, ...sealed)
}

/** The sealed bytes of a packed frame; none if it is malformed. @param rest all after the readable part */
export function unpacked(codec: Codec, clear: Bytes, rest: Bytes): Bytes {
  if (codec === 'av1') return unwrapped(rest)
  return codec === 'h264' ? unescaped(clear, rest) : rest
}

/** A frame as it was before it was sealed. In AV1, the readable part is a copy. */
export const restored = (codec: Codec, clear: Bytes, plain: Bytes): Bytes =>
  clear.length === 0 || codec === 'av1' ? plain : joined(clear, plain)
