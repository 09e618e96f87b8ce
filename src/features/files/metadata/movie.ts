import { blank, type Box, boxAt, type BoxFile, boxesIn, childOf, free, isSpace, NoBox, openMeta } from './boxes.ts'
import { Edits } from './edits.ts'
import { editItems } from './items.ts'
import { editJpeg } from './jpeg.ts'
import { editPng } from './png.ts'
import { Malformed, Reader } from './reader.ts'
import { blankSamples } from './samples.ts'

// Sources: ISO/IEC 14496-12 (MP4), Apple's QuickTime File Format, ISO/IEC 23008-12 (HEIF), ISO/IEC 18181-2 (JPEG XL).

const words = (list: string) => new Set(list.split(' '))
/** Boxes needed to play or show the file. */
const OF_FILE = new Set([
  ...words('ftyp styp pdin moov moof mdat mfra sidx ssix prft emsg meta jxll jxlc jxlp jxli'),
  'JXL ',
])
const OF_MOVIE = words('mvhd trak mvex iods pssh udta meta')
const OF_TRACK = words('tkhd mdia edts tref tapt load clip matt imap trgr udta meta')
const OF_FRAGMENT = words('mfhd traf pssh')
/**
 * Tags that describe a work, and boxes that players need. Everything else reveals where, when and with what the file
 * was made.
 */
const OF_USER = words('meta chpl name tsel hnti hinf WLOC LOOP SelO AllF ludt titl perf auth albm gnre yrrc trkn cprt')
const OF_TAGS = words(
  '\xa9nam \xa9ART aART \xa9alb \xa9gen gnre \xa9day trkn disk cpil pgap \xa9wrt cprt tmpo \xa9lyr \xa9grp covr',
)
const NAMED_BY_USER = words('\xa9nam \xa9ART \xa9alb \xa9wrt \xa9gen \xa9cpy')
/** The type and language fields before a tag's data. */
const COVER_HEAD_BYTES = 8
/** Types of tracks with a camera's measurements, such as the location at each second. */
const MEASUREMENT_TRACKS = words('meta nrtm camm')

/** Edits MP4, QuickTime, HEIC, AVIF and JPEG XL, which all consist of boxes. */
export async function editBoxes(file: BoxFile): Promise<void> {
  const { reader, edits } = file
  const { size } = reader
  let isKnown = false
  for (let start = 0; start < size;) {
    const box = size - start < 8 ? undefined : await boxAt(file, start, size).catch(unlessNoBox)
    const isUsed = box !== undefined && (OF_FILE.has(box.type) || isSpace(box.type))
    if (isUsed && box.end > size) throw new Malformed('a box that lies about its length')
    // Cameras append data that is not a box.
    if (!box || box.end > size) {
      if (!isKnown) throw new Malformed('no boxes')
      return edits.remove(start, size)
    }
    if (box.type === 'moov') await editMovie(file, box)
    else if (box.type === 'meta') await editFileMeta(file, box)
    else if (box.type === 'moof') await keepOnly(file, box, OF_FRAGMENT)
    else if (isSpace(box.type)) await blank(file, box.body, box.end)
    else if (!OF_FILE.has(box.type)) await free(file, box)
    isKnown ||= isUsed
    start = box.end
  }
}

function unlessNoBox(error: unknown): undefined {
  if (!(error instanceof NoBox)) throw error
}

/** Frees the children of a box whose type is not in `types`. @param edit edits a child that stays */
async function keepOnly(
  file: BoxFile,
  { body, end }: Box,
  types: ReadonlySet<string>,
  edit: (box: Box) => Promise<void> = async () => {},
): Promise<void> {
  for await (const box of boxesIn(file, body, end)) {
    if (types.has(box.type)) await edit(box)
    else if (isSpace(box.type)) await blank(file, box.body, box.end)
    else await free(file, box)
  }
}

async function editFileMeta(file: BoxFile, box: Box): Promise<void> {
  const { kind, inner } = await openMeta(file, box)
  return kind === 'pict' ? editItems(file, inner) : editMeta(file, box)
}

async function editMovie(file: BoxFile, movie: Box): Promise<void> {
  // Compressed movie headers are obsolete, and their content cannot be examined.
  if (await childOf(file, movie, 'cmov')) throw new Malformed('a compressed movie')
  await keepOnly(file, movie, OF_MOVIE, async (box) => {
    if (box.type === 'trak') await editTrack(file, box)
    else await editAbout(file, box)
  })
}

async function editTrack(file: BoxFile, track: Box): Promise<void> {
  const media = await childOf(file, track, 'mdia')
  const handler = media && (await childOf(file, media, 'hdlr'))
  if (!media || !handler) throw new Malformed('a track of nothing')
  const kind = (await file.reader.at(handler.body + 8, 4)).toString('latin1')
  if (MEASUREMENT_TRACKS.has(kind)) {
    await blankSamples(file, media)
    return free(file, track)
  }
  await keepOnly(file, track, OF_TRACK, (box) => editAbout(file, box))
}

/** Edits the metadata of a movie or a track. */
async function editAbout(file: BoxFile, box: Box): Promise<void> {
  if (box.type === 'meta') return editMeta(file, box)
  if (box.type !== 'udta') return
  for await (const child of boxesIn(file, box.body, box.end)) {
    if (child.type === 'meta') await editMeta(file, child)
    else if (!OF_USER.has(child.type) && !NAMED_BY_USER.has(child.type)) await free(file, child)
  }
}

/** Keeps iTunes tags that name a work; removes a camera's tags. */
async function editMeta(file: BoxFile, box: Box): Promise<void> {
  const { kind, inner } = await openMeta(file, box)
  if (kind !== 'mdir') return free(file, box)
  await keepOnly(file, inner, words('hdlr ilst'), async (child) => {
    if (child.type === 'ilst') await keepOnly(file, child, OF_TAGS, (tag) => editTag(file, tag))
  })
}

/** Keeps a cover picture that has no metadata itself. */
async function editTag(file: BoxFile, tag: Box): Promise<void> {
  if (tag.type !== 'covr') return
  for await (const { type, body, end } of boxesIn(file, tag.body, tag.end)) {
    const from = body + COVER_HEAD_BYTES
    if (type !== 'data' || from > end || !(await isBarePicture(file.reader, from, end))) return free(file, tag)
  }
}

async function isBarePicture(reader: Reader, start: number, end: number): Promise<boolean> {
  const picture = new Reader({ size: end - start, read: (from, length) => reader.upTo(start + from, length) })
  const edits = new Edits()
  const sign = (await picture.upTo(0, Math.min(2, picture.size))).toString('latin1')
  const edit = sign === '\xff\xd8' ? editJpeg : sign === '\x89P' ? editPng : undefined
  await edit?.(picture, edits)
  return edit !== undefined && edits.toList().length === 0
}
