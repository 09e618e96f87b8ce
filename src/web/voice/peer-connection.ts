import { asSent, MUSIC, preferRedundancy, shareOut, withOpusOptions } from './sound-first.ts'
import { pairIn } from './quality.ts'
import type { VoiceGateway } from './voice-gateway.ts'
import type { Source } from './local-tracks.ts'
import type { CallSealing } from './sealing/call-sealing.ts'

/** The polite peer restarts ICE this much later than the impolite one. */
const POLITE_RESTART_MS = 700
/** The polite peer waits this long for the first offer: Chromium gathers no candidates after a rollback. */
const POLITE_OFFER_MS = 1_500
/** ICE restarts if there is no connection after this time, which is before the server gives up on the pair. */
const CONNECT_MS = 2_500

/** An entry of RTCStatsReport, as browsers type it. */
type Stats = Parameters<Parameters<RTCStatsReport['forEach']>[0]>[0]

export interface PeerConnectionOptions {
  gateway: VoiceGateway
  ownId: string
  peer_id: string
  epoch: number
  configuration: RTCConfiguration
  sealing: CallSealing
  /** True if speech is sent twice, which costs more than it helps with several peers. */
  redundant: boolean
  /** Bits per second of the microphone's audio; undefined: as the browser thinks best. */
  bits(): number | undefined
  /** True if the microphone's audio is sent as music. */
  sendsMusic(): boolean
  /** A source of the peer has begun, or ended. */
  onTrack(source: Source, receiver: RTCRtpReceiver | undefined): void
  onState(state: RTCPeerConnectionState): void
}

/** A line at the end of an answer that names its offer. Browsers ignore it, and clients before 0.19 send none. */
const OFFER_LINE = /^a=parley-offer:(\d+ \d+)/m
/** The session's id and version in a description (RFC 8866 §5.2), which differ from offer to offer. */
const versionOf = (description: RTCSessionDescription | null): string | undefined =>
  /^o=\S+ (\d+ \d+)/m.exec(description?.sdp ?? '')?.[1]

/** The state of a connection, for `voice.report`. */
export interface ConnectionStats {
  state: RTCPeerConnectionState
  pair_type: 'host' | 'srflx' | 'prflx' | 'relay' | 'unknown'
  rtt_ms: number | null
  audio_packets: number
}

/** The RTCPeerConnection with one peer of the mesh: perfect negotiation, and an ICE restart when the path breaks. */
export class PeerConnection {
  readonly pc: RTCPeerConnection
  readonly #isPolite: boolean
  readonly #senders = new Map<Source, RTCRtpSender>()
  #isOffering = false
  #isIgnoring = false
  #isAnswering = false
  /** True if the server may not have got the last answer. */
  #isAnswerLost = false
  #work: Promise<unknown> = Promise.resolve()
  #restart: ReturnType<typeof setTimeout> | undefined
  /** Tracks that wait for the first offer of the impolite peer. */
  #waiting: Map<Source, MediaStreamTrack> | undefined
  readonly #timers: ReturnType<typeof setTimeout>[]

  constructor(private readonly options: PeerConnectionOptions) {
    this.#isPolite = options.ownId > options.peer_id
    const { configuration, sealing } = options
    this.pc = new RTCPeerConnection({ bundlePolicy: 'max-bundle', ...configuration, ...sealing.settings })
    const { pc } = this
    // An offer that a remote description interrupts is requested again by another negotiationneeded event.
    pc.onnegotiationneeded = () => void this.#offer().catch(() => undefined)
    pc.onicecandidate = ({ candidate }) => this.#sendCandidate(candidate)
    pc.ontrack = ({ streams: [stream], receiver, transceiver }) => {
      this.#protect(transceiver)
      if (!stream) return
      const source = stream.id as Source
      options.onTrack(source, receiver)
      stream.onremovetrack = () => options.onTrack(source, undefined)
    }
    pc.onconnectionstatechange = () => {
      options.onState(pc.connectionState)
      const { connectionState } = pc
      clearTimeout(this.#restart)
      if (connectionState === 'disconnected' || connectionState === 'failed') this.#restartSoon()
    }
    if (this.#isPolite) this.#waiting = new Map()
    // Receive audio also without a microphone.
    else this.#protect(pc.addTransceiver('audio', { direction: 'recvonly' }))
    const connectMs = CONNECT_MS + (this.#isPolite ? POLITE_RESTART_MS : 0)
    this.#timers = [
      setTimeout(() => this.#release(), POLITE_OFFER_MS),
      setTimeout(() => pc.connectionState !== 'connected' && this.restart(), connectMs),
    ]
  }

  /** Makes the frames of a new transceiver pass the call's worker. */
  #protect({ sender, receiver }: Pick<RTCRtpTransceiver, 'sender' | 'receiver'>): void {
    const { sealing, peer_id: from } = this.options
    const { kind } = receiver.track
    sealing.protect(sender, kind, { side: 'send' })
    sealing.protect(receiver, kind, { side: 'receive', from })
  }

  /** Sends the tracks that had to wait. */
  #release(): void {
    const tracks = this.#waiting
    this.#waiting = undefined
    for (const [source, track] of tracks ?? []) void this.send(source, track)
  }

  /** Begins, replaces or ends the track of a source. */
  async send(source: Source, track: MediaStreamTrack | undefined): Promise<void> {
    const { pc } = this
    if (pc.connectionState === 'closed') return
    if (this.#waiting) {
      if (track) this.#waiting.set(source, track)
      else this.#waiting.delete(source)
      return
    }
    const present = this.#senders.get(source)
    if (present && track) {
      const isOther = (present.track?.contentHint === MUSIC) !== (track.contentHint === MUSIC)
      await present.replaceTrack(track)
      // Session descriptions negotiate the encoding of audio.
      if (isOther && pc.signalingState === 'stable') await this.#offer().catch(() => undefined)
    } else if (present) {
      this.#senders.delete(source)
      pc.removeTrack(present)
    } else if (track) {
      const sender = pc.addTrack(track, new MediaStream())
      const transceiver = pc.getTransceivers().find((each) => each.sender === sender)
      if (transceiver) this.#protect(transceiver)
      this.#senders.set(source, sender)
      await shareOut(sender, source, true)
    }
  }

  /** Applies a description or candidate of the peer, one after another. */
  receive(signal: { description: RTCSessionDescriptionInit } | { candidate: RTCIceCandidateInit | null }): void {
    const work =
      'description' in signal
        ? () => this.#applyDescription(signal.description)
        : () => this.#addCandidate(signal.candidate)
    this.#work = this.#work.then(work).catch(() => this.restart())
  }

  /** After the gateway reconnected: repeats an unanswered offer and an answer that may be lost, or restarts ICE. */
  resume(): void {
    const { signalingState, connectionState, currentLocalDescription: own } = this.pc
    if (this.#isAnswerLost && own?.type === 'answer') this.#sendDescription(own)
    if (signalingState === 'have-local-offer') this.#sendDescription()
    // Also after an answer: if the peer has got it already, it ignores the candidates in the repeated one.
    else if (connectionState !== 'connected') this.restart()
  }

  /** Repeats an unanswered offer. Call when the peer's gateway connection is back: the former one may have lost it. */
  repeatOffer(): void {
    if (this.pc.signalingState === 'have-local-offer') this.#sendDescription()
  }

  /** Sets fresh credentials for later ICE restarts. */
  configure(configuration: RTCConfiguration): void {
    if (this.pc.signalingState !== 'closed')
      this.pc.setConfiguration({ ...this.pc.getConfiguration(), ...configuration })
  }

  /** Restarts ICE. */
  restart(): void {
    if (this.pc.signalingState !== 'closed') this.pc.restartIce()
  }

  /** The browser's statistics of the connection. */
  async entries(): Promise<Stats[]> {
    return [...(await this.pc.getStats()).values()]
  }

  async stats(): Promise<ConnectionStats> {
    const stats = await this.entries()
    const by = (id: string | undefined) => stats.find((entry) => entry.id === id)
    const pair = pairIn(stats)
    const types = [by(pair?.localCandidateId), by(pair?.remoteCandidateId)].map((each) => each?.candidateType)
    const rtt = pair?.currentRoundTripTime
    const audio = stats.filter(({ type, kind }) => type === 'inbound-rtp' && kind === 'audio')
    return {
      state: this.pc.connectionState,
      pair_type: types.includes('relay') ? 'relay' : (types[0] ?? 'unknown'),
      rtt_ms: rtt === undefined ? null : Math.round(rtt * 1e5) / 100,
      audio_packets: audio.reduce((sum, { packetsReceived = 0 }) => sum + packetsReceived, 0),
    }
  }

  close(): void {
    for (const timer of [...this.#timers, this.#restart]) clearTimeout(timer)
    this.pc.onconnectionstatechange = null
    this.pc.close()
  }

  /** A signal that is lost while the gateway is offline is repeated by `resume`. */
  #sendCandidate(candidate: RTCIceCandidate | null): void {
    const { gateway, peer_id: to, epoch } = this.options
    const { candidate: line = '', ...fields } = candidate?.toJSON() ?? {}
    gateway
      .command('voice.candidate', { to, epoch, candidate: candidate && { candidate: line, ...fields } })
      .catch(() => {})
  }

  async #offer(): Promise<void> {
    try {
      this.#isOffering = true
      await this.#describe()
    } finally {
      this.#isOffering = false
    }
  }

  /** Creates the local description and sends it. */
  async #describe(): Promise<void> {
    const { pc } = this
    if (this.options.redundant) preferRedundancy(pc)
    this.options.sealing.limitCodecs(pc)
    const { type, sdp = '' } = await (pc.signalingState === 'have-remote-offer' ? pc.createAnswer() : pc.createOffer())
    await pc.setLocalDescription({ type, sdp: withOpusOptions(sdp) })
    this.#sendDescription()
  }

  /**
   * Sends the local description, with the names of the sources instead of their streams' ids. The sender of a section
   * determines its source: if a source ends and begins again at once, Chromium may name either stream.
   */
  #sendDescription(description = this.pc.localDescription): void {
    const { gateway, peer_id: to, epoch } = this.options
    if (!description) return
    const { type } = description
    const transceivers = this.pc.getTransceivers()
    const parts = description.sdp.split(/^(?=m=)/m).map((part) => {
      const [, mid] = /^a=mid:(\S+)/m.exec(part) ?? []
      const sender = transceivers.find((each) => each.mid === mid)?.sender
      const [source] = [...this.#senders].find(([, each]) => each === sender) ?? []
      return source ? part.replaceAll(/^(a=(?:ssrc:\d+ )?msid:)\S+/gm, `$1${source}`) : part
    })
    const offer = type === 'answer' ? versionOf(this.pc.currentRemoteDescription) : undefined
    const sdp = parts.join('') + (offer === undefined ? '' : `a=parley-offer:${offer}\r\n`)
    const settle = (isLost: boolean) => () => {
      if (type === 'answer') this.#isAnswerLost = isLost
    }
    gateway.command('voice.description', { to, epoch, description: { type, sdp } }).then(settle(false), settle(true))
  }

  // W3C WebRTC §10.7, "Perfect negotiation example".
  async #applyDescription(description: RTCSessionDescriptionInit): Promise<void> {
    const { pc } = this
    if (description.type === 'answer' && !this.#isAwaited(description)) return
    const ready = !this.#isOffering && (pc.signalingState === 'stable' || this.#isAnswering)
    this.#isIgnoring = !this.#isPolite && description.type === 'offer' && !ready
    if (this.#isIgnoring) return
    this.#isAnswering = description.type === 'answer'
    try {
      const { type, sdp = '' } = description
      const hasScreen = this.#senders.has('screen_audio')
      await pc.setRemoteDescription({
        type,
        sdp: asSent(sdp, this.options.sendsMusic(), hasScreen, this.options.bits()),
      })
    } finally {
      this.#isAnswering = false
    }
    if (description.type !== 'offer') return
    // The peer has restarted ICE already.
    clearTimeout(this.#restart)
    this.#release()
    await this.#describe()
  }

  /** False for an answer that was repeated, because its sender did not know that it had come. */
  #isAwaited({ sdp = '' }: RTCSessionDescriptionInit): boolean {
    const { signalingState, pendingLocalDescription } = this.pc
    const own = versionOf(pendingLocalDescription)
    const [, offer = own] = OFFER_LINE.exec(sdp) ?? []
    return signalingState === 'have-local-offer' && offer === own
  }

  async #addCandidate(candidate: RTCIceCandidateInit | null): Promise<void> {
    // Candidates of an ignored offer fail, and so may the end-of-candidates of one.
    await this.pc.addIceCandidate(candidate ?? undefined).catch((error: unknown) => {
      if (!this.#isIgnoring && candidate) throw error
    })
  }

  #restartSoon(): void {
    clearTimeout(this.#restart)
    this.#restart = setTimeout(() => this.restart(), this.#isPolite ? POLITE_RESTART_MS : 0)
  }
}
