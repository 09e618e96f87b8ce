import { crc32 } from 'node:zlib'
import { onlyOrientation, orientationOf } from './exif.ts'
import type { Edits } from './edits.ts'
import { Malformed, type Reader } from './reader.ts'

// Source: W3C, Portable Network Graphics, third edition.

const SIGNATURE_BYTES = 8
/** Length, name and checksum of a chunk. */
const AROUND_BYTES = 12
const EXIF_BYTES_MAX = 64 * 1024
/** Ancillary chunks that affect how the pixels look. Critical chunks always stay. */
const KEPT_CHUNKS = new Set(
  'tRNS cHRM gAMA iCCP sBIT sRGB bKGD hIST pHYs sPLT acTL fcTL fdAT cICP mDCV mDCv cLLI cLLi'.split(' '),
)
const isCritical = (name: string) => /^[A-Z]/.test(name)

export async function editPng(reader: Reader, edits: Edits): Promise<void> {
  for (let at = SIGNATURE_BYTES; ;) {
    const head = await reader.at(at, 8)
    const name = head.toString('latin1', 4, 8)
    const end = at + AROUND_BYTES + head.readUInt32BE(0)
    if (!/^[a-zA-Z]{4}$/.test(name) || end > reader.size) throw new Malformed('a chunk that lies about its length')
    if (name === 'IEND') return edits.remove(end, reader.size)
    if (name === 'eXIf') await editExif(reader, edits, at, end)
    else if (!isCritical(name) && !KEPT_CHUNKS.has(name)) edits.remove(at, end)
    at = end
  }
}

/** Reduces an EXIF chunk to the orientation. */
async function editExif(reader: Reader, edits: Edits, begin: number, end: number): Promise<void> {
  const length = end - begin - AROUND_BYTES
  const tiff = length <= EXIF_BYTES_MAX ? await reader.at(begin + 8, length) : Buffer.alloc(0)
  const replacement = onlyOrientation(orientationOf(tiff))
  if (!replacement) return edits.remove(begin, end)
  if (tiff.equals(replacement)) return
  const chunk = Buffer.alloc(AROUND_BYTES + replacement.length)
  chunk.writeUInt32BE(replacement.length, 0)
  chunk.write('eXIf', 4, 'latin1')
  replacement.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + replacement.length)), 8 + replacement.length)
  edits.replace(begin, end, chunk)
}
