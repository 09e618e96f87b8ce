import { bodyOf, type Box, type BoxFile, boxesIn, childOf, openMeta } from './metadata/boxes.ts'
import { Edits } from './metadata/edits.ts'
import { orientationOf } from './metadata/exif.ts'
import { Numbers } from './metadata/items.ts'
import { Malformed, Reader, type Source } from './metadata/reader.ts'

/** The database column is a 32-bit integer. */
const EDGE_MAX = 2 ** 31 - 1
const SEGMENTS_MAX = 10_000
const EXIF_BYTES_MAX = 64 * 1024

interface Dimensions {
  width: number
  height: number
}

type Measure = (reader: Reader) => Promise<Dimensions | undefined>

const MEASURES: [RegExp, Measure][] = [
  [/^\x89PNG/, (reader) => pngSize(reader)],
  [/^GIF8/, (reader) => gifSize(reader)],
  [/^RIFF[^]{4}WEBP/, (reader) => webpSize(reader)],
  [/^\xff\xd8\xff/, (reader) => jpegSize(reader)],
  [/^[^]{4}ftyp/, (reader) => itemsSize({ reader, edits: new Edits() })],
]

/** The size in a picture's header, for formats that Bun cannot decode; undefined if there is none. */
export async function dimensionsOf(source: Source): Promise<Dimensions | undefined> {
  const reader = new Reader(source)
  try {
    const beginning = (await reader.upTo(0, Math.min(12, source.size))).toString('latin1')
    const size = await MEASURES.find(([sign]) => sign.test(beginning))?.[1](reader)
    const isSize = size && [size.width, size.height].every((edge) => edge > 0 && edge <= EDGE_MAX)
    return isSize ? size : undefined
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}

async function pngSize(reader: Reader): Promise<Dimensions> {
  const head = await reader.at(16, 8)
  return { width: head.readUInt32BE(0), height: head.readUInt32BE(4) }
}

async function gifSize(reader: Reader): Promise<Dimensions> {
  const head = await reader.at(6, 4)
  return { width: head.readUInt16LE(0), height: head.readUInt16LE(2) }
}

async function webpSize(reader: Reader): Promise<Dimensions | undefined> {
  const head = await reader.at(12, 18)
  const name = head.toString('latin1', 0, 4)
  if (name === 'VP8X') return { width: head.readUIntLE(12, 3) + 1, height: head.readUIntLE(15, 3) + 1 }
  if (name === 'VP8 ') return { width: head.readUInt16LE(14) & 0x3fff, height: head.readUInt16LE(16) & 0x3fff }
  if (name !== 'VP8L') return undefined
  const packed = head.readUInt32LE(9)
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
}

/** The size as displayed: EXIF may rotate the picture by 90°. */
async function jpegSize(reader: Reader): Promise<Dimensions | undefined> {
  let orientation = 1
  for (let at = 2, segments = 0; segments < SEGMENTS_MAX; segments++) {
    const head = await reader.at(at, 4)
    const [sign, marker = 0] = head
    const length = head.readUInt16BE(2)
    if (sign !== 0xff || length < 2) return undefined
    // Start-of-frame markers of every coding process, except DHT, JPG and DAC, whose markers lie in the same range.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const frame = await reader.at(at + 5, 4)
      return orient({ width: frame.readUInt16BE(2), height: frame.readUInt16BE(0) }, orientation)
    }
    if (marker === 0xe1 && length > 8 && length <= EXIF_BYTES_MAX) {
      const segment = await reader.at(at + 4, length - 2)
      if (segment.toString('latin1', 0, 4) === 'Exif') orientation = orientationOf(segment.subarray(6))
    }
    at += 2 + length
  }
  return undefined
}

const orient = ({ width, height }: Dimensions, orientation: number): Dimensions =>
  orientation >= 5 ? { width: height, height: width } : { width, height }

/** For HEIC and AVIF: applies the properties of the primary item in order. */
async function itemsSize(file: BoxFile): Promise<Dimensions | undefined> {
  const whole: Box = { type: '', start: 0, body: 0, end: file.reader.size }
  const meta = await childOf(file, whole, 'meta')
  const inner = meta && (await openMeta(file, meta)).inner
  const properties = inner && (await childOf(file, inner, 'iprp'))
  const container = properties && (await childOf(file, properties, 'ipco'))
  const [primary, associations] = [
    inner && (await childOf(file, inner, 'pitm')),
    properties && (await childOf(file, properties, 'ipma')),
  ]
  if (!container || !primary || !associations) return undefined
  const item = new Numbers(Buffer.from(await bodyOf(file, primary)))
  const id = item.next(item.next(4) >>> 24 === 0 ? 2 : 4)
  const usedProperties = propertiesOf(id, new Numbers(Buffer.from(await bodyOf(file, associations))))
  let size: Dimensions | undefined
  let index = 0
  for await (const box of boxesIn(file, container.body, container.end)) {
    if (!usedProperties.has(++index)) continue
    if (box.type === 'ispe') {
      const edges = await file.reader.at(box.body + 4, 8)
      size = { width: edges.readUInt32BE(0), height: edges.readUInt32BE(4) }
    } else if (box.type === 'clap') {
      const [width = 0, overWidth = 1, height = 0, overHeight = 1] = await fieldsOf(file, box)
      size = { width: Math.round(width / overWidth), height: Math.round(height / overHeight) }
    } else if (box.type === 'irot' && size) {
      const turns = (await file.reader.at(box.body, 1))[0] ?? 0
      size = orient(size, turns & 1 ? 5 : 1)
    }
  }
  return size
}

const fieldsOf = async (file: BoxFile, { body }: Box) => {
  const fields = await file.reader.at(body, 16)
  return [0, 4, 8, 12].map((at) => fields.readUInt32BE(at))
}

/** The indexes of an item's properties, counted from 1. Source: ISO/IEC 23008-12, 9.3.1. */
function propertiesOf(id: number, table: Numbers): Set<number> {
  const version = table.next(4)
  const [idWidth, isWide] = [version >>> 24 === 0 ? 2 : 4, (version & 1) === 1]
  const indexes = new Set<number>()
  for (let itemsLeft = table.next(4); itemsLeft > 0; itemsLeft--) {
    const isItem = table.next(idWidth) === id
    for (let propertiesLeft = table.next(1); propertiesLeft > 0; propertiesLeft--) {
      const index = isWide ? table.next(2) & 0x7fff : table.next(1) & 0x7f
      if (isItem) indexes.add(index)
    }
  }
  return indexes
}
