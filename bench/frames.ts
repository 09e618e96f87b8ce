const TEXT = 1
const CLOSE = 8
const PING = 9
/** `{"t":"me`: as much of a frame as tells what it is. */
const TELLING_BYTES = 8
const PONG = Uint8Array.of(0x8a, 0x80, 0, 0, 0, 0)

/** What was read of a stream of frames so far; only as much of each is looked at as tells it from others. */
export interface FrameReader {
  /** Bytes of the frame at hand that are still to come. */
  skip: number
  /** The beginning of a frame that came in pieces. */
  rest: Buffer | undefined
}

export const newFrameReader = (): FrameReader => ({ skip: 0, rest: undefined })

export interface FrameListener {
  /** A text frame, by what kindOf says of its event's name; ANSWER when it is the answer to a command. */
  text(kind: number): void
  pong(bytes: Uint8Array): void
  closed(): void
}

/** An event by the first two letters of its name. */
export const kindOf = (event: string): number => event.charCodeAt(0) * 256 + event.charCodeAt(1)
/** The kind of `{"re":…`. */
export const ANSWER = 0

/** Reads what a server sent (RFC 6455 §5.2): unmasked frames. */
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
    if (header === 0 || bytes.length < at + header + Math.min(length, TELLING_BYTES)) {
      reader.rest = bytes.subarray(at)
      reader.skip = 0
      return
    }
    const opcode = (bytes[at] as number) & 15
    if (opcode === TEXT) listener.text(kindAt(bytes, at + header))
    else if (opcode === PING) listener.pong(PONG)
    else if (opcode === CLOSE) listener.closed()
    at += header + length
  }
  reader.skip = at - bytes.length
}

function kindAt(bytes: Buffer, at: number): number {
  const isEvent = bytes[at + 2] === 0x74
  return isEvent ? (bytes[at + 6] as number) * 256 + (bytes[at + 7] as number) : ANSWER
}

/** 0 when not all of the header is there. */
function headerBytes(bytes: Buffer, at: number): number {
  if (bytes.length < at + 2) return 0
  const short = (bytes[at + 1] as number) & 127
  const header = short < 126 ? 2 : short === 126 ? 4 : 10
  return bytes.length < at + header ? 0 : header
}

function payloadBytes(bytes: Buffer, at: number, header: number): number {
  if (header === 2) return (bytes[at + 1] as number) & 127
  return header === 4 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
}

/** A masked text frame of at most 125 bytes (RFC 6455 §5.3), with a mask of zero. */
export function textFrame(text: string): Uint8Array {
  const payload = Buffer.from(text)
  return Buffer.concat([Uint8Array.of(0x81, 0x80 | payload.length, 0, 0, 0, 0), payload])
}
