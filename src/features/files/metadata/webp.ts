import { onlyOrientation, orientationOf } from './exif.ts'
import { type Edits, editedSize } from './edits.ts'
import { Malformed, type Reader } from './reader.ts'

// Source: Google, WebP Container Specification.

const HEAD_BYTES = 12
const EXIF_BYTES_MAX = 64 * 1024
const FRAME_BYTES = 16
const HAS_EXIF = 0x08
const HAS_XMP = 0x04
const KEPT_CHUNKS = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L'])
/** The chunks of a frame. */
const OF_FRAME = new Set(['ALPH', 'VP8 ', 'VP8L'])

interface Chunk {
  name: string
  start: number
  /** End of the data, before the padding byte that may follow. */
  dataEnd: number
  end: number
}

export async function editWebp(reader: Reader, edits: Edits): Promise<void> {
  const riffEnd = 8 + (await reader.at(4, 4)).readUInt32LE(0)
  // Some writers omit the last byte of padding.
  if (riffEnd > reader.size + 1) throw new Malformed('a file that lies about its length')
  const end = Math.min(riffEnd, reader.size)
  let flags: { at: number; value: number } | undefined
  let isTurned = false
  for await (const chunk of chunksOf(reader, HEAD_BYTES, end)) {
    const { name, start } = chunk
    if (name === 'VP8X') flags = { at: start + 8, value: (await reader.at(start + 8, 1))[0] ?? 0 }
    else if (name === 'EXIF' && !isTurned) isTurned = await editExif(reader, edits, chunk)
    else if (name === 'ANMF') await editFrame(reader, edits, chunk)
    else if (!KEPT_CHUNKS.has(name)) edits.remove(start, chunk.end)
  }
  edits.remove(end, reader.size)
  const value = flags && (flags.value & ~HAS_XMP & ~HAS_EXIF) | (isTurned ? HAS_EXIF : 0)
  if (flags && value !== undefined && value !== flags.value) edits.replace(flags.at, flags.at + 1, Uint8Array.of(value))
  const size = Buffer.alloc(4)
  size.writeUInt32LE(editedSize(reader.size, edits.toList()) - 8)
  if (!size.equals(await reader.at(4, 4))) edits.replace(4, 8, size)
}

async function* chunksOf(reader: Reader, from: number, to: number): AsyncGenerator<Chunk> {
  for (let start = from; start < to;) {
    const head = await reader.at(start, 8)
    const dataEnd = start + 8 + head.readUInt32LE(4)
    if (dataEnd > to) throw new Malformed('a chunk that lies about its length')
    const end = Math.min(to, dataEnd + (dataEnd % 2))
    yield { name: head.toString('latin1', 0, 4), start, dataEnd, end }
    start = end
  }
}

/** Reduces an EXIF chunk to the orientation. @returns true if there is one */
async function editExif(reader: Reader, edits: Edits, { start, dataEnd, end }: Chunk): Promise<boolean> {
  const length = dataEnd - start - 8
  const exif = length <= EXIF_BYTES_MAX ? await reader.at(start + 8, length) : Buffer.alloc(0)
  // Some writers prefix the data with `Exif\0\0`, as in a JPEG.
  const tiff = exif.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif
  const replacement = onlyOrientation(orientationOf(tiff))
  if (!replacement) edits.remove(start, end)
  else if (!exif.equals(replacement)) {
    const chunk = Buffer.alloc(8 + replacement.length)
    chunk.write('EXIF', 'latin1')
    chunk.writeUInt32LE(replacement.length, 4)
    replacement.copy(chunk, 8)
    edits.replace(start, end, chunk)
  }
  return replacement !== undefined
}

/** A frame keeps its length: chunks that it does not need become zeros. */
async function editFrame(reader: Reader, edits: Edits, frame: Chunk): Promise<void> {
  if (frame.dataEnd < frame.start + 8 + FRAME_BYTES) throw new Malformed('a frame without a head')
  for await (const { name, start, end } of chunksOf(reader, frame.start + 8 + FRAME_BYTES, frame.dataEnd))
    if (!OF_FRAME.has(name) && !(await reader.isZero(start + 8, end))) edits.blank(start + 8, end)
}
