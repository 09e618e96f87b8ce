import { blank, bodyOf, type Box, type BoxFile, boxesIn, childOf, free, isSpace } from './boxes.ts'
import { Malformed } from './reader.ts'

// Source: ISO/IEC 14496-12, 8.11, and ISO/IEC 23008-12, annex A: a picture consists of items, and so does its EXIF.

const KEPT_BOXES = new Set('hdlr pitm iinf iref iprp idat iloc grpl dinf'.split(' '))
/** EXIF, and XMP or anything else typed by MIME type or URI. */
const METADATA_TYPES = new Set(['Exif', 'mime', 'uri '])
/** An unknown type, which readers skip. */
const NO_TYPE = Buffer.from('skip')
const EXTENTS_MAX = 10_000
const USER_DESCRIPTION = 'udes'
const IN_FILE = 0
const IN_BOX = 1

/** EXIF can be removed entirely: HEIF readers take the orientation from a property, and ignore the one in EXIF. */
export async function editItems(file: BoxFile, meta: Box): Promise<void> {
  const metadataIds = new Set<number>()
  for await (const box of boxesIn(file, meta.body, meta.end)) {
    if (box.type === 'iinf') await editInfos(file, box, metadataIds)
    else if (box.type === 'iprp') await editProperties(file, box)
    else if (isSpace(box.type)) await blank(file, box.body, box.end)
    else if (!KEPT_BOXES.has(box.type)) await free(file, box)
  }
  const locations = metadataIds.size > 0 ? await childOf(file, meta, 'iloc') : undefined
  if (locations) await blankItems(file, locations, await childOf(file, meta, 'idat'), metadataIds)
}

/** Removes the type of metadata items, and collects their ids. */
async function editInfos(file: BoxFile, { body, end }: Box, metadataIds: Set<number>): Promise<void> {
  const version = (await file.reader.at(body, 1))[0] ?? 0
  for await (const info of boxesIn(file, body + (version === 0 ? 6 : 8), end)) {
    if (info.type !== 'infe') continue
    const entry = await bodyOf(file, info)
    const [entryVersion = 0] = entry
    // Earlier versions have no type.
    if (entryVersion < 2) continue
    const typeAt = entryVersion === 2 ? 8 : 10
    if (entry.length < typeAt + 4) throw new Malformed('an item that is cut off')
    if (!METADATA_TYPES.has(entry.toString('latin1', typeAt, typeAt + 4))) continue
    metadataIds.add(entryVersion === 2 ? entry.readUInt16BE(4) : entry.readUInt32BE(4))
    file.edits.replace(info.body + typeAt, info.body + typeAt + 4, NO_TYPE)
    await blank(file, info.body + typeAt + 4, info.end)
  }
}

async function editProperties(file: BoxFile, properties: Box): Promise<void> {
  const container = await childOf(file, properties, 'ipco')
  if (!container) return
  for await (const box of boxesIn(file, container.body, container.end))
    if (box.type === USER_DESCRIPTION || box.type === 'uuid') await free(file, box)
}

/** Reads consecutive numbers whose widths a table declares. */
export class Numbers {
  private at = 0
  constructor(private readonly bytes: Buffer) {}

  next(width: number): number {
    const from = this.at
    this.at += width
    if (this.at > this.bytes.length) throw new Malformed('a table that is cut off')
    if (width === 0) return 0
    return width === 8 ? Number(this.bytes.readBigUInt64BE(from)) : this.bytes.readUIntBE(from, width)
  }
}

/** Overwrites the bytes of items with zeros. */
async function blankItems(
  file: BoxFile,
  box: Box,
  idat: Box | undefined,
  metadataIds: ReadonlySet<number>,
): Promise<void> {
  const numbers = new Numbers(Buffer.from(await bodyOf(file, box)))
  const version = numbers.next(1)
  numbers.next(3)
  const [widths, furtherWidths] = [numbers.next(1), numbers.next(1)]
  const [offsetWidth, lengthWidth, baseWidth] = [widths >> 4, widths & 15, furtherWidths >> 4].map(widthOf) as [0, 0, 0]
  const indexWidth = version === 0 ? 0 : widthOf(furtherWidths & 15)
  const count = numbers.next(version < 2 ? 2 : 4)
  let extentsLeft = EXTENTS_MAX
  for (let item = 0; item < count; item++) {
    const id = numbers.next(version < 2 ? 2 : 4)
    const method = version === 0 ? IN_FILE : numbers.next(2) & 15
    numbers.next(2)
    const base = numbers.next(baseWidth)
    const extents = numbers.next(2)
    extentsLeft -= extents
    if (extentsLeft < 0) throw new Malformed('too many extents')
    for (let extent = 0; extent < extents; extent++) {
      numbers.next(indexWidth)
      const [offset, length] = [base + numbers.next(offsetWidth), numbers.next(lengthWidth)]
      if (!metadataIds.has(id)) continue
      const from = method === IN_FILE ? 0 : method === IN_BOX ? idat?.body : undefined
      const limit = method === IN_BOX ? idat?.end : file.reader.size
      if (from === undefined || length === 0 || from + offset + length > (limit ?? 0))
        throw new Malformed('an item outside of the file')
      await blank(file, from + offset, from + offset + length)
    }
  }
}

function widthOf(width: number): number {
  if (width !== 0 && width !== 4 && width !== 8) throw new Malformed('a width of no number')
  return width
}
