import { expect, test } from 'bun:test'
import { unwrapped, wrapped } from '../../../../src/web/voice/sealing/av1.ts'
import { codecOf, isSealable } from '../../../../src/web/voice/sealing/clear-part.ts'
import { Counters, FrameSealer, type Media } from '../../../../src/web/voice/sealing/frame-sealer.ts'

const AV1: Media = { isAudio: false, codec: 'av1' }
const [ANN, BEN] = ['a'.repeat(32), 'b'.repeat(32)]
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

function pair() {
  const secret = random(32)
  const leaves = new Map([
    [ANN, 0],
    [BEN, 1],
  ])
  const [ann, ben] = [new FrameSealer(), new FrameSealer()]
  for (const [leaf, sealer] of [ann, ben].entries()) {
    sealer.begin('sealed')
    sealer.add({ keyId: 0, secret, leaf, leaves }, 0, 0)
  }
  return { ann, ben, stream: new Counters() }
}

/** The OBUs of a frame as a packetiser reads them: type and payload. Source: AV1 §5.3. */
function obusIn(frame: Uint8Array): { type: number; payload: Uint8Array }[] {
  const obus: { type: number; payload: Uint8Array }[] = []
  for (let at = 0; at < frame.length;) {
    const header = frame[at++] ?? 0
    expect(header & 0x85).toBe(0)
    expect(header & 0x02).toBe(2)
    let [size, shift] = [0, 0]
    for (let isLast = false; !isLast; shift += 7) {
      const byte = frame[at++] ?? 0
      size += (byte & 0x7f) << shift
      isLast = byte < 0x80
    }
    expect(at + size).toBeLessThanOrEqual(frame.length)
    obus.push({ type: header >> 3, payload: frame.subarray(at, at + size) })
    at += size
  }
  return obus
}

test('a sealed AV1 frame is one OBU of type frame, in which nothing of the frame can be read', async () => {
  const { ann, ben, stream } = pair()
  for (const length of [1, 20, 104, 105, 127, 128, 16_361, 16_362, 60_000]) {
    const frame = random(length)
    const sealed = (await ann.seal(frame, AV1, 1))!
    const obus = obusIn(sealed)
    expect(obus.map(({ type, payload }) => [type, payload.length])).toEqual([[6, length + 16 + 7]])
    if (length > 8) expect(Buffer.from(sealed).includes(Buffer.from(frame.subarray(0, 8)))).toBe(false)
    expect(await ben.open(sealed, AV1, ANN, stream, 1)).toEqual(frame)
  }
})

/** A key frame as libaom makes it: a temporal delimiter, a sequence header, a frame. */
const SEQUENCE = [0, 0, 0, 36, 196, 255, 223, 0, 7, 9]
const keyFrame = (bytes: number) =>
  new Uint8Array([0x12, 0, 0x0a, SEQUENCE.length, ...SEQUENCE, 0x32, bytes, ...random(bytes)])

test('a sealed key frame of AV1 keeps its sequence header, which cannot be changed', async () => {
  const { ann, ben, stream } = pair()
  for (const frame of [keyFrame(100), keyFrame(100).slice(2)]) {
    const sealed = (await ann.seal(frame, AV1, 1))!
    const [first, second] = obusIn(sealed)
    expect([first!.type, [...first!.payload], second!.type]).toEqual([1, SEQUENCE, 6])
    for (let at = 0; at < sealed.length; at++) {
      const forged = sealed.slice()
      forged[at]! ^= 1 << (at % 8)
      expect([at, await ben.open(forged, AV1, ANN, stream, 1)]).toEqual([at, undefined])
    }
    const without = sealed.slice(2 + SEQUENCE.length)
    expect(await ben.open(without, AV1, ANN, stream, 1)).toBeUndefined()
    expect(await ben.open(sealed, AV1, ANN, stream, 1)).toEqual(frame)
  }
})

test('an AV1 frame with another header or size, or with a second OBU, is not opened', async () => {
  const { ann, ben, stream } = pair()
  const sealed = (await ann.seal(random(200), AV1, 1))!
  for (let at = 0; at < sealed.length; at++) {
    const forged = sealed.slice()
    forged[at]! ^= 1 << (at % 8)
    expect([at, await ben.open(forged, AV1, ANN, stream, 1)]).toEqual([at, undefined])
  }
  for (const forged of [new Uint8Array([0x12, 0, ...sealed]), new Uint8Array([...sealed, ...sealed])])
    expect(await ben.open(forged, AV1, ANN, stream, 1)).toBeUndefined()
  expect(await ben.open(sealed, AV1, ANN, stream, 1)).toBeDefined()
})

test('any bytes unwrap to something or nothing, and wrapped bytes to themselves', () => {
  for (let run = 0; run < 2_000; run++) {
    const bytes = random(run % 300)
    expect(unwrapped(wrapped(random(run % 20), bytes))).toEqual(bytes)
    if (run % 2) bytes[0] = 0x32
    expect(unwrapped(bytes).length).toBeLessThanOrEqual(Math.max(0, bytes.length - 2))
  }
  // A size without an end, and one larger than any frame.
  expect(unwrapped(new Uint8Array(20).fill(0xff).with(0, 0x32))).toHaveLength(0)
  expect(unwrapped(new Uint8Array([0x32, 0xff, 0xff, 0xff, 0x7f, 1]))).toHaveLength(0)
})

test('an encrypted call may negotiate what it can seal, and what repairs losses of it', () => {
  expect(codecOf('video/AV1')).toBe('av1')
  for (const name of ['VP8', 'VP9', 'H264', 'AV1', 'rtx', 'red', 'ulpfec', 'flexfec-03'])
    expect([name, isSealable(`video/${name}`)]).toEqual([name, true])
  for (const name of ['H265', 'H266', 'unheard', '']) expect([name, isSealable(`video/${name}`)]).toEqual([name, false])
})
