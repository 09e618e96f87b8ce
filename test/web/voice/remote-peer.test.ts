import { afterEach, expect, spyOn, test } from 'bun:test'
import type { VoicePeer } from '../../../src/voice/model.ts'
import { RemotePeer } from '../../../src/web/voice/remote-peer.ts'

const { MediaStream } = globalThis
const clock = spyOn(performance, 'now')
afterEach(() => {
  clock.mockRestore()
  globalThis.MediaStream = MediaStream
})

/** The browser's receiver of a microphone, whose sound has this level now. */
function receiverOf(levelNow: () => number) {
  const timestampNow = () => performance.timeOrigin + performance.now()
  return {
    track: {},
    getStats: async () => new Map([['', { type: 'inbound-rtp', packetsReceived: 1 }]]),
    getSynchronizationSources: () => [{ audioLevel: levelNow(), timestamp: timestampNow() }],
  } as unknown as RTCRtpReceiver
}

test('a member speaks until a reading finds silence, however late the page is drawn', () => {
  globalThis.MediaStream = class {
    getTracks = () => []
    addTrack = () => {}
  } as unknown as typeof MediaStream
  let [ms, level] = [0, 0]
  clock.mockImplementation(() => ms)
  const nothing = () => {}
  const peer = new RemotePeer({ silenced: false, camera: false } as VoicePeer, 'p2p', {
    onStream: nothing,
    onStreamEnded: nothing,
    onFlow: nothing,
  })
  peer.setReceiver(
    'p2p',
    'microphone',
    receiverOf(() => level),
  )
  peer.readLevel()
  expect(peer.speaking).toBe(false)
  level = 0.5
  peer.readLevel()
  expect(peer.speaking).toBe(true)
  // The page stands still.
  ms = 5_000
  expect(peer.speaking).toBe(true)
  level = 0
  peer.readLevel()
  expect(peer.speaking).toBe(false)
})
