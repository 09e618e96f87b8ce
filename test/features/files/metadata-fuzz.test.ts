import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { dimensionsOf } from '../../../src/features/files/dimensions.ts'
import { applyEdits, type Edit, editedSize } from '../../../src/features/files/metadata/edits.ts'
import { metadataEdits } from '../../../src/features/files/metadata/metadata.ts'
import { type Source, sourceOf } from '../../../src/features/files/metadata/reader.ts'
import { picture, pictures, secretsIn } from '../../support/pictures.ts'

/** The bytes with their edits, read in pieces of some length. */
async function cleaned(bytes: Uint8Array, edits: Edit[], piece: number): Promise<Buffer> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, at) =>
    bytes.subarray(at * piece, (at + 1) * piece),
  )
  return Buffer.concat(await Array.fromAsync(applyEdits(pieces, edits)))
}

type Change = { at: number; bytes: number[] } | { cut: number } | { double: [number, number] }
const position = fc.nat(8_000)
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ at: position, bytes: fc.array(fc.constantFrom(0, 1, 8, 0x7f, 0x80, 0xfe, 0xff), { maxLength: 8 }) }),
  fc.record({ at: position, bytes: fc.array(fc.nat(255), { maxLength: 4 }) }),
  fc.record({ cut: position }),
  fc.record({ double: fc.tuple(position, position) }),
)

function changed(bytes: Buffer, changes: Change[]): Buffer {
  let now = bytes
  for (const one of changes) {
    const [length] = [Math.max(1, now.length)]
    if ('cut' in one) now = now.subarray(0, one.cut % length)
    else if ('double' in one) {
      const [from, to] = one.double.map((at) => at % length).toSorted((a, b) => a - b) as [number, number]
      now = Buffer.concat([now.subarray(0, to), now.subarray(from)])
    } else now = Buffer.from(now.map((byte, at) => one.bytes[at - (one.at % length)] ?? byte))
  }
  return now
}

test('a picture or video with any damage is read to its end, and an understood one is clean', async () => {
  const damaged = fc.record({
    name: fc.constantFrom(...pictures),
    changes: fc.array(change, { minLength: 1, maxLength: 4 }),
    piece: fc.integer({ min: 1, max: 5_000 }),
  })
  await fc.assert(
    fc.asyncProperty(damaged, async ({ name, changes, piece }) => {
      const bytes = changed(picture(name), changes)
      await dimensionsOf(sourceOf(bytes))
      const edits = await metadataEdits(sourceOf(bytes))
      if (!edits) return
      const clean = await cleaned(bytes, edits, piece)
      expect(clean.length).toBe(editedSize(bytes.length, edits))
      // A second pass finds nothing more to remove.
      expect(await metadataEdits(sourceOf(clean))).toEqual([])
    }),
    { numRuns: 3_000 },
  )
})

test('a file in pieces of any size is cleaned to the same bytes', async () => {
  for (const name of pictures) {
    const bytes = picture(name)
    const edits = (await metadataEdits(sourceOf(bytes))) ?? []
    const whole = await cleaned(bytes, edits, bytes.length)
    expect([name, secretsIn(whole)]).toEqual([name, []])
    for (const piece of [1, 2, 3, 7, 64, 1000]) expect(whole.equals(await cleaned(bytes, edits, piece))).toBe(true)
  }
})

/** A file of any size: these parts at their offsets, and zeros elsewhere. Counts the bytes that are read. */
function sparse(size: number, parts: [number, Buffer][]): Source & { bytes: number; reads: number } {
  const source = {
    size,
    bytes: 0,
    reads: 0,
    async read(start: number, length: number) {
      source.reads++
      source.bytes += length
      const piece = Buffer.alloc(Math.min(length, size - start))
      for (const [at, part] of parts)
        if (at < start + piece.length && at + part.length > start)
          part.copy(piece, Math.max(0, at - start), Math.max(0, start - at))
      return piece
    },
  }
  return source
}

test('for a video of four gigabytes only the heads are read', async () => {
  const head = Buffer.alloc(16)
  head.writeUInt32BE(1)
  head.write('mdat', 4)
  const size = 4 * 1024 ** 3
  head.writeBigUInt64BE(BigInt(size), 8)
  const movie = picture('phone.mp4')
  const start = movie.length
  const tail = picture('phone.mov')
  const moov = tail.subarray(tail.indexOf('moov') - 4)
  const source = sparse(start + size + moov.length, [
    [0, movie],
    [start, head],
    [start + size, moov],
  ])
  const edits = await metadataEdits(source)
  expect(edits?.some((edit) => edit.start > start + size)).toBe(true)
  expect([source.bytes < 256 * 1024, source.reads < 20]).toEqual([true, true])
})

test('a file of nothing but parts is given up, and the event loop goes on meanwhile', async () => {
  const png = Buffer.concat([picture('photo-with-place.png').subarray(0, 33), Buffer.alloc(0)])
  const chunks = Buffer.alloc(12 * 2_000_000)
  for (let at = 0; at < chunks.length; at += 12) chunks.write('teXt', at + 4)
  const segments = Buffer.alloc(4 * 5_000_000)
  for (let at = 0; at < segments.length; at += 4) segments.set([0xff, 0xe5, 0, 2], at)
  const boxes = Buffer.alloc(8 * 3_000_000)
  for (let at = 0; at < boxes.length; at += 8) boxes.set([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65], at)
  const hostile = {
    png: Buffer.concat([png, chunks]),
    jpeg: Buffer.concat([Buffer.from([0xff, 0xd8]), segments]),
    boxes: Buffer.concat([picture('phone.mp4').subarray(0, 32), boxes]),
  }
  for (const [name, bytes] of Object.entries(hostile)) {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const edits = await metadataEdits(sourceOf(bytes))
    clearInterval(timer)
    expect([name, edits, turns > 0]).toEqual([name, undefined, true])
  }
})
