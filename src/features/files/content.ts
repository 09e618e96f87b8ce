import { fileTypeFromBuffer } from 'file-type'
import { Problem } from '../../core/errors.ts'

/** Bytes of a file's beginning that tell its type. */
export const SNIFF_BYTES = 4100
/** Larger images get no thumbnail: decoding is bounded in memory. */
export const IMAGE_BYTES_MAX = 32 * 1024 * 1024
/** 50 megapixels decode to 200 MB; more is a bomb or a poster. */
const PIXELS_MAX = 50_000_000
/** Each scan of a progressive JPEG is a walk over all of its pixels, for 55 bytes; encoders write some twenty. */
const JPEG_SCANS_MAX = 100
const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9
const THUMBNAIL_EDGE = 512
const THUMBNAIL_QUALITY = 80

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

/** Types that browsers show safely; the rest is for saving. Source: contract.md §3, "Files". */
export const isShown = (type: string): boolean =>
  IMAGES.has(type) || /^(audio|video)\//.test(type) || type === 'application/pdf'

/** Names that mean the same, and containers that say less than what is inside. */
const ALIASES: Record<string, string> = {
  'image/jpg': 'image/jpeg',
  'image/apng': 'image/png',
  'audio/mp3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'audio/x-m4a': 'video/mp4',
  'audio/mp4': 'video/mp4',
  'video/quicktime': 'video/mp4',
  'audio/ogg': 'application/ogg',
  'video/ogg': 'application/ogg',
  'audio/opus': 'application/ogg',
  'audio/webm': 'video/webm',
  'video/matroska': 'video/webm',
  'video/x-matroska': 'video/webm',
  'text/xml': 'application/xml',
  'image/svg+xml': 'application/xml',
  'application/xhtml+xml': 'application/xml',
}
const plain = (type: string) => ALIASES[type.split(';')[0] ?? type] ?? type.split(';')[0] ?? type

/**
 * Refuses bytes that are not what was announced. `application/octet-stream` announces nothing; a type whose bytes have
 * no signature, such as text, can only be refused when they have another's.
 * @throws Problem `upload_mismatch`
 */
export async function demandType(announced: string, beginning: Uint8Array): Promise<void> {
  if (announced === 'application/octet-stream') return
  const found = (await fileTypeFromBuffer(beginning))?.mime
  const zipped =
    found === 'application/zip' && /^application\/.*(zip|officedocument|opendocument|java-archive|epub)/.test(announced)
  const right = found === undefined ? !isShown(plain(announced)) : plain(found) === plain(announced) || zipped
  if (!right) throw new Problem('upload_mismatch', `The bytes are ${found ?? 'of no known type'}, not ${announced}`)
}

export interface Picture {
  width: number | null
  height: number | null
  /** WebP, at most 512 × 512. */
  thumbnail: Uint8Array | undefined
}

/**
 * Measures an image and makes its thumbnail, off the event loop. What this platform cannot decode has neither.
 * @throws Problem `upload_mismatch` for a damaged image, or one of too many pixels or scans
 */
export async function readPicture(bytes: Uint8Array): Promise<Picture> {
  if (jpegScans(bytes) > JPEG_SCANS_MAX) throw new Problem('upload_mismatch', 'The image has too many scans')
  try {
    const { width, height } = await new Bun.Image(bytes, { maxPixels: PIXELS_MAX }).metadata()
    if (width * height > PIXELS_MAX) throw new Problem('upload_mismatch', 'The image has too many pixels')
    const thumbnail = await new Bun.Image(bytes, { maxPixels: PIXELS_MAX })
      .resize(THUMBNAIL_EDGE, THUMBNAIL_EDGE, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: THUMBNAIL_QUALITY })
      .bytes()
    return { width, height, thumbnail }
  } catch (error) {
    if (error instanceof Problem) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ERR_IMAGE_FORMAT_UNSUPPORTED') return { width: null, height: null, thumbnail: undefined }
    if (code === 'ERR_IMAGE_TOO_MANY_PIXELS') throw new Problem('upload_mismatch', 'The image has too many pixels')
    throw new Problem('upload_mismatch', 'The image is damaged')
  }
}

/** The scans of a JPEG, 0 for anything else. Source: ITU-T T.81 §B.1: markers, and segments by their length. */
function jpegScans(bytes: Uint8Array): number {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return 0
  let scans = 0
  for (let at = bytes.indexOf(0xff, 2); at !== -1; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[at + 1] ?? END_OF_IMAGE
    if (marker === END_OF_IMAGE) break
    if (marker === START_OF_SCAN) scans++
    // Stuffing, fill, TEM and restarts stand alone; another 0xff may begin a marker.
    const alone = marker <= 1 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd8)
    const length = alone ? 0 : Math.max(2, ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0))
    at += (marker === 0xff ? 1 : 2) + length
  }
  return scans
}

/** Whether the type is one that pictures are made of. */
export const isPicture = (type: string): boolean => IMAGES.has(type)
