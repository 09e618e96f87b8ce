import { codeOf } from '../../../core/errors.ts'
import { type Animation, canvases } from './frames.ts'
import { readApng } from './apng.ts'
import { readGif } from './gif.ts'
import { pictureOf } from './pixels.ts'
import { readWebp, writeWebp } from './webp.ts'

/** A larger picture would take too long to decode, so it stays still. */
const EDGE_PX_MAX = 512
const FRAMES_MAX = 150
const PIXELS_MAX = 12_000_000
const BYTES_MAX = 512 * 1024
const QUALITY = 75
/** WebP stores a frame's duration in three bytes; this bound fits. */
const MS_MAX = 60_000

const readers: Partial<Record<string, (bytes: Uint8Array) => Animation>> = {
  gif: readGif,
  png: readApng,
  webp: readWebp,
}

/**
 * Re-encodes an animation as WebP of at most `edge` pixels per side.
 * @param format as Bun names it
 * @returns undefined for a still picture, a damaged animation, and one that is too large
 */
export async function animatedWebp(bytes: Uint8Array, format: string, edge: number): Promise<Uint8Array | undefined> {
  try {
    const animation = readers[format]?.(bytes)
    return animation && isFit(animation) ? await encode(animation, edge) : undefined
  } catch (error) {
    if (error instanceof RangeError || codeOf(error)?.startsWith('ERR_IMAGE')) return undefined
    throw error
  }
}

function isFit({ width, height, frames }: Animation): boolean {
  const isSmall = width > 0 && height > 0 && width <= EDGE_PX_MAX && height <= EDGE_PX_MAX
  return isSmall && frames.length > 1 && frames.length <= FRAMES_MAX && width * height * frames.length <= PIXELS_MAX
}

async function encode(animation: Animation, edge: number): Promise<Uint8Array | undefined> {
  const scale = Math.min(1, edge / Math.max(animation.width, animation.height))
  const [width, height] = [animation.width, animation.height].map((side) => Math.max(1, Math.round(side * scale)))
  if (!width || !height) return undefined
  const frames: { webp: Uint8Array; ms: number }[] = []
  let size = 0
  for await (const canvas of canvases(animation)) {
    const ms = Math.min(animation.frames[frames.length]?.ms ?? 0, MS_MAX)
    const webp = await new Bun.Image(pictureOf(canvas, animation.width, animation.height))
      .resize(width, height, { fit: 'fill' })
      .webp({ quality: QUALITY })
      .bytes()
    size += webp.length
    if (size > BYTES_MAX) return undefined
    frames.push({ webp, ms })
  }
  return writeWebp(width, height, animation.plays, frames)
}
