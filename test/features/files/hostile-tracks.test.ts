import { expect, test } from 'bun:test'
import { metadataEdits } from '../../../src/features/files/metadata/metadata.ts'
import { sourceOf } from '../../../src/features/files/metadata/reader.ts'
import { box, numbers } from '../../support/boxes.ts'

/** A track of 150 bytes that claims a million samples of one size. */
function track(): Buffer {
  const samples = [box('stsz', numbers(0, 1, 1_000_000)), box('stco', numbers(0, 0)), box('stsc', numbers(0, 0))]
  return box('trak', box('mdia', box('hdlr', numbers(0, 0), 'meta', numbers(0)), box('minf', box('stbl', ...samples))))
}

test('a video of many tracks that each claim a million samples is not understood', async () => {
  const tracks = Array.from({ length: 200 }, track)
  const video = Buffer.concat([box('ftyp', 'isom', numbers(0)), box('moov', ...tracks)])
  expect(await metadataEdits(sourceOf(video))).toBeUndefined()
})
