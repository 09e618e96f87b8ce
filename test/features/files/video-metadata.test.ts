import { expect, test } from 'bun:test'
import { applyEdits } from '../../../src/features/files/metadata/edits.ts'
import { metadataEdits } from '../../../src/features/files/metadata/metadata.ts'
import { sourceOf } from '../../../src/features/files/metadata/reader.ts'
import { box, numbers } from '../../support/boxes.ts'
import { picture } from '../../support/pictures.ts'

async function cleaned(bytes: Uint8Array): Promise<Buffer> {
  const edits = await metadataEdits(sourceOf(bytes))
  if (!edits) throw new Error('not understood')
  return Buffer.concat(await Array.fromAsync(applyEdits([bytes], edits)))
}

/** A track of a kind with chunks of two samples each at these offsets. */
const track = (kind: string, offsets: number[], sizes: number[]) =>
  box(
    'trak',
    box('tkhd', numbers(0)),
    box(
      'mdia',
      box('hdlr', numbers(0, 0), kind, numbers(0, 0, 0)),
      box(
        'minf',
        box(
          'stbl',
          box('stsz', numbers(0, 0, sizes.length, ...sizes)),
          box('stsc', numbers(0, 1, 1, 2, 1)),
          box('stco', numbers(0, offsets.length, ...offsets)),
        ),
      ),
    ),
  )

test('locations that a camera notes each second go, from the track and from the media data', async () => {
  const brand = box('ftyp', 'isom', numbers(0))
  const start = brand.length + 8
  const places = 'GPS5 47.376,8.54'
  const data = box('mdat', 'PIXELS 1', places, 'PIXELS 2', places, 'PIXELS 3')
  const video = track('vide', [start, start + 24, start + 48], [4, 4, 4, 4, 4, 4])
  const measured = track('meta', [start + 8, start + 32], [10, 6, 8, 8])
  const file = Buffer.concat([brand, data, box('moov', box('mvhd', numbers(0)), video, measured)])
  const clean = await cleaned(file)
  expect(clean.length).toBe(file.length)
  const zeros = '\0'.repeat(16)
  expect(clean.toString('latin1', start, start + 56)).toBe(`PIXELS 1${zeros}PIXELS 2${zeros}PIXELS 3`)
  expect(clean.indexOf('meta')).toBe(-1)
  expect(clean.indexOf(video)).toBe(file.indexOf(video))
})

test('names that people gave a song stay; a cover stays if it has no metadata', async () => {
  const brand = box('ftyp', 'M4A ', numbers(0))
  const cover = (image: Uint8Array) => box('covr', box('data', numbers(13, 0), image))
  const song = (image: Uint8Array) => {
    const tags = box(
      'ilst',
      box('\xa9nam', box('data', numbers(1, 0), 'Kingfisher')),
      box('\xa9cmt', box('data', numbers(1, 0), 'secret')),
      box('----', box('mean', numbers(0), 'com.apple.iTunes'), box('data', numbers(1, 0), 'secret')),
      cover(image),
    )
    const meta = box('meta', numbers(0), box('hdlr', numbers(0, 0), 'mdirappl', numbers(0, 0), [0]), tags)
    return Buffer.concat([
      brand,
      box('moov', box('mvhd', numbers(0)), box('udta', box('\xa9xyz', '+47.3+008.5/'), meta)),
    ])
  }
  const bare = await cleaned(picture('cmyk.jpg').subarray(0))
  const [plainSong, dropped] = [await cleaned(song(bare)), await cleaned(song(picture('cmyk.jpg')))]
  for (const clean of [plainSong, dropped]) {
    expect(clean.includes('Kingfisher')).toBe(true)
    expect([clean.includes('secret'), clean.includes('+47.3')]).toEqual([false, false])
  }
  expect([plainSong.includes('covr'), dropped.includes('covr'), dropped.includes('Acme')]).toEqual([true, false, false])
})

test('a video whose head lies about samples, chunks or tables is not understood', async () => {
  const brand = box('ftyp', 'isom', numbers(0))
  const movie = (...tracks: Buffer[]) => Buffer.concat([brand, box('moov', ...tracks)])
  for (const wrong of [
    movie(track('meta', [0xfffffff0], [1, 1])),
    movie(track('meta', [8], [0xffffffff, 1])),
    movie(box('trak', box('mdia', box('hdlr', numbers(0, 0), 'meta', numbers(0)), box('minf')))),
    movie(box('cmov', 'compressed')),
    movie(box('trak')),
  ])
    expect(await metadataEdits(sourceOf(wrong))).toBeUndefined()
})

test('WebM and Matroska lose their tags, also in recordings of unknown length', async () => {
  const element = (id: number[], body: Uint8Array | string) => {
    const content = Buffer.from(body as string, 'latin1')
    return Buffer.concat([
      Uint8Array.from(id),
      Uint8Array.of(0x40 | (content.length >> 8), content.length & 255),
      content,
    ])
  }
  const unknown = (id: number[]) => Uint8Array.from([...id, 0x01, 255, 255, 255, 255, 255, 255, 255])
  const head = element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], 'webm'))
  const tags = element([0x12, 0x54, 0xc3, 0x67], 'LOCATION +47.3760+008.5400/')
  const block = element([0xa3], 'pixels')
  const info = element([0x15, 0x49, 0xa9, 0x66], element([0x44, 0x61], '20261128'))
  const rest = [tags, info, unknown([0x1f, 0x43, 0xb6, 0x75]), block, unknown([0x1f, 0x43, 0xb6, 0x75]), block, tags]
  for (const cut of [0, 100_000]) {
    const broken = cut === 0 ? [] : [element([0xa3], 'x'.repeat(200)).subarray(0, 50)]
    const file = Buffer.concat([head, unknown([0x18, 0x53, 0x80, 0x67]), ...rest, ...broken])
    const clean = await cleaned(file)
    expect([clean.length, clean.includes('+47'), clean.includes('20261128')]).toEqual([file.length, false, false])
    expect(clean.toString('latin1').match(/pixels/g)?.length).toBe(2)
    expect(await metadataEdits(sourceOf(clean))).toEqual([])
  }
})
