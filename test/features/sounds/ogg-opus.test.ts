import { expect, test } from 'bun:test'
import { durationOfOggOpus, NotOggOpus, pageCrc } from '../../../src/features/sounds/ogg-opus.ts'
import { type HeadDraft, oggPage, opusHead, opusTags, type PageDraft, SILENCE, sound } from '../../support/ogg.ts'

const page = (sequence: number, packets: Uint8Array[], more: Partial<PageDraft> = {}) =>
  oggPage({ flags: 0, granule: 0n, sequence, packets, ...more })
const head = (draft?: HeadDraft) => page(0, [opusHead(draft)], { flags: 2 })
const tags = page(1, [opusTags()])
const file = (...pages: Uint8Array[]) => Buffer.concat(pages)
const audio = (packets: Uint8Array[], granule: number, more: Partial<PageDraft> = {}) =>
  page(2, packets, { flags: 4, granule: BigInt(granule), ...more })

test('the duration of a sound is what a player plays', () => {
  for (const seconds of [0.02, 1, 4.98, 5]) expect(durationOfOggOpus(sound(seconds))).toBe(seconds * 1000)
  expect(durationOfOggOpus(sound(1, { channels: 2, gain: -256 }))).toBe(1000)
  // A page of a packet that is longer than a segment.
  const long = Buffer.concat([SILENCE, Buffer.alloc(600)])
  expect(durationOfOggOpus(file(head(), tags, audio([long, long], 312 + 960)))).toBe(20)
})

test('the checksum is that of CRC-32/CKSUM without its last inversion', () => {
  expect(pageCrc(Buffer.from('123456789'))).toBe(~0x765e7680 >>> 0)
})

const refused: Record<string, () => Uint8Array> = {
  nothing: () => Buffer.alloc(0),
  'another format': () => Buffer.from('RIFF....WAVEfmt '),
  'a file that is cut off': () => sound(1).subarray(0, -1),
  'bytes after the end': () => file(sound(1), Buffer.from([0])),
  'a page after the last one': () => file(sound(1), page(4, [SILENCE], { granule: 1n << 20n })),
  'a second stream': () => file(head(), tags, audio([SILENCE, SILENCE], 1272, { serial: 8 })),
  'a chained file': () => file(sound(1), sound(1)),
  'a missing page': () => file(head(), page(2, [opusTags()]), audio([SILENCE], 700, { sequence: 3 })),
  'a wrong checksum': () => {
    const bytes = Buffer.from(sound(1))
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    return bytes
  },
  'no audio': () => file(head(), tags),
  'no tags': () => file(head(), page(1, [SILENCE], { granule: 960n, flags: 4 })),
  'a head with audio on its page': () => file(page(0, [opusHead(), SILENCE], { flags: 2 }), tags),
  'a duration below that of the packets': () => file(head(), tags, audio(Array(200).fill(SILENCE), 960)),
  'a duration above that of the packets': () => file(head(), tags, audio([SILENCE], 48_000)),
  'a huge granule position': () => file(head(), tags, audio([SILENCE], 960, { granule: 1n << 63n })),
  'a time that runs backwards': () =>
    file(
      head(),
      tags,
      page(2, [SILENCE, SILENCE], { granule: 1920n }),
      page(3, [SILENCE], { flags: 4, granule: 960n }),
    ),
  'a packet above 120 ms': () => file(head(), tags, audio([Uint8Array.of(0xfb, 63, 0)], 5_000)),
  'a packet of no frames': () => file(head(), tags, audio([Uint8Array.of(0xfb, 0, 0)], 5_000)),
  'an empty packet': () => file(head(), tags, audio([new Uint8Array()], 400)),
  'a continuation of nothing': () => file(head(), tags, audio([SILENCE, SILENCE], 1272, { flags: 5 })),
  'six channels': () => sound(1, { channels: 6, family: 1 }),
  'no channels': () => sound(1, { channels: 0 }),
  'an amplified sound': () => sound(1, { gain: 1 }),
}

for (const [what, bytes] of Object.entries(refused))
  test(`a sound is refused: ${what}`, () => {
    expect(() => durationOfOggOpus(bytes())).toThrow(NotOggOpus)
  })

test('no damaged byte makes a sound longer, or breaks the reader', () => {
  const whole = sound(0.2)
  for (let at = 0; at < whole.length; at++)
    for (const flip of [1, 128, 255]) {
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] ?? 0) ^ flip
      expect(() => durationOfOggOpus(bytes)).toThrow(NotOggOpus)
    }
  for (let length = 0; length < whole.length; length++)
    expect(() => durationOfOggOpus(whole.subarray(0, length))).toThrow(NotOggOpus)
})
