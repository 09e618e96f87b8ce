import type { Animation, Frame } from './frames.ts'
import { pixelsOf } from './pixels.ts'

// Source: Google, WebP Container Specification.

const ALPHA = 0x10
const ANIMATED = 0x02
/** The chunks that contain pixels. */
const PICTURE = new Set(['ALPH', 'VP8 ', 'VP8L'])

interface Chunk {
  name: string
  data: Uint8Array
}

const number24 = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 2 ** 8 + (bytes[at + 2] ?? 0) * 2 ** 16
const bytes24 = (value: number): number[] => [value & 255, (value >> 8) & 255, (value >> 16) & 255]

/** @throws RangeError if a chunk ends beyond the data */
function chunksOf(bytes: Uint8Array, from: number): Chunk[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks: Chunk[] = []
  for (let at = from; at + 8 <= view.length;) {
    const length = view.readUInt32LE(at + 4)
    if (at + 8 + length > view.length) throw new RangeError('a chunk ends behind the file')
    chunks.push({ name: view.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, at + 8 + length) })
    at += 8 + length + (length % 2)
  }
  return chunks
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, new Uint8Array(data.length % 2)])
}

const file = (chunks: Uint8Array[]): Uint8Array =>
  chunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]))

const extendedHeader = (flags: number, width: number, height: number): Uint8Array =>
  chunk('VP8X', Uint8Array.from([flags, 0, 0, 0, ...bytes24(width - 1), ...bytes24(height - 1)]))

/** Parses an animated WebP. Pixels of a frame are decoded on demand. @throws RangeError if the file is damaged */
export function readWebp(bytes: Uint8Array): Animation {
  const chunks = chunksOf(bytes, 12)
  const [head] = chunks
  if (head?.name !== 'VP8X' || head.data.length < 10) throw new RangeError('no animation')
  const [width, height] = [number24(head.data, 4) + 1, number24(head.data, 7) + 1]
  const plays = chunks.find(({ name }) => name === 'ANIM')?.data[4] ?? 0
  const frames = chunks.filter(({ name }) => name === 'ANMF').map(({ data }) => readFrame(data, width, height))
  return { width, height, plays, frames }
}

function readFrame(data: Uint8Array, canvasWidth: number, canvasHeight: number): Frame {
  const [x, y] = [number24(data, 0) * 2, number24(data, 3) * 2]
  const [width, height] = [number24(data, 6) + 1, number24(data, 9) + 1]
  if (x + width > canvasWidth || y + height > canvasHeight) throw new RangeError('a frame beyond the canvas')
  const flags = data[15] ?? 0
  const still = pictureIn(data, width, height)
  const after = flags & 1 ? 'cleared' : 'kept'
  const pixels = () => pixelsOf(still, width, height)
  return { x, y, width, height, ms: number24(data, 12), after, blends: (flags & 2) === 0, pixels }
}

/** Wraps a frame's picture as a standalone WebP. @throws RangeError if the frame is damaged */
function pictureIn(frame: Uint8Array, width: number, height: number): Uint8Array {
  const parts = chunksOf(frame, 16).filter(({ name }) => PICTURE.has(name))
  return file([
    ...(parts.some(({ name }) => name === 'ALPH') ? [extendedHeader(ALPHA, width, height)] : []),
    ...parts.map((part) => chunk(part.name, part.data)),
  ])
}

/**
 * The first picture of an animated WebP that `writeWebp` made; any other WebP is returned unchanged.
 * @throws RangeError if the file is damaged
 */
export function stillWebp(bytes: Uint8Array): Uint8Array {
  const frame = chunksOf(bytes, 12).find(({ name }) => name === 'ANMF')?.data
  return frame ? pictureIn(frame, number24(frame, 6) + 1, number24(frame, 9) + 1) : bytes
}

/**
 * The first picture of an animated WebP if it covers the whole canvas, as encoders write it. Undefined otherwise, and
 * for a damaged file or one that is not animated.
 */
export function firstPicture(bytes: Uint8Array): Uint8Array | undefined {
  try {
    const chunks = chunksOf(bytes, 12)
    const [head] = chunks
    const frame = chunks.find(({ name }) => name === 'ANMF')?.data
    if (head?.name !== 'VP8X' || !frame) return undefined
    const edges = [number24(head.data, 4), number24(head.data, 7)]
    const [width, height] = [number24(frame, 6), number24(frame, 9)]
    return width === edges[0] && height === edges[1] ? pictureIn(frame, width + 1, height + 1) : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Writes an animated WebP. Each picture covers the whole canvas. @param plays repetitions; 0 loops forever */
export function writeWebp(
  width: number,
  height: number,
  plays: number,
  frames: { webp: Uint8Array; ms: number }[],
): Uint8Array {
  const frameChunks = frames.map(({ webp, ms }) => {
    const parts = chunksOf(webp, 12).filter(({ name }) => PICTURE.has(name))
    // Top left corner, without blending or clearing.
    const head = [...bytes24(0), ...bytes24(0), ...bytes24(width - 1), ...bytes24(height - 1), ...bytes24(ms), 2]
    return chunk('ANMF', Buffer.concat([Uint8Array.from(head), ...parts.map(({ name, data }) => chunk(name, data))]))
  })
  const loop = chunk('ANIM', Uint8Array.from([0, 0, 0, 0, plays & 255, (plays >> 8) & 255]))
  return file([extendedHeader(ANIMATED | ALPHA, width, height), loop, ...frameChunks])
}
