const TEXT = 1
const CLOSE = 8
const PING = 9
/** `{"t":"me`: bytes at the start of a frame that show its kind. */
const KIND_BYTES = 8
const PONG = Uint8Array.of(0x8a, 0x80, 0, 0, 0, 0)

/** The state of reading a stream of frames. Only the first bytes of each frame are read. */
export interface FrameReader {
  /** Bytes of the current frame that have not arrived. */
  skip: number
  /** The beginning of a frame that has not arrived completely. */
  rest: Buffer | undefined
}

export const newFrameReader = (): FrameReader => ({ skip: 0, rest: undefined })

export interface FrameListener {
  /** A text frame: kindOf() of its event, or ANSWER for the answer to a command. */
  text(kind: number): void
  pong(bytes: Uint8Array): void
  closed(): void
}

/** The kind of an event: the first two letters of its name. */
export const kindOf = (event: string): number => event.charCodeAt(0) * 256 + event.charCodeAt(1)
/** The kind of `{"re":…`. */
export const ANSWER = 0

/** Reads frames of a server, which are not masked (RFC 6455 §5.1, §5.2). */
export function readFrames(reader: FrameReader, chunk: Buffer, listener: FrameListener): void {
  let bytes = chunk
  if (reader.rest) {
    bytes = Buffer.concat([reader.rest, chunk])
    reader.rest = undefined
  }
  let at = reader.skip
  while (at < bytes.length) {
    const header = headerBytes(bytes, at)
    const length = header === 0 ? 0 : payloadBytes(bytes, at, header)
    if (header === 0 || bytes.length < at + header + Math.min(length, KIND_BYTES)) {
      reader.rest = bytes.subarray(at)
      reader.skip = 0
      return
    }
    const opcode = (bytes[at] ?? 0) & 15
    if (opcode === TEXT) listener.text(kindAt(bytes, at + header))
    else if (opcode === PING) listener.pong(PONG)
    else if (opcode === CLOSE) listener.closed()
    at += header + length
  }
  reader.skip = at - bytes.length
}

function kindAt(bytes: Buffer, at: number): number {
  const isEvent = bytes[at + 2] === 0x74
  return isEvent ? (bytes[at + 6] ?? 0) * 256 + (bytes[at + 7] ?? 0) : ANSWER
}

/** Bytes of the frame's header; 0 when the header is incomplete. */
function headerBytes(bytes: Buffer, at: number): number {
  if (bytes.length < at + 2) return 0
  const short = (bytes[at + 1] ?? 0) & 127
  const header = short < 126 ? 2 : short === 126 ? 4 : 10
  return bytes.length < at + header ? 0 : header
}

function payloadBytes(bytes: Buffer, at: number, header: number): number {
  if (header === 2) return (bytes[at + 1] ?? 0) & 127
  return header === 4 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
}

/** A masked text frame of at most 125 bytes (RFC 6455 §5.3), with a mask of zero. */
export function textFrame(text: string): Uint8Array {
  const payload = Buffer.from(text)
  return Buffer.concat([Uint8Array.of(0x81, 0x80 | payload.length, 0, 0, 0, 0), payload])
}
