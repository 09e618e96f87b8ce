import { onlyOrientation, orientationOf } from './exif.ts'
import type { Edits } from './edits.ts'
import { Malformed, type Reader } from './reader.ts'

// Source: ITU-T T.81, B.1: markers, and segments with their length.

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2
const APP14 = 0xee
const COM = 0xfe
const EXIF = 'Exif\0\0'
/** Application segments that affect how the pixels look. */
const KEPT_SEGMENTS: [number, string][] = [
  [APP0, 'JFIF\0'],
  [APP2, 'ICC_PROFILE\0'],
  [APP14, 'Adobe'],
]
/** JFIF without the thumbnail that may follow. */
const JFIF_BYTES = 18

/** Markers without a length: TEM and the restart markers. */
const standsAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
const isApplication = (marker: number) => marker >= APP0 && marker <= 0xef
/** Reserved markers and those of extensions, which no decoder needs. */
const isReserved = (marker: number) => (marker >= 0x02 && marker <= 0xbf) || (marker >= 0xf0 && marker <= 0xfd)

/** Also removes everything after the picture: cameras append further pictures and videos, with their own metadata. */
export async function editJpeg(reader: Reader, edits: Edits): Promise<void> {
  let isTurned = false
  for (let at = 2; ;) {
    const begin = await nextMarker(reader, at)
    // Decoders skip bytes between segments. A picture that is truncated within its pixels is still shown.
    edits.remove(at, begin ?? reader.size)
    if (begin === undefined) throw new Malformed('no picture')
    const marker = (await reader.at(begin + 1, 1))[0] ?? EOI
    if (marker === EOI) return edits.remove(begin + 2, reader.size)
    if (marker === SOI) throw new Malformed('a picture in a picture')
    at = begin + 2
    const length = (await reader.at(at, 2)).readUInt16BE(0)
    const end = at + length
    if (length < 2 || end > reader.size) throw new Malformed('a segment that lies about its length')
    if (marker === SOS) {
      const after = await nextMarker(reader, end)
      if (after === undefined) return
      at = after
      continue
    }
    const head = (await reader.at(at + 2, Math.min(12, length - 2))).toString('latin1')
    if (marker === APP1 && head.startsWith(EXIF) && !isTurned) isTurned = await editExif(reader, edits, begin, end)
    else if (marker === COM || isReserved(marker) || (isApplication(marker) && !isKept(marker, head)))
      edits.remove(begin, end)
    else if (marker === APP0 && length > JFIF_BYTES - 2) {
      const small = Buffer.from(await reader.at(begin, JFIF_BYTES))
      small.writeUInt16BE(JFIF_BYTES - 2, 2)
      small.writeUInt16BE(0, JFIF_BYTES - 2)
      edits.replace(begin, end, small)
    }
    at = end
  }
}

const isKept = (marker: number, head: string) =>
  KEPT_SEGMENTS.some(([keptMarker, name]) => keptMarker === marker && head.startsWith(name))

/** Reduces an EXIF segment to the orientation. @returns true if the segment is EXIF */
async function editExif(reader: Reader, edits: Edits, begin: number, end: number): Promise<boolean> {
  const tiff = await reader.at(begin + 10, end - begin - 10)
  const replacement = onlyOrientation(orientationOf(tiff))
  if (!replacement) edits.remove(begin, end)
  else if (!tiff.equals(replacement)) {
    const head = Buffer.from([0xff, APP1, 0, 2 + EXIF.length + replacement.length])
    edits.replace(begin, end, Buffer.concat([head, Buffer.from(EXIF, 'latin1'), replacement]))
  }
  return replacement !== undefined
}

/** Offset of the next marker; undefined if the file ends first. Zero bytes and restart markers belong to the pixels. */
async function nextMarker(reader: Reader, from: number): Promise<number | undefined> {
  for (let at = from; at + 1 < reader.size;) {
    const piece = await reader.piece(at)
    if (piece.length < 2) {
      await reader.upTo(at, 2)
      continue
    }
    const offset = markerIn(piece)
    if (offset !== undefined) return at + offset
    // The last byte may be the first half of a marker.
    at += piece.length - 1
  }
  return undefined
}

/** A plain loop: with an indexOf call per 0xFF byte, a hostile picture would take fifty times as long. */
function markerIn(piece: Buffer): number | undefined {
  for (let at = 0; at + 1 < piece.length; at++) {
    if (piece[at] !== 0xff) continue
    const marker = piece[at + 1] ?? 0
    if (marker !== 0 && marker !== 0xff && !standsAlone(marker)) return at
  }
  return undefined
}
