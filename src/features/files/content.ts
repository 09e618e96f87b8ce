import { codeOf, Problem } from '../../core/errors.ts'
import { firstPicture } from './animation/webp.ts'
import { dimensionsOf } from './dimensions.ts'
import { type Source, sourceOf } from './metadata/reader.ts'

/** Leading bytes of a file from which its type is detected. */
export const SNIFF_BYTES = 4100
/** Larger images get no thumbnail, which bounds the memory for decoding. */
export const IMAGE_BYTES_MAX = 32 * 1024 * 1024
/** 25 megapixels decode to 100 MB, within a second. Larger pictures get no thumbnail. */
const PIXELS_MAX = 25_000_000
/** Higher than for other types, because JPEG is decoded at the thumbnail's scale. Photographs from phones fit. */
const JPEG_PIXELS_MAX = 50_000_000
/** A scan of a progressive JPEG takes 55 bytes but costs a pass over all pixels. Encoders write about 20. */
const JPEG_SCANS_MAX = 100
/** Pixels times scans that are decoded within a second. */
const JPEG_PASSES_MAX = 1_000_000_000
const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9
const THUMBNAIL_EDGE = 512
const THUMBNAIL_QUALITY = 80

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

export const OCTETS = 'application/octet-stream'

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])
/** Photographs from phones that few browsers can show: they get a size, and are downloaded. */
const UNSHOWN_IMAGES = new Set(['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'])

/** True for types that browsers show safely; others are served as attachments. */
export const isShown = (type: string): boolean =>
  IMAGES.has(type) || /^(audio|video)\//.test(type) || type === 'application/pdf'

/** Aliases of types that browsers show. */
const MISNAMED: Record<string, string> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/apng': 'image/png',
  'image/x-png': 'image/png',
}

/** The canonical name of a type. */
export const properType = (type: string): string => MISNAMED[type] ?? type

/** Equivalent names of types, and containers whose signature does not reveal the exact type. */
const ALIASES: Record<string, string> = {
  ...MISNAMED,
  'image/heif': 'image/heic',
  'image/heic-sequence': 'image/heic',
  'image/heif-sequence': 'image/heic',
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
 * Refuses bytes that are not of the announced type. `application/octet-stream` allows anything. A type without a
 * signature, such as text, is refused only if the bytes have another type's signature.
 * @throws Problem `upload_mismatch`
 */
export async function demandType(announcedType: string, beginning: Uint8Array): Promise<void> {
  if (announcedType === OCTETS) return
  const signatureType = await signedType(beginning)
  const isZipFormat =
    signatureType === 'application/zip' &&
    /^application\/.*(zip|officedocument|opendocument|java-archive|epub)/.test(announcedType)
  const isRight =
    signatureType === undefined
      ? !isShown(plain(announcedType))
      : plain(signatureType) === plain(announcedType) || isZipFormat
  if (!isRight)
    throw new Problem('upload_mismatch', `The bytes are ${signatureType ?? 'of no known type'}, not ${announcedType}`)
}

/**
 * The type to store a file with: by its name if the bytes allow that, else by their signature.
 * @param beginning its first SNIFF_BYTES
 */
export async function typeOf(filename: string, beginning: Uint8Array): Promise<string> {
  const typeByName = Bun.file(filename).type.split(';')[0] ?? OCTETS
  const isRight = await demandType(typeByName, beginning).then(
    () => typeByName.length <= 127,
    () => false,
  )
  if (isRight) return properType(typeByName)
  return properType((await signedType(beginning)) ?? OCTETS)
}

/** The type that the signature of the bytes says; undefined without a known signature. */
async function signedType(beginning: Uint8Array): Promise<string | undefined> {
  // Loaded with the first file, to save memory on an idle server.
  const { fileTypeFromBuffer } = await import('file-type')
  const signatureType = (await fileTypeFromBuffer(beginning))?.mime
  // The library does not recognise a PNG with wrong chunk lengths.
  return signatureType ?? (PNG.equals(beginning.subarray(0, PNG.length)) ? 'image/png' : undefined)
}

export interface Picture {
  width: number | null
  height: number | null
  /** WebP, at most 512 × 512. */
  thumbnail: Uint8Array | undefined
}
/** A file that has no preview. */
export const NO_PICTURE: Picture = { width: null, height: null, thumbnail: undefined }

/**
 * Measures an image and makes its thumbnail, off the event loop. If Bun cannot decode it, or its header says that it is
 * too large, only the size in the header is returned. An animated WebP is represented by its first frame.
 */
export async function readPicture(bytes: Uint8Array): Promise<Picture> {
  const scans = jpegScans(bytes)
  if (scans > JPEG_SCANS_MAX) return measure(sourceOf(bytes))
  const maxPixels = scans === 0 ? PIXELS_MAX : Math.min(JPEG_PIXELS_MAX, JPEG_PASSES_MAX / scans)
  try {
    const { width, height } = await new Bun.Image(bytes, { maxPixels }).metadata()
    if (width * height > maxPixels) return { width, height, thumbnail: undefined }
    return { width, height, thumbnail: await thumbnailOf(bytes, maxPixels) }
  } catch (error) {
    if (!codeOf(error)?.startsWith('ERR_IMAGE')) throw error
    return measure(sourceOf(bytes))
  }
}

const small = (bytes: Uint8Array, maxPixels: number) =>
  new Bun.Image(bytes, { maxPixels })
    .resize(THUMBNAIL_EDGE, THUMBNAIL_EDGE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: THUMBNAIL_QUALITY })
    .bytes()

async function thumbnailOf(bytes: Uint8Array, maxPixels: number): Promise<Uint8Array | undefined> {
  try {
    return await small(bytes, maxPixels)
  } catch (error) {
    if (codeOf(error) !== 'ERR_IMAGE_DECODE_FAILED') throw error
    const first = firstPicture(bytes)
    return first && small(first, maxPixels)
  }
}

/** The size in the header, if readable, for a picture that is not decoded. */
export async function measure(source: Source): Promise<Picture> {
  return { ...NO_PICTURE, ...(await dimensionsOf(source)) }
}

/** The number of scans of a JPEG, 0 for anything else. ITU-T T.81 §B.1: markers, and segments with their length. */
function jpegScans(bytes: Uint8Array): number {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return 0
  let scans = 0
  for (let at = bytes.indexOf(0xff, 2); at !== -1; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[at + 1] ?? END_OF_IMAGE
    if (marker === END_OF_IMAGE) break
    if (marker === START_OF_SCAN) scans++
    // Stuffing, fill, TEM and restart markers have no length; a fill byte is followed by another marker.
    const hasNoLength = marker <= 1 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd8)
    const length = hasNoLength ? 0 : Math.max(2, ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0))
    at += (marker === 0xff ? 1 : 2) + length
  }
  return scans
}

/** True for types that get a size and a thumbnail. */
export const isPicture = (type: string): boolean => IMAGES.has(type) || UNSHOWN_IMAGES.has(type)
