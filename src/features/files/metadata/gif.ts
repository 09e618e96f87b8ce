import type { Edits } from './edits.ts'
import { Malformed, type Reader } from './reader.ts'

// Source: CompuServe, Graphics Interchange Format, version 89a.

const EXTENSION = 0x21
const PICTURE = 0x2c
const TRAILER = 0x3b
const COMMENT = 0xfe
const APPLICATION = 0xff
/** Application extensions for looping and colour profiles. */
const KEPT_EXTENSIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])

const coloursOf = (packed: number) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)

export async function editGif(reader: Reader, edits: Edits): Promise<void> {
  let at = 13 + coloursOf((await reader.at(10, 1))[0] ?? 0)
  // Some writers leave out the trailer.
  while (at < reader.size) {
    const kind = (await reader.at(at, 1))[0]
    if (kind === TRAILER) return edits.remove(at + 1, reader.size)
    if (kind === PICTURE) {
      const packed = (await reader.at(at + 9, 1))[0] ?? 0
      at = await endOfBlocks(reader, at + 10 + coloursOf(packed) + 1)
    } else if (kind === EXTENSION) {
      const label = (await reader.at(at + 1, 1))[0]
      const end = await endOfBlocks(reader, at + 2)
      if (label === COMMENT || (label === APPLICATION && !(await isKept(reader, at)))) edits.remove(at, end)
      at = end
    } else throw new Malformed('a block of no kind')
  }
}

const isKept = async (reader: Reader, at: number) =>
  KEPT_EXTENSIONS.has((await reader.upTo(at + 3, 11)).toString('latin1'))

/** The end of a chain of sub-blocks, each with its length; the last is empty. */
async function endOfBlocks(reader: Reader, from: number): Promise<number> {
  for (let at = from; ;) {
    const piece = await reader.piece(at)
    if (piece.length === 0) throw new Malformed('the file ends in the middle')
    let offset = 0
    for (let length = piece[offset]; length !== undefined; length = piece[offset]) {
      offset += 1 + length
      if (length === 0) return at + offset
    }
    at += offset
  }
}
