import { type Box, type BoxFile, childOf } from './boxes.ts'
import { Malformed, type Reader } from './reader.ts'

// Source: ISO/IEC 14496-12, 8.7: tables with the offsets of a track's samples.

const SAMPLES_MAX = 1_000_000
const CHUNKS_MAX = 50_000
const ENTRIES_AT_ONCE = 8 * 1024

/** Overwrites the samples of a track with zeros. @throws Malformed if its tables contradict each other */
export async function blankSamples(file: BoxFile, media: Box): Promise<void> {
  const information = await childOf(file, media, 'minf')
  const table = information && (await childOf(file, information, 'stbl'))
  if (!table) throw new Malformed('a track without samples')
  const offsets = await offsetsOf(file, table)
  const sizes = await sizesOf(file, table)
  const runs = await runsOf(file, table)
  let run = 0
  let sample = 0
  for (const [index, offset] of offsets.entries()) {
    while ((runs[run + 1]?.first ?? Infinity) <= index + 1) run++
    const end = Math.min(sizes.length, sample + (runs[run]?.samples ?? 0))
    let length = 0
    for (; sample < end; sample++) length += sizes[sample] ?? 0
    if (offset + length > file.reader.size) throw new Malformed('samples outside of the file')
    file.edits.blank(offset, offset + length)
  }
}

/** The numbers of a table, each of `bytes` bytes. */
async function numbersOf(reader: Reader, from: number, count: number, bytes: 4 | 8, end: number) {
  if (from + count * bytes > end) throw new Malformed('a table that lies about its length')
  const numbers = new Float64Array(count)
  for (let readCount = 0; readCount < count;) {
    const batchSize = Math.min(ENTRIES_AT_ONCE, count - readCount)
    const piece = await reader.at(from + readCount * bytes, batchSize * bytes)
    for (let at = 0; at < batchSize; at++)
      numbers[readCount + at] = bytes === 4 ? piece.readUInt32BE(at * 4) : Number(piece.readBigUInt64BE(at * 8))
    readCount += batchSize
  }
  return numbers
}

async function countOf({ reader }: BoxFile, box: Box, max: number): Promise<number> {
  const count = (await reader.at(box.body + 4, 4)).readUInt32BE(0)
  if (count > max) throw new Malformed('too many chunks')
  reader.countEntries(count)
  return count
}

async function offsetsOf(file: BoxFile, table: Box): Promise<Float64Array> {
  const short = await childOf(file, table, 'stco')
  const box = short ?? (await childOf(file, table, 'co64'))
  if (!box) return new Float64Array(0)
  const count = await countOf(file, box, CHUNKS_MAX)
  return numbersOf(file.reader, box.body + 8, count, short ? 4 : 8, box.end)
}

async function sizesOf(file: BoxFile, table: Box): Promise<Float64Array> {
  const box = await childOf(file, table, 'stsz')
  if (!box) throw new Malformed('samples without sizes')
  const head = await file.reader.at(box.body, 12)
  const [commonSize, count] = [head.readUInt32BE(4), head.readUInt32BE(8)]
  if (count > SAMPLES_MAX) throw new Malformed('too many samples')
  file.reader.countEntries(count)
  return commonSize === 0
    ? numbersOf(file.reader, box.body + 12, count, 4, box.end)
    : new Float64Array(count).fill(commonSize)
}

/**
 * Runs of chunks with the same number of samples: the first chunk of each, counted from 1, and the samples per chunk.
 */
async function runsOf(file: BoxFile, table: Box): Promise<{ first: number; samples: number }[]> {
  const box = await childOf(file, table, 'stsc')
  if (!box) return []
  const count = await countOf(file, box, CHUNKS_MAX)
  const numbers = await numbersOf(file.reader, box.body + 8, count * 3, 4, box.end)
  return Array.from({ length: count }, (_, at) => ({ first: numbers[at * 3] ?? 0, samples: numbers[at * 3 + 1] ?? 0 }))
}
