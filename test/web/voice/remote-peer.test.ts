import { afterAll, expect, spyOn, test } from 'bun:test'
import type { VoicePeer } from '../../../src/voice/model.ts'
import { RemotePeer } from '../../../src/web/voice/remote-peer.ts'

const { MediaStream } = globalThis
const clock = spyOn(performance, 'now')
afterAll(() => {
  clock.mockRestore()
  globalThis.MediaStream = MediaStream
})

/** The browser's receiver of a microphone, whose newest packet has this level and time, ms. */
function receiverOf(packetNow: () => { audioLevel: number; timestamp: number }) {
  return {
    track: {},
    getStats: async () => new Map([['', { type: 'inbound-rtp', packetsReceived: 1 }]]),
    getSynchronizationSources: () => [packetNow()],
  } as unknown as RTCRtpReceiver
}

/** A member whose microphone arrives from peer to peer. */
function peerWith(receiver: RTCRtpReceiver): RemotePeer {
  globalThis.MediaStream = class {
    getTracks = () => []
    addTrack = () => {}
  } as unknown as typeof MediaStream
  const nothing = () => {}
  const listener = { onStream: nothing, onStreamEnded: nothing, onFlow: nothing }
  const peer = new RemotePeer({ silenced: false, camera: false } as VoicePeer, 'p2p', listener)
  peer.setReceiver('p2p', 'microphone', receiver)
  return peer
}

test('a member speaks until a reading finds silence, however late the page is drawn', () => {
  let [ms, audioLevel] = [0, 0]
  clock.mockImplementation(() => ms)
  const peer = peerWith(receiverOf(() => ({ audioLevel, timestamp: ms })))
  const readAfter = (pause: number) => {
    ms += pause
    peer.readLevel()
    return peer.speaking
  }
  expect([readAfter(50), readAfter(50)]).toEqual([false, false])
  audioLevel = 0.5
  expect(readAfter(50)).toBe(true)
  // The page stands still.
  ms += 5_000
  expect(peer.speaking).toBe(true)
  audioLevel = 0
  expect(readAfter(50)).toBe(false)
})

test.each([0, 3_600_000, -3_600_000])(
  'a member is seen speaking while packets arrive, with clocks that are %d ms apart',
  (apart) => {
    let [ms, packetMs] = [0, 0]
    clock.mockImplementation(() => ms)
    const peer = peerWith(receiverOf(() => ({ audioLevel: 0.5, timestamp: packetMs + apart })))
    const seenAfter = (pause: number, hasPacket: boolean) => {
      ms += pause
      if (hasPacket) packetMs = ms
      peer.readLevel()
      return peer.speaking
    }
    expect(seenAfter(50, true)).toBe(false)
    expect(seenAfter(50, true)).toBe(true)
    // Packets no longer arrive: their last level ends.
    expect(seenAfter(900, false)).toBe(true)
    expect(seenAfter(600, false)).toBe(false)
    expect(seenAfter(50, true)).toBe(true)
  },
)
