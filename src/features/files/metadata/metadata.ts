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
/** How files begin: text at an offset. */
const EDITORS: [number, RegExp, Editor][] = [
  [0, /^\xff\xd8\xff/, editJpeg],
  [0, /^\x89PNG\r\n/, editPng],
  [0, /^GIF8[79]a/, editGif],
  [0, /^RIFF[^]{4}WEBP/, editWebp],
  [0, /^[^]E\xdf\xa3/, editMatroska],
  // A QuickTime movie need not say that it is one.
  [4, /^(ftyp|moov|mdat|wide|free|skip|pnot|JXL )/, BOXES],
]
const BEGINNING_BYTES = 16

/**
 * What has to change in a file so that it no longer says where, when, by whom and with what it was made: EXIF, XMP,
 * IPTC and comments of pictures, places and devices of videos, and what cameras append. How a picture is turned and its
 * colours stay, and no pixel changes. The bytes decide what the file is, whatever it is called.
 * @returns the edits in the file's order, none for another kind of file; undefined where its structure is not
 * understood, so that nobody knows what it says
 */
export async function metadataEdits(source: Source): Promise<Edit[] | undefined> {
  const reader = new Reader(source)
  const edits = new Edits()
  try {
    const beginning = (await reader.upTo(0, BEGINNING_BYTES)).toString('latin1')
    const [, , edit] = EDITORS.find(([at, sign]) => sign.test(beginning.slice(at))) ?? []
    await edit?.(reader, edits)
    return edits.sorted()
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}
