import { expect, test } from 'bun:test'
import { codecOf, partsOf } from '../../../../src/web/voice/sealing/clear-part.ts'
import { type Epoch, EpochKeys } from '../../../../src/web/voice/sealing/epoch-keys.ts'
import { Counters, FrameSealer, type Media } from '../../../../src/web/voice/sealing/frame-sealer.ts'

const SOUND: Media = { isAudio: true, codec: 'whole' }
const PICTURE: Media = { isAudio: false, codec: 'vp8' }
const [ANN, BEN] = ['a'.repeat(32), 'b'.repeat(32)]
const LEAVES = new Map([
  [ANN, 0],
  [BEN, 1],
])

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
/** A key frame of VP8, or one of its other frames. */
const vp8 = (isKey: boolean, bytes = 300) =>
  new Uint8Array([isKey ? 0x10 : 0x11, 2, 0, 0x9d, 0x01, 0x2a, 64, 1, 240, 0, ...random(bytes)])

const epoch = (keyId: number, leaf: number, secret: Epoch['secret'], leaves = LEAVES): Epoch => ({
  keyId,
  secret,
  leaf,
  leaves,
})

/** Two members with the keys of one epoch. */
function pair() {
  const secret = random(32)
  const [ann, ben] = [new FrameSealer(), new FrameSealer()]
  for (const [leaf, sealer] of [ann, ben].entries()) {
    sealer.begin('sealed')
    sealer.add(epoch(0, leaf, secret), 0, 0)
  }
  return { ann, ben, secret, stream: new Counters() }
}

test('sound is sealed whole, and opened by the other member', async () => {
  const { ann, ben, stream } = pair()
  const frame = random(80)
  const sealed = (await ann.seal(frame, SOUND, 1))!
  expect(sealed.length).toBe(80 + 8 + 7)
  expect(Buffer.from(sealed).includes(Buffer.from(frame.subarray(0, 6)))).toBe(false)
  expect(await ben.open(sealed, SOUND, ANN, stream, 1)).toEqual(frame)
})

test('frames pass in the task in which they come, once their key is there', async () => {
  const { ann, ben, stream } = pair()
  for (const media of [SOUND, PICTURE]) {
    const [first, frame] = [vp8(true, 2_000), vp8(false, 4_000)]
    await ben.open((await ann.seal(first, media, 1))!, media, ANN, stream, 1)
    const sealed = ann.seal(frame, media, 1)
    expect(sealed).toBeInstanceOf(Uint8Array)
    expect(ben.open(sealed as Uint8Array<ArrayBuffer>, media, ANN, stream, 1)).toEqual(frame)
  }
})

test('an empty frame of sound, as Opus makes them in silence, stays empty, so that it is not sent', async () => {
  const { ann, ben, stream } = pair()
  const empty = new Uint8Array()
  expect(await ann.seal(empty, SOUND, 1)).toBe(empty)
  expect(await ben.open(empty, SOUND, ANN, stream, 1)).toBeUndefined()
  // Without keys, not even that passes.
  expect(await new FrameSealer().seal(empty, SOUND, 1)).toBeUndefined()
})

test('the header of a VP8 frame stays readable, and is authenticated', async () => {
  const { ann, ben, stream } = pair()
  for (const [isKey, clear] of [
    [true, 10],
    [false, 1],
  ] as const) {
    const frame = vp8(isKey)
    const sealed = (await ann.seal(frame, PICTURE, 1))!
    expect(sealed.length).toBe(frame.length + 16 + 7)
    expect(sealed.subarray(0, clear)).toEqual(frame.subarray(0, clear))
    expect(Buffer.from(sealed).includes(Buffer.from(frame.subarray(clear, clear + 8)))).toBe(false)
    const forged = sealed.slice()
    forged[0]! ^= 0x02
    expect(await ben.open(forged, PICTURE, ANN, stream, 1)).toBeUndefined()
    expect(await ben.open(sealed, PICTURE, ANN, stream, 1)).toEqual(frame)
  }
})

test('codecs that cannot be sealed are not sent', async () => {
  const { ann } = pair()
  expect(['video/VP8', 'video/VP9', 'audio/opus', 'audio/red'].map(codecOf)).toEqual(['vp8', 'whole', 'whole', 'whole'])
  for (const name of ['video/H265', 'video/unheard', 'x', '', undefined]) expect(codecOf(name)).toBeUndefined()
  expect(await ann.seal(random(80), { isAudio: false, codec: undefined }, 1)).toBeUndefined()
})

test('a changed byte anywhere makes a frame unreadable', async () => {
  for (const media of [SOUND, PICTURE]) {
    const { ann, ben, stream } = pair()
    const sealed = (await ann.seal(vp8(true, 30), media, 1))!
    for (let at = 0; at < sealed.length; at++) {
      const forged = sealed.slice()
      forged[at]! ^= 1 << (at % 8)
      expect([at, await ben.open(forged, media, ANN, stream, 1)]).toEqual([at, undefined])
    }
    expect(await ben.open(sealed, media, ANN, stream, 1)).toBeDefined()
  }
})

test('hostile frames open to nothing and throw nothing', async () => {
  const { ann, ben, stream } = pair()
  const sealed = (await ann.seal(random(40), SOUND, 1))!
  const tail = sealed.subarray(-7)
  for (let length = 0; length < 40; length++) {
    const frames = [random(length), sealed.slice(0, length), sealed.slice(sealed.length - length)]
    for (const frame of [...frames, new Uint8Array([...random(length), ...tail])])
      if (frame.length < sealed.length)
        for (const media of [SOUND, PICTURE]) expect(await ben.open(frame, media, ANN, stream, 1)).toBeUndefined()
  }
  for (const from of [BEN, 'c'.repeat(32), '', '__proto__'])
    expect(await ben.open(sealed, SOUND, from, stream, 1)).toBeUndefined()
  // Sound as video, and a frame sent back to its sender.
  expect(await ben.open(sealed, { isAudio: false, codec: 'whole' }, ANN, stream, 1)).toBeUndefined()
  expect(await ann.open(sealed, SOUND, ANN, new Counters(), 1)).toBeUndefined()
  expect(await ben.open(sealed, SOUND, ANN, stream, 1)).toBeDefined()
})

test('a frame is opened once, whether its copy comes later or at the same time', async () => {
  const { ann, ben, stream } = pair()
  const [first, second] = [(await ann.seal(random(40), SOUND, 1))!, (await ann.seal(random(40), SOUND, 1))!]
  const both = await Promise.all([ben.open(second, SOUND, ANN, stream, 1), ben.open(second, SOUND, ANN, stream, 1)])
  expect(both.filter(Boolean)).toHaveLength(1)
  expect(await ben.open(first, SOUND, ANN, stream, 1)).toBeDefined()
  expect(await ben.open(first, SOUND, ANN, stream, 1)).toBeUndefined()
})

test('without keys nothing passes; an open call passes frames as they are, but nothing sealed', async () => {
  const { ann } = pair()
  const [sealer, frame] = [new FrameSealer(), random(40)]
  const sealed = (await ann.seal(frame, SOUND, 1))!
  const passed = () => Promise.all([sealer.seal(frame, SOUND, 1), sealer.open(frame, SOUND, ANN, new Counters(), 1)])
  expect(await passed()).toEqual([undefined, undefined])
  sealer.begin('sealed')
  expect(await passed()).toEqual([undefined, undefined])
  sealer.begin('open')
  expect(await passed()).toEqual([frame, frame])
  expect(await sealer.seal(frame, { isAudio: false, codec: undefined }, 1)).toBe(frame)
  expect(await sealer.open(sealed, SOUND, ANN, new Counters(), 1)).toBeUndefined()
  // A sealed call reads no plain frame, also after it was open.
  sealer.begin('sealed')
  sealer.add(epoch(0, 1, random(32)), 0, 0)
  expect(await sealer.open(frame, SOUND, ANN, new Counters(), 1)).toBeUndefined()
})

test('an earlier epoch is read for ten seconds, and never from a removed member', async () => {
  const { ann, ben, stream } = pair()
  const frames = await Promise.all([1, 2, 3].map(() => ann.seal(random(40), SOUND, 1)))
  ben.add(epoch(1, 1, random(32)), 1_000, 1_000)
  expect(await ben.open(frames[0]!, SOUND, ANN, stream, 10_900)).toBeDefined()
  expect(await ben.open(frames[1]!, SOUND, ANN, stream, 11_000)).toBeUndefined()
  ben.add(epoch(2, 1, random(32), new Map([[BEN, 1]])), 1_100, 1_100)
  expect(await ben.open(frames[2]!, SOUND, ANN, stream, 1_200)).toBeUndefined()
})

test('an epoch seals only when it has spread; the first one at once', async () => {
  const { ann } = pair()
  const keyIdOf = async (now: number) => (await ann.seal(random(40), SOUND, now))?.at(-7)
  expect(await keyIdOf(1)).toBe(0)
  ann.add(epoch(1, 0, random(32)), 1_200, 1_000)
  expect(await Promise.all([keyIdOf(1_199), keyIdOf(1_200)])).toEqual([0, 1])
  const late = new FrameSealer()
  late.begin('sealed')
  late.add(epoch(9, 0, random(32)), 5_000, 1_000)
  expect((await late.seal(random(40), SOUND, 1_001))?.at(-7)).toBe(9)
})

test('no nonce repeats under a key: over streams, epochs, returning secrets and open times', async () => {
  const { ann, secret } = pair()
  const seen = new Set<string>()
  const secrets = [secret, random(32), random(32), secret]
  for (const [round, each] of secrets.entries()) {
    if (round > 0) ann.add(epoch(round % 2, 0, each), 0, 0)
    const frames = await Promise.all(
      Array.from({ length: 500 }, (_, at) =>
        ann.seal(random(20), at % 2 ? SOUND : { isAudio: false, codec: 'whole' }, 1),
      ),
    )
    // The same secret counts on, even if a server makes it come back.
    for (const frame of frames) seen.add(`${each.join()} ${frame!.subarray(-6, -2).join()}`)
    ann.begin('open')
    ann.begin('sealed')
  }
  expect(seen.size).toBe(500 * secrets.length)
})

test('generations follow one another, and forged counters lose no key', async () => {
  const keys = new EpochKeys(epoch(0, 0, random(32)))
  const raw = async (generation: number) => {
    const key = await keys.key(0, generation)
    const parameters = { nonce: new Uint8Array(12), authenticated: new Uint8Array(), tagBytes: 16 }
    return key && Buffer.from(await key.seal(parameters, new Uint8Array())).toString('hex')
  }
  const [zero, one] = [await raw(0), await raw(1)]
  expect(zero).not.toBe(one)
  expect(keys.key(0, 2)).toBeUndefined()
  expect(keys.key(0, 255)).toBeUndefined()
  expect(await raw(0)).toBe(zero)
  keys.reach(0, 255)
  keys.reach(0, 1)
  expect([await raw(0), await raw(1)]).toEqual([zero, one])
  keys.reach(0, 2)
  expect(await raw(0)).toBeUndefined()
  expect(await raw(1)).toBe(one)
})

test('the readable part of any bytes lies within them', () => {
  for (let length = 0; length < 64; length++)
    for (const codec of ['whole', 'vp8', 'h264', 'av1'] as const) {
      const frame = random(length)
      const parts = partsOf(codec, frame)
      // In AV1, the readable part is a copy.
      if (parts && codec !== 'av1') expect(Buffer.concat([parts.clear, parts.rest])).toEqual(Buffer.from(frame))
    }
})

const H264: Media = { isAudio: false, codec: 'h264' }
const [SPS, PPS] = [
  [0x67, 0x42, 0xc0, 0x15, 0x8c, 0x8d, 0x40],
  [0x68, 0xce, 0x3c, 0x80],
]
const SLICE = [0x65, 0xb8, 0x00, 0x04, 0x00]
/** A key frame of H.264, with start codes of three or four bytes. */
const h264 = (rest: Uint8Array, startBytes = 4) => {
  const start = startBytes === 4 ? [0, 0, 0, 1] : [0, 0, 1]
  return new Uint8Array([...start, ...SPS, ...start, ...PPS, ...start, ...SLICE, ...rest])
}

test('an H.264 frame keeps its parameter sets and slice header, and gets no start code', async () => {
  const { ann, ben, stream } = pair()
  for (let run = 0; run < 300; run++) {
    // Zeros everywhere make start codes likely where they must not be.
    const frame = h264(random(200).map((byte) => (byte < 100 ? 0 : byte)))
    const sealed = (await ann.seal(frame, H264, 1))!
    expect(sealed.subarray(0, 28)).toEqual(frame.subarray(0, 28))
    const isStart = (at: number) => sealed[at] === 0 && sealed[at + 1] === 0 && (sealed[at + 2] ?? 9) < 3
    for (let at = 26; at < sealed.length; at++) expect(isStart(at)).toBe(false)
    expect(await ben.open(sealed, H264, ANN, stream, 1)).toEqual(frame)
  }
})

test('start codes of an H.264 frame may change on the way, but not what they separate', async () => {
  const { ann, ben, stream } = pair()
  const body = random(100).map((byte) => byte | 4)
  const sealed = (await ann.seal(h264(body, 3), H264, 1))!
  const sealedBody = sealed.subarray(h264(new Uint8Array(), 3).length)
  for (const at of [4, 5, 10, 15, 18, 23, 24]) {
    const forged = h264(sealedBody)
    forged[at]! ^= 0x40
    expect([at, await ben.open(forged, H264, ANN, stream, 1)]).toEqual([at, undefined])
  }
  expect(await ben.open(h264(sealedBody), H264, ANN, stream, 1)).toEqual(h264(body))
  // Without a slice there is nothing to seal.
  expect(await ann.seal(new Uint8Array([0, 0, 1, ...SPS]), H264, 1)).toBeUndefined()
})
