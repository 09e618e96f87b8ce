import type { Edits } from './edits.ts'
import { Malformed, type Reader } from './reader.ts'

// Source: ISO/IEC 14496-12, 4.2: boxes.

/** There is no box at this offset. */
export class NoBox extends Malformed {}

export interface Box {
  type: string
  start: number
  /** Offset of its content. */
  body: number
  end: number
}

/** A file of boxes, and the edits to it. Offsets stay valid, because a removed box becomes a free box of zeros. */
export interface BoxFile {
  reader: Reader
  edits: Edits
}

/** The boxes between two offsets. @throws Malformed if a box has a wrong length */
export async function* boxesIn(file: BoxFile, from: number, to: number): AsyncGenerator<Box> {
  // QuickTime ends some lists with four zeros.
  for (let start = from; start + 8 <= to;) {
    const box = await boxAt(file, start, to)
    if (box.end > to) throw new Malformed('a box that lies about its length')
    yield box
    start = box.end
  }
}

/** @throws NoBox if no box begins there */
export async function boxAt({ reader }: BoxFile, start: number, to: number): Promise<Box> {
  const head = await reader.upTo(start, Math.min(16, to - start))
  if (head.length < 8) throw new NoBox('the file ends in the middle')
  const type = head.toString('latin1', 4, 8)
  const short = head.readUInt32BE(0)
  if (short === 0) return { type, start, body: start + 8, end: to }
  if (short !== 1) return { type, start, body: start + 8, end: start + sizeOf(short, 8) }
  if (head.length < 16) throw new NoBox('the file ends in the middle')
  return { type, start, body: start + 16, end: start + sizeOf(Number(head.readBigUInt64BE(8)), 16) }
}

function sizeOf(size: number, least: number): number {
  if (size < least || !Number.isSafeInteger(size)) throw new NoBox('a box that lies about its length')
  return size
}

/** Turns a box into free space. */
export async function free(file: BoxFile, box: Box): Promise<void> {
  if (box.type !== 'free') file.edits.replace(box.start + 4, box.start + 8, Buffer.from('free'))
  await blank(file, box.body, box.end)
}

/** Overwrites bytes with zeros, unless they are zero already. */
export async function blank({ reader, edits }: BoxFile, start: number, end: number): Promise<void> {
  if (!(await reader.isZero(start, end))) edits.blank(start, end)
}

/** True for padding. */
export const isSpace = (type: string): boolean => type === 'free' || type === 'skip' || type === 'wide'

/** The first child box of the type, if any. */
export async function childOf(file: BoxFile, { body, end }: Box, type: string): Promise<Box | undefined> {
  for await (const box of boxesIn(file, body, end)) if (box.type === type) return box
  return undefined
}

/** The content of a small box. @throws Malformed for a larger one */
export const bodyOf = ({ reader }: BoxFile, { body, end }: Box): Promise<Buffer> => reader.at(body, end - body)

/**
 * The kind and the children of a `meta` box, in QuickTime's form (without a version) or MP4's. The kind is that of its
 * handler: `mdir` for iTunes tags, `mdta` for a camera's, `pict` for the items of a picture.
 */
export async function openMeta(file: BoxFile, box: Box): Promise<{ kind: string; inner: Box }> {
  const head = await file.reader.upTo(box.body, Math.min(24, box.end - box.body))
  const offset = head.toString('latin1', 4, 8) === 'hdlr' ? 0 : 4
  const isHandled = head.toString('latin1', offset + 4, offset + 8) === 'hdlr'
  const kind = isHandled ? head.toString('latin1', offset + 16, offset + 20) : ''
  return { kind, inner: { ...box, body: box.body + offset } }
}
