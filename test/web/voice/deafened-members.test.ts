import { afterEach, expect, test } from 'bun:test'
import { Media } from '../../../src/web/voice/media.ts'

/** A browser's sender; without a track, it sends nothing. */
type Sending = { track: string | null }

const present = globalThis.RTCPeerConnection
const streams = globalThis.MediaStream
afterEach(() => Object.assign(globalThis, { RTCPeerConnection: present, MediaStream: streams }))

/** A browser's connection, as far as it sends. */
class Connection {
  static all: Connection[] = []
  readonly senders: Sending[] = []
  connectionState = 'connected'
  signalingState = 'stable'
  constructor() {
    Connection.all.push(this)
  }
  addTransceiver = () => ({ sender: {}, receiver: { track: { kind: 'audio' } } })
  getTransceivers = () => []
  addTrack(track: string) {
    const replaceTrack = async (next: string) => void Object.assign(sender, { track: next })
    const sender = { track, replaceTrack, getParameters: () => ({ encodings: [{}] }), setParameters: async () => {} }
    this.senders.push(sender)
    return sender
  }
  removeTrack(sender: Sending) {
    sender.track = null
  }
  close() {}
}

test('a deafened member gets no more sound over a mesh, though the mesh goes on for seconds', async () => {
  Connection.all = []
  Object.assign(globalThis, { RTCPeerConnection: Connection, MediaStream: class {} })
  const peers = new Map<string, any>(
    ['bob', 'carol'].map((id) => {
      const peer = {
        info: {},
        update: (info: object) => Object.assign(peer, { info }),
        dropRoute() {},
        changeRoute() {},
      }
      return [id, peer]
    }),
  )
  const bySource = new Map([
    ['microphone', 'voice'],
    ['screen_audio', 'film'],
    ['screen', 'picture'],
  ])
  const sealing = { settings: {}, protect() {}, configure() {}, limitCodecs() {} }
  const gateway = { command: async () => ({}) }
  const faults: unknown[] = []
  const media = new Media(
    gateway as never,
    peers,
    { bySource } as never,
    (fault) => faults.push(fault),
    () => Infinity,
    () => undefined,
    sealing as never,
  )
  media.configure({ voice_session_id: 'alice', ice_servers: [], relay_only: false } as never)
  media.changeRoute({ route: 'p2p', epoch: 1, router_rtp_capabilities: null, producers: [] })
  const sent = () => Connection.all.map(({ senders }) => senders.map(({ track }) => track).filter(Boolean))
  const all = ['voice', 'film', 'picture']
  expect(sent()).toEqual([all, all])
  media.update({ voice_session_id: 'bob', server_deaf: true } as never)
  expect(sent()).toEqual([['picture'], all])
  // A track that replaces another does not reach it either.
  await media.send('microphone', 'song' as never)
  expect(sent()).toEqual([['picture'], ['song', 'film', 'picture']])
  expect(faults).toEqual([])
  media.clear()
})
