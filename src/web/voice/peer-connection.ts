import type { VoiceGateway } from './voice-gateway.ts'
import type { Source } from './local-tracks.ts'

/** The polite one of a pair leaves the first try at a broken path to the other. */
const POLITE_RESTART_MS = 700
/** It leaves the first offer to the other too, for so long: Chromium gathers nothing after one that it takes back. */
const POLITE_OFFER_MS = 1_500
/** What is not connected by then is tried anew, before the server gives it up. */
const CONNECT_MS = 2_500

/** What a link needs to know of the call. */
export interface LinkOptions {
  gateway: VoiceGateway
  own_id: string
  peer_id: string
  epoch: number
  configuration: RTCConfiguration
  /** Something arrives from the peer, or no more. */
  onTrack(source: Source, receiver: RTCRtpReceiver | undefined): void
  onState(state: RTCPeerConnectionState): void
}

/** How a connection does. */
export interface LinkHealth {
  state: RTCPeerConnectionState
  pair_type: 'host' | 'srflx' | 'prflx' | 'relay' | 'unknown'
  rtt_ms: number | null
  audio_packets: number
}

/** The connection with one peer of a mesh: perfect negotiation, and ICE anew when the path breaks. */
export class Link {
  readonly pc: RTCPeerConnection
  readonly #polite: boolean
  readonly #senders = new Map<Source, { sender: RTCRtpSender; stream: MediaStream }>()
  #offering = false
  #ignoring = false
  #answering = false
  #work: Promise<unknown> = Promise.resolve()
  #restart: ReturnType<typeof setTimeout> | undefined
  /** What is to be sent once the other has made the first offer. */
  #held: Map<Source, MediaStreamTrack> | undefined
  readonly #timers: ReturnType<typeof setTimeout>[]

  constructor(private readonly options: LinkOptions) {
    this.#polite = options.own_id > options.peer_id
    this.pc = new RTCPeerConnection({ bundlePolicy: 'max-bundle', ...options.configuration })
    const { pc } = this
    // What fails because the other has just said something is needed again, and asked for again.
    pc.onnegotiationneeded = () => void this.#offer().catch(() => undefined)
    pc.onicecandidate = ({ candidate }) =>
      void this.#tell('voice.candidate', { candidate: candidate?.toJSON() ?? null })
    pc.ontrack = ({ streams: [stream], receiver }) => {
      if (!stream) return
      const source = stream.id as Source
      options.onTrack(source, receiver)
      stream.onremovetrack = () => options.onTrack(source, undefined)
    }
    pc.onconnectionstatechange = () => {
      options.onState(pc.connectionState)
      const { connectionState } = pc
      clearTimeout(this.#restart)
      if (connectionState === 'disconnected' || connectionState === 'failed') this.#mend()
    }
    if (this.#polite) this.#held = new Map()
    // Without a microphone there is still something to be heard.
    else pc.addTransceiver('audio', { direction: 'recvonly' })
    const late = CONNECT_MS + (this.#polite ? POLITE_RESTART_MS : 0)
    this.#timers = [
      setTimeout(() => this.#release(), POLITE_OFFER_MS),
      setTimeout(() => pc.connectionState !== 'connected' && this.restart(), late),
    ]
  }

  /** Sends what was held back. */
  #release(): void {
    const held = this.#held
    this.#held = undefined
    for (const [source, track] of held ?? []) void this.send(source, track)
  }

  /** Sends a track from a source, another one than before, or none. */
  async send(source: Source, track: MediaStreamTrack | undefined): Promise<void> {
    const { pc } = this
    if (pc.connectionState === 'closed') return
    if (this.#held) {
      if (track) this.#held.set(source, track)
      else this.#held.delete(source)
      return
    }
    const sending = this.#senders.get(source)
    if (sending && track) return sending.sender.replaceTrack(track)
    if (sending) {
      this.#senders.delete(source)
      pc.removeTrack(sending.sender)
    } else if (track) {
      const stream = new MediaStream()
      this.#senders.set(source, { sender: pc.addTrack(track, stream), stream })
    }
  }

  /** What the peer says. */
  receive(said: { description: RTCSessionDescriptionInit } | { candidate: RTCIceCandidateInit | null }): void {
    const work = 'description' in said ? () => this.#described(said.description) : () => this.#found(said.candidate)
    this.#work = this.#work.then(work).catch(() => this.restart())
  }

  /** After the gateway was away: what was said into the void is said again. */
  resume(): void {
    if (this.pc.signalingState === 'have-local-offer') this.#describe()
    else if (this.pc.connectionState !== 'connected') this.restart()
  }

  /** Takes fresh credentials for what is to come. */
  configure(configuration: RTCConfiguration): void {
    if (this.pc.signalingState !== 'closed')
      this.pc.setConfiguration({ ...this.pc.getConfiguration(), ...configuration })
  }

  /** Looks for another path. */
  restart(): void {
    if (this.pc.signalingState !== 'closed') this.pc.restartIce()
  }

  async health(): Promise<LinkHealth> {
    const stats = [...(await this.pc.getStats()).values()]
    const by = (id: string | undefined) => stats.find((entry) => entry.id === id)
    const pair = by(stats.find(({ type }) => type === 'transport')?.selectedCandidatePairId)
    const types = [by(pair?.localCandidateId), by(pair?.remoteCandidateId)].map((each) => each?.candidateType)
    const rtt = pair?.currentRoundTripTime
    const sound = stats.filter(({ type, kind }) => type === 'inbound-rtp' && kind === 'audio')
    return {
      state: this.pc.connectionState,
      pair_type: types.includes('relay') ? 'relay' : (types[0] ?? 'unknown'),
      rtt_ms: rtt === undefined ? null : Math.round(rtt * 1e5) / 100,
      audio_packets: sound.reduce((sum, { packetsReceived = 0 }) => sum + packetsReceived, 0),
    }
  }

  close(): void {
    for (const timer of [...this.#timers, this.#restart]) clearTimeout(timer)
    this.pc.onconnectionstatechange = null
    this.pc.close()
  }

  #tell(op: string, what: object): Promise<void> {
    const { gateway, peer_id: to, epoch } = this.options
    // Without the gateway it is lost; `resume` makes up for it.
    return gateway.command(op, { to, epoch, ...what }).then(
      () => undefined,
      () => undefined,
    )
  }

  async #offer(): Promise<void> {
    try {
      this.#offering = true
      await this.pc.setLocalDescription()
      this.#describe()
    } finally {
      this.#offering = false
    }
  }

  /** Says the own description; the streams bear the names of their sources. */
  #describe(): void {
    const { localDescription } = this.pc
    if (!localDescription) return
    const named = [...this.#senders].reduce(
      (sdp, [source, { stream }]) => sdp.replaceAll(stream.id, source),
      localDescription.sdp,
    )
    void this.#tell('voice.description', { description: { type: localDescription.type, sdp: named } })
  }

  // W3C WebRTC §10.7, "Perfect negotiation example".
  async #described(description: RTCSessionDescriptionInit): Promise<void> {
    const { pc } = this
    const ready = !this.#offering && (pc.signalingState === 'stable' || this.#answering)
    this.#ignoring = !this.#polite && description.type === 'offer' && !ready
    if (this.#ignoring) return
    this.#answering = description.type === 'answer'
    try {
      await pc.setRemoteDescription(description)
    } finally {
      this.#answering = false
    }
    if (description.type !== 'offer') return
    // The other looks for a path already.
    clearTimeout(this.#restart)
    this.#release()
    await pc.setLocalDescription()
    this.#describe()
  }

  async #found(candidate: RTCIceCandidateInit | null): Promise<void> {
    // The end of candidates may come for an offer that was ignored, and says nothing else.
    await this.pc.addIceCandidate(candidate ?? undefined).catch((error: unknown) => {
      if (!this.#ignoring && candidate) throw error
    })
  }

  #mend(): void {
    clearTimeout(this.#restart)
    this.#restart = setTimeout(() => this.restart(), this.#polite ? POLITE_RESTART_MS : 0)
  }
}
