import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Media } from '../../../src/web/voice/media.ts'
import { PeerConnection } from '../../../src/web/voice/peer-connection.ts'
import { until } from '../../support/until.ts'

const present = globalThis.RTCPeerConnection
beforeEach(() => void Object.assign(globalThis, { RTCPeerConnection: Connection }))
afterEach(() => void Object.assign(globalThis, { RTCPeerConnection: present }))

type Description = { type: 'offer' | 'answer'; sdp: string }

/** A browser's connection, as far as it negotiates: W3C WebRTC §4.4.1.5, with a rollback of its offer. */
class Connection {
  static sessions = 0
  static last: Connection | undefined
  connectionState = 'connected'
  signalingState = 'stable'
  restarts = 0
  offers = 0
  currentLocalDescription: Description | null = null
  currentRemoteDescription: Description | null = null
  pendingLocalDescription: Description | null = null
  pendingRemoteDescription: Description | null = null
  onnegotiationneeded: (() => void) | undefined
  #version = 1
  readonly #session = ++Connection.sessions
  constructor() {
    Connection.last = this
  }

  get localDescription() {
    return this.pendingLocalDescription ?? this.currentLocalDescription
  }
  addTransceiver = () => ({ sender: {}, receiver: { track: { kind: 'audio' } } })
  getTransceivers = () => []
  #make = (type: Description['type']) => ({
    type,
    sdp: `v=0\r\no=- ${this.#session} ${++this.#version} IN IP4 0.0.0.0\r\n`,
  })
  async createOffer() {
    this.offers++
    return this.#make('offer')
  }
  createAnswer = async () => this.#make('answer')
  async setLocalDescription(own: Description) {
    if (own.type === 'offer') {
      Object.assign(this, { pendingLocalDescription: own, signalingState: 'have-local-offer' })
      return
    }
    if (this.signalingState !== 'have-remote-offer') throw new Error(`An answer in ${this.signalingState}`)
    this.#settle(own, this.pendingRemoteDescription)
  }
  async setRemoteDescription(other: Description) {
    if (other.type === 'offer') {
      const signalingState = 'have-remote-offer'
      Object.assign(this, { pendingLocalDescription: null, pendingRemoteDescription: other, signalingState })
      return
    }
    if (this.signalingState !== 'have-local-offer') throw new Error(`An answer in ${this.signalingState}`)
    this.#settle(this.pendingLocalDescription, other)
  }
  #settle(currentLocalDescription: Description | null, currentRemoteDescription: Description | null) {
    const none = { pendingLocalDescription: null, pendingRemoteDescription: null }
    Object.assign(this, { ...none, currentLocalDescription, currentRemoteDescription, signalingState: 'stable' })
  }
  restartIce = () => void this.restarts++
  close() {}
}

/** Both ends of a connection. `ann` is impolite. What each sends comes at once, as long as the other is not away. */
function pair() {
  /** Members without a socket, whose signals wait. */
  const away = new Set<string>()
  /** Members whose commands do not arrive. */
  const silent = new Set<string>()
  /** Members whose commands arrive, while the answers that say so are lost. */
  const unheard = new Set<string>()
  const waiting: { to: string; description: Description }[] = []
  const ends: Record<string, PeerConnection> = {}
  const passOn = (to: string, description: Description) => ends[to]!.receive({ description })
  const end = (ownId: string, peer_id: string) => {
    const command = async (_: string, { to, description }: { to: string; description: Description }) => {
      if (silent.has(ownId)) throw new Error('The gateway is offline')
      if (away.has(to)) waiting.push({ to, description })
      else passOn(to, description)
      if (unheard.has(ownId)) throw new Error('The gateway is offline')
    }
    const sealing = { settings: {}, protect() {}, limitCodecs() {} }
    const rest = { epoch: 1, configuration: {}, redundant: false, bits: () => undefined, sendsMusic: () => false }
    const options = { gateway: { command }, ownId, peer_id, sealing, ...rest, onTrack() {}, onState() {} }
    return new PeerConnection(options as never)
  }
  const [ann, ben] = [(ends.ann = end('ann', 'ben')), (ends.ben = end('ben', 'ann'))]
  const [a, b] = [ann.pc as unknown as Connection, ben.pc as unknown as Connection]
  return {
    ann,
    ben,
    a,
    b,
    away,
    silent,
    unheard,
    /** Number of descriptions that wait for somebody who is away. */
    waiting: () => waiting.length,
    returns(id: string) {
      away.delete(id)
      for (const { to, description } of waiting.splice(0)) passOn(to, description)
    },
    loseAll: () => void waiting.splice(0),
    offer: (of: Connection) => of.onnegotiationneeded?.(),
    /** Once both are stable, after these many offers in all, with descriptions that are each other's. */
    agree: (offers: number) =>
      until(
        () =>
          [a, b].every(({ signalingState }) => signalingState === 'stable') &&
          a.offers + b.offers === offers &&
          versionOf(a.currentLocalDescription) === versionOf(b.currentRemoteDescription) &&
          versionOf(a.currentRemoteDescription) === versionOf(b.currentLocalDescription),
      ),
    close: () => [ann, ben].forEach((each) => each.close()),
  }
}

const versionOf = (description: Description | null | undefined) => /o=- (\S+ \S+)/.exec(description?.sdp ?? '')?.[1]

test('an answer that comes twice does not answer the next offer', async () => {
  const { ben, a, b, away, unheard, waiting, returns, offer, agree, close } = pair()
  unheard.add('ben')
  offer(a)
  await agree(1)
  unheard.delete('ben')
  away.add('ben')
  offer(a)
  await until(() => waiting() === 1)
  ben.resume()
  // Each side handles one description after another: the answer to this one comes after the repeated answer.
  returns('ben')
  await agree(2)
  expect([a.restarts, b.restarts]).toEqual([0, 0])
  close()
})

test('a lost answer is repeated after the gateway has reconnected, and a missing path begins anew', async () => {
  const { ben, a, b, silent, offer, agree, close } = pair()
  b.connectionState = 'connecting'
  silent.add('ben')
  offer(a)
  await until(() => b.currentLocalDescription?.type === 'answer')
  expect(a.signalingState).toBe('have-local-offer')
  silent.delete('ben')
  ben.resume()
  await agree(1)
  expect([a.restarts, b.restarts]).toEqual([0, 1])
  b.connectionState = 'connected'
  // Once it has come, it is not repeated.
  offer(b)
  await agree(2)
  ben.resume()
  offer(a)
  await agree(3)
  expect([a.restarts, b.restarts]).toEqual([0, 1])
  close()
})

test('an answer of an earlier client, which names no offer, is taken', async () => {
  const { ann, a, away, waiting, offer, close } = pair()
  away.add('ben')
  offer(a)
  await until(() => waiting() === 1)
  ann.receive({ description: { type: 'answer', sdp: 'v=0\r\no=- 9 9 IN IP4 0.0.0.0\r\n' } })
  await until(() => a.signalingState === 'stable')
  close()
})

test('an offer that a dead socket has lost is repeated when its member is back', async () => {
  const { ann, ben, a, b, away, waiting, loseAll, offer, agree, close } = pair()
  away.add('ben')
  offer(a)
  await until(() => waiting() === 1)
  loseAll()
  away.delete('ben')
  // The member itself cannot know of it.
  ben.resume()
  ann.repeatOffer()
  await agree(1)
  // There is none any more.
  ann.repeatOffer()
  offer(b)
  await agree(2)
  close()
})

test('a member is back when the server no longer shows it as reconnecting', () => {
  const update = (info: object) => Object.assign(peer, { info })
  const peer = { info: { reconnecting: false }, update, changeRoute() {}, dropRoute() {} }
  const sent: string[] = []
  const gateway = { command: async (op: string) => void sent.push(op) }
  const sealing = { settings: {}, protect() {}, configure() {}, limitCodecs() {} }
  const media = new Media(
    gateway as never,
    new Map([['ben', peer]]) as never,
    { bySource: new Map() } as never,
    () => {},
    () => Infinity,
    () => undefined,
    sealing as never,
  )
  media.configure({ voice_session_id: 'ann', ice_servers: [], relay_only: false } as never)
  media.changeRoute({ route: 'p2p', epoch: 1, router_rtp_capabilities: null, producers: [] })
  const pendingLocalDescription = { type: 'offer', sdp: '' } as const
  Object.assign(Connection.last!, { signalingState: 'have-local-offer', pendingLocalDescription })
  for (const reconnecting of [false, true, false, false])
    media.update({ voice_session_id: 'ben', reconnecting } as never)
  expect(sent).toEqual(['voice.description'])
  media.clear()
})
