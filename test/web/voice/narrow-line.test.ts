import { expect, test } from 'bun:test'
import { LateSound, WAIT_MS } from '../../../src/web/voice/late-sound.ts'
import { NarrowLine } from '../../../src/web/voice/narrow-line.ts'

/** A sender of pictures in these sizes, as a browser has one. */
function sending(...sizes: RTCRtpEncodingParameters[]) {
  let parameters = { encodings: sizes } as RTCRtpSendParameters
  const sender = {
    getParameters: () => structuredClone(parameters),
    setParameters: async (next: RTCRtpSendParameters) => void (parameters = next),
  }
  const line = new NarrowLine(sender)
  let [sent, again] = [0, 0]
  /** Readings every 2 s of a line that loses this many of a hundred packets. */
  const read = async (bits: number | undefined, times: number, lost = 5) => {
    for (let n = 0; n < times; n++) await line.read({ bits, sent: (sent += 100), again: (again += lost) })
  }
  return { read, sizes: () => parameters.encodings }
}
const small = { active: true, maxBitrate: 120_000 }
const large = { active: true, maxBitrate: 1_200_000 }
const spared = [
  { active: true, maxBitrate: 60_000, maxFramerate: 15 },
  { ...large, active: false },
]

test('a narrow line that loses sound for 6 s carries the smallest picture, and all sizes once it is wide', async () => {
  const { read, sizes } = sending(small, large)
  await read(300_000, 5)
  await read(110_000, 2)
  await read(260_000, 1)
  await read(110_000, 2)
  expect(sizes()).toEqual([small, large])
  await read(300_000, 1)
  await read(110_000, 9, 1)
  expect(sizes()).toEqual([small, large])
  await read(300_000, 4, 0)
  await read(110_000, 2)
  await read(110_000, 1)
  expect(sizes()).toEqual(spared)
  await read(400_000, 5)
  expect(sizes()).toEqual(spared)
  await read(700_000, 1)
  expect(sizes()).toEqual([small, large])
})

test('larger pictures are tried again after 40 s, and twice as long after each try that fails', async () => {
  const { read, sizes } = sending(small, large)
  const pauses: number[] = []
  for (let tries = 0; tries < 5; tries++) {
    await read(110_000, 4)
    let pause = 0
    for (; sizes()[1]?.active === false; pause++) await read(140_000, 1)
    pauses.push(2 * pause)
  }
  expect(pauses).toEqual([40, 80, 160, 320, 320])
  // After a minute of success the delay starts from the beginning.
  await read(2_000_000, 30)
  await read(110_000, 3)
  await read(140_000, 19)
  expect(sizes()).toEqual(spared)
  await read(140_000, 1)
  expect(sizes()).toEqual([small, large])
})

test('a picture of one size, and a browser that estimates no line, send as before', async () => {
  const one = sending(small)
  await one.read(100_000, 9)
  expect(one.sizes()).toEqual([small])
  const untold = sending(small, large)
  await untold.read(undefined, 9)
  expect(untold.sizes()).toEqual([small, large])
})

test('sound waits for lost packets once they arrive too late, and stops waiting 30 s after the last loss', () => {
  const receiver: Pick<RTCRtpReceiver, 'jitterBufferTarget'> = { jitterBufferTarget: null }
  const sound = new LateSound(receiver)
  const all = { totalSamplesReceived: 0, concealedSamples: 0, silentConcealedSamples: 0 }
  const counts = { ...all, packetsReceived: 0, nackCount: 0 }
  /** Two seconds with this many concealed samples, and this many retransmission requests. */
  const seconds = (madeUp: number, requestedBits: number, silent = 0) => {
    counts.totalSamplesReceived += 96_000
    counts.concealedSamples += madeUp + silent
    counts.silentConcealedSamples += silent
    counts.packetsReceived += 100
    counts.nackCount += requestedBits
    return sound.read([{ type: 'codec' }, { type: 'inbound-rtp', ...counts }])
  }
  const waits = () => receiver.jitterBufferTarget
  seconds(0, 0)
  // Concealment without losses: the sender was silent, or slow.
  seconds(5_000, 0)
  seconds(0, 6, 5_000)
  // Losses that were repaired in time.
  seconds(100, 6)
  expect(waits()).toBeNull()
  seconds(2_000, 5)
  expect(waits()).toBe(WAIT_MS)
  for (let n = 0; n < 14; n++) seconds(0, 0)
  seconds(0, 4)
  for (let n = 0; n < 14; n++) seconds(0, 0)
  expect(waits()).toBe(WAIT_MS)
  seconds(0, 0)
  expect(waits()).toBeNull()
  // Sound counts as late again only once the longer wait has taken effect.
  const isLate = [0, 1, 2, 3].map(() => seconds(2_000, 9))
  expect([...isLate, seconds(100, 9)]).toEqual([false, false, true, true, false])
})
