import { crc32 } from 'node:zlib'
import type { Animation, Frame } from './frames.ts'
import { pixelsOf } from './pixels.ts'

// Source: W3C, Portable Network Graphics (PNG) Specification, third edition, 11.3.6: animation.

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const AFTER = ['kept', 'cleared', 'restored'] as const
/** A delay without a denominator counts hundredths of a second. */
const TICKS_PER_S = 100
/** Browsers replace frame durations up to this by a longer one. */
const HASTY_MS_MAX = 10
const HASTY_MS_SHOWN = 100
/** Chunks that every frame needs to be decoded: palette and transparency. */
const SHARED = new Set(['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP'])

interface Chunk {
  name: string
  data: Buffer
}

/** @throws RangeError if a chunk ends beyond the data */
function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    if (at + 12 + length > bytes.length) throw new RangeError('a chunk ends behind the file')
    chunks.push({ name: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return chunks
}

function chunk({ name, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)]
  head.writeUInt32BE(data.length)
  tail.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, tail])
}

/** A PNG of one frame. @param header the IHDR of the file, whose size is replaced by the frame's */
function pictureOf(header: Buffer, shared: Chunk[], parts: Buffer[], width: number, height: number): Buffer {
  const own = Buffer.from(header)
  own.writeUInt32BE(width, 0)
  own.writeUInt32BE(height, 4)
  const chunks = [
    { name: 'IHDR', data: own },
    ...shared,
    ...parts.map((data) => ({ name: 'IDAT', data })),
    { name: 'IEND', data: Buffer.alloc(0) },
  ]
  return Buffer.concat([SIGNATURE, ...chunks.map(chunk)])
}

/** The fields of a frame control chunk, without pixels. @throws RangeError if it is damaged */
function controlOf(data: Buffer, canvasWidth: number, canvasHeight: number, isFirst: boolean): Omit<Frame, 'pixels'> {
  if (data.length < 26) throw new RangeError('a short frame control')
  const [width, height] = [data.readUInt32BE(4), data.readUInt32BE(8)]
  const [x, y] = [data.readUInt32BE(12), data.readUInt32BE(16)]
  if (width === 0 || height === 0 || x + width > canvasWidth || y + height > canvasHeight)
    throw new RangeError('a frame beyond the canvas')
  const ms = Math.round((data.readUInt16BE(20) * 1000) / (data.readUInt16BE(22) || TICKS_PER_S))
  const after = AFTER[data.readUInt8(24)] ?? 'kept'
  return {
    x,
    y,
    width,
    height,
    ms: ms <= HASTY_MS_MAX ? HASTY_MS_SHOWN : ms,
    // There is nothing to restore before the first frame.
    after: isFirst && after === 'restored' ? 'cleared' : after,
    blends: data.readUInt8(25) === 1,
  }
}

/**
 * Parses an animated PNG; a picture before the first frame control is no part of the animation. Pixels of a frame are
 * decoded on demand.
 * @throws RangeError if the file is damaged or not animated
 */
export function readApng(bytes: Uint8Array): Animation {
  const chunks = chunksOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const header = chunks.find(({ name }) => name === 'IHDR')?.data
  const control = chunks.find(({ name }) => name === 'acTL')?.data
  if (!header || header.length !== 13 || !control || control.length < 8) throw new RangeError('no animation')
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const shared = chunks.filter(({ name }) => SHARED.has(name))
  // Each is allowed once, and every frame gets a copy of it.
  if (new Set(shared.map(({ name }) => name)).size < shared.length) throw new RangeError('a repeated chunk')
  const found: { control: Omit<Frame, 'pixels'>; parts: Buffer[] }[] = []
  for (const { name, data } of chunks) {
    if (name === 'fcTL') found.push({ control: controlOf(data, width, height, found.length === 0), parts: [] })
    else if (name === 'IDAT') found.at(-1)?.parts.push(data)
    else if (name === 'fdAT') found.at(-1)?.parts.push(data.subarray(4))
  }
  const frames = found.map(({ control: own, parts }) => ({
    ...own,
    pixels: () => pixelsOf(pictureOf(header, shared, parts, own.width, own.height), own.width, own.height),
  }))
  return { width, height, plays: control.readUInt32BE(4), frames }
}
