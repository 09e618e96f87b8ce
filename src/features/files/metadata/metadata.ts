import { type Edit, Edits } from './edits.ts'
import { editGif } from './gif.ts'
import { editJpeg } from './jpeg.ts'
import { editMatroska } from './matroska.ts'
import { editBoxes } from './movie.ts'
import { editPng } from './png.ts'
import { Malformed, Reader, type Source } from './reader.ts'
import { editWebp } from './webp.ts'

type Editor = (reader: Reader, edits: Edits) => Promise<void>

const BOXES: Editor = (reader, edits) => editBoxes({ reader, edits })
/** Signatures: text at an offset. */
const EDITORS: [number, RegExp, Editor][] = [
  [0, /^\xff\xd8\xff/, editJpeg],
  [0, /^\x89PNG\r\n/, editPng],
  [0, /^GIF8[79]a/, editGif],
  [0, /^RIFF[^]{4}WEBP/, editWebp],
  [0, /^[^]E\xdf\xa3/, editMatroska],
  // A QuickTime movie may lack the box that declares its type.
  [4, /^(ftyp|moov|mdat|wide|free|skip|pnot|JXL )/, BOXES],
]
const BEGINNING_BYTES = 16

/**
 * The edits that remove everything that names the place, time, author and device of a file: EXIF, XMP, IPTC and
 * comments of pictures, locations and devices of videos, and data that cameras append. Orientation and colours stay,
 * and no pixel changes. The type is detected from the bytes, not from the file name.
 * @returns the edits in file order, empty for other types; undefined if the structure was not understood, so that
 * metadata may remain
 */
export async function metadataEdits(source: Source): Promise<Edit[] | undefined> {
  const reader = new Reader(source)
  const edits = new Edits()
  try {
    const beginning = (await reader.upTo(0, BEGINNING_BYTES)).toString('latin1')
    const [, , edit] = EDITORS.find(([at, sign]) => sign.test(beginning.slice(at))) ?? []
    await edit?.(reader, edits)
    return edits.toList()
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}
