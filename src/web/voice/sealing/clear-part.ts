/** How a frame is packed. `whole` needs no readable part: audio, and VP9, whose packets describe themselves. */
export type Codec = 'whole' | 'vp8'

const VP8_KEY_HEADER_BYTES = 10

/** RFC 6386 §9.1: after three bytes, a key frame of VP8 has this start code. */
const hasStartCode = (frame: Uint8Array): boolean => frame[3] === 0x9d && frame[4] === 0x01 && frame[5] === 0x2a

/** True for a key frame of VP8. */
const isVp8Key = (frame: Uint8Array): boolean =>
  frame.length >= VP8_KEY_HEADER_BYTES && ((frame[0] ?? 1) & 1) === 0 && hasStartCode(frame)

/**
 * The codec of frames with this MIME type.
 * @returns undefined for a codec whose packets could not be built from a sealed frame: nothing of it may be sent
 */
export function codecOf(mimeType: string | undefined): Codec | undefined {
  const [kind, name] = (mimeType ?? '').toLowerCase().split('/')
  if (kind === 'audio' || name === 'vp9') return 'whole'
  return name === 'vp8' ? 'vp8' : undefined
}

/**
 * Bytes at the beginning of a frame that stay readable, because packetisers and the SFU need them. They are
 * authenticated.
 */
export function clearBytes(codec: Codec, frame: Uint8Array): number {
  if (codec === 'whole') return 0
  // RFC 7741 §4.3: a depacketiser reads the size from a key frame, and from any frame whether it is one.
  return isVp8Key(frame) ? VP8_KEY_HEADER_BYTES : Math.min(1, frame.length)
}
