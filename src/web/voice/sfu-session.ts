import type { types } from 'mediasoup-client'
import { EndedProducers } from './ended-producers.ts'
import { isOf, LateSound } from './late-sound.ts'
import type { Source } from './local-tracks.ts'
import { NarrowLine } from './narrow-line.ts'
import { encodingsOf, layerFor } from './picture-sizes.ts'
import { openTransport, type Produced, type SfuOptions } from './sfu-transport.ts'
import { isMusic, opusOptions, shareOut } from './sound-first.ts'
import { Sparing } from './sparing.ts'
import { codeOf } from './voice-gateway.ts'

/** Below this score, of 10, a producer loses packets on its way to the SFU. */
const WHOLE_SCORE = 9

/** Pause after a failed attempt to open a transport anew. */
const RETRY_MS = 400

/** Interval at which the loss of speech is measured. */
const SPEECH_MS = 2_000

/** One received producer with its consumer. */
interface Received {
  producer: Produced
  consumer: types.Consumer
  isPaused: boolean
  /** The size that the SFU was asked for; undefined for the largest. */
  layer: number | undefined
  /** Score of the producer's connection to the SFU, 0 to 10. */
  score: number
  /** Only for audio. */
  late: LateSound | undefined
  /** The last change; the next one waits for it. */
  changing: Promise<unknown>
}

/** This member's transports, producers and consumers on the SFU. */
export class SfuSession {
  readonly #producers = new Map<Source, types.Producer>()
  readonly #consumers = new Map<string, Received>()
  readonly #wantedProducers = new Map<string, Produced>()
  #changes: Promise<unknown> = Promise.resolve()
  #isClosed = false
  /** True as soon as a session with another router begins. */
  #isSuperseded = false
  /** How often the receiving transport was lost, and whether there is none now. */
  #losses = 0
  #hasLost = false
  /** Adapts the sent camera to a slow connection; undefined while the camera is off. */
  #line: NarrowLine | undefined
  /** While on, the SFU sends the others' cameras in the smallest size. */
  readonly #small = new Sparing()
  readonly #caring = setInterval(() => void this.#careForSpeech().catch(() => undefined), SPEECH_MS)
  #sending: types.Transport | undefined
  readonly #ended: EndedProducers

  private constructor(
    private readonly options: SfuOptions,
    private readonly device: types.Device,
    private receiving: types.Transport,
  ) {
    this.#ended = new EndedProducers(options.gateway)
  }

  /** Loads mediasoup-client when first used. Tests without a browser set another one. */
  static device = async (): Promise<types.Device> => (await import('mediasoup-client')).Device.factory()

  /** Opens a transport in each direction. */
  static async open(options: SfuOptions): Promise<SfuSession> {
    const device = await SfuSession.device()
    await device.load({ routerRtpCapabilities: options.router_rtp_capabilities as types.RtpCapabilities })
    const [send, recv] = await Promise.all([
      options.listens ? undefined : openTransport(options, 'send'),
      openTransport(options, 'recv'),
    ])
    const session = new SfuSession(options, device, device.createRecvTransport(recv))
    session.#connect(session.receiving)
    if (send) session.#openSending(send)
    return session
  }

  #openSending(offer: types.TransportOptions): types.Transport {
    const sending = this.device.createSendTransport(offer)
    this.#sending = sending
    this.#connect(sending)
    sending.on('produce', ({ kind, rtpParameters: rtp_parameters, appData }, done, failed) => {
      this.options.gateway
        .command('voice.sfu.produce', {
          transport_id: sending.id,
          kind,
          rtp_parameters,
          source: appData.source as Source,
        })
        .then(({ producer_id }) => done({ id: producer_id }), failed)
    })
    return sending
  }

  /** Begins, replaces or ends the track of a source. */
  send(source: Source, track: MediaStreamTrack | undefined): Promise<void> {
    const work = this.#changes.then(() => this.#send(source, track))
    this.#changes = work.catch(() => undefined)
    return work
  }

  async #send(source: Source, track: MediaStreamTrack | undefined): Promise<void> {
    if (this.#isClosed) return
    const producer = this.#producers.get(source)
    if (producer && track && isMusic(producer.track) === isMusic(track)) return producer.replaceTrack({ track })
    if (producer && !track) {
      this.#producers.delete(source)
      if (source === 'camera') this.#line = undefined
      producer.close()
      await this.#ended.tell(producer.id)
    } else if (track) {
      const sending = this.#sending ?? this.#openSending(await openTransport(this.options, 'send'))
      const work = sending.produce({
        track,
        encodings: encodingsOf(source, track),
        codecOptions: track.kind === 'audio' ? opusOptions(source, track, this.options.bits()) : undefined,
        stopTracks: false,
        disableTrackOnPause: false,
        onRtpSender: (sender) => this.options.sealing.protect(sender, track.kind, { side: 'send' }),
        appData: { source },
      })
      const next = await work.catch(async (error: unknown) => {
        await producer?.replaceTrack({ track })
        throw error
      })
      // The SFU closes the one before: music and speech are sent in different ways.
      producer?.close()
      this.#producers.set(source, next)
      if (source === 'camera' && next.rtpSender) this.#line = new NarrowLine(next.rtpSender)
      await shareOut(next.rtpSender, source, false)
    }
  }

  /** Begins to receive a producer. */
  receive(producer: Produced): void {
    this.#receive(producer).catch((error: unknown) => {
      if (this.#wantedProducers.get(producer.producer_id) !== producer) return
      this.#wantedProducers.delete(producer.producer_id)
      if (!this.#isClosed) this.options.onFault(error)
    })
  }

  async #receive(producer: Produced): Promise<void> {
    const { producer_id } = producer
    if (this.#wantedProducers.has(producer_id) || this.#isClosed || this.#hasLost || this.#isSuperseded) return
    this.#wantedProducers.set(producer_id, producer)
    const { gateway, onTrack } = this.options
    const { receiving } = this
    const isWanted = () => !this.#isClosed && this.#wantedProducers.get(producer_id) === producer
    const { recvRtpCapabilities: rtp_capabilities } = this.device
    const answer = await gateway.command('voice.sfu.consume', { producer_id, rtp_capabilities }).catch(() => {
      if (isWanted()) this.#wantedProducers.delete(producer_id)
    })
    if (!answer || !isWanted()) return
    const { consumer_id, kind, rtp_parameters } = answer
    // Browsers synchronise the tracks of a stream, so each source gets a separate stream.
    const consumer = await receiving.consume({
      id: consumer_id,
      producerId: producer_id,
      kind,
      rtpParameters: rtp_parameters as types.RtpParameters,
      streamId: `${producer.voice_session_id}-${producer.source}`,
      onRtpReceiver: (receiver) =>
        this.options.sealing.protect(receiver, kind, { side: 'receive', from: producer.voice_session_id }),
    })
    if (!isWanted()) return consumer.close()
    const { rtpReceiver } = consumer
    const late = kind === 'audio' && rtpReceiver ? new LateSound(rtpReceiver) : undefined
    const entry = { producer, consumer, isPaused: true, layer: undefined, score: 10, late, changing: Promise.resolve() }
    this.#consumers.set(producer_id, entry)
    if (rtpReceiver) onTrack(producer.voice_session_id, producer.source, rtpReceiver)
    await this.#fit(entry)
  }

  /** Call when a source of a member is shown larger, smaller or no longer. */
  look(from: string, source: Source): void {
    for (const entry of this.#consumers.values()) {
      const { producer } = entry
      if (producer.voice_session_id === from && producer.source === source) void this.#fit(entry)
    }
  }

  /** Requests a source in the visible size, and pauses it while it is hidden. */
  #fit(entry: Received): Promise<unknown> {
    entry.changing = entry.changing.then(() => this.#change(entry)).catch(() => undefined)
    return entry.changing
  }

  async #change(entry: Received): Promise<void> {
    const { gateway, heightOf } = this.options
    const { producer, consumer } = entry
    const { id: consumer_id } = consumer
    const height = producer.kind === 'audio' ? Infinity : heightOf(producer.voice_session_id, producer.source)
    if (consumer.closed) return
    const isPaused = height === 0
    const isSmall = this.#small.isOn && producer.source === 'camera'
    const layer = layerFor(consumer, producer.source, isSmall ? 1 : height)
    if (!isPaused && layer !== undefined && layer !== entry.layer) {
      await gateway.command('voice.sfu.set_preferred_layers', { consumer_id, spatial_layer: layer })
      entry.layer = layer
    }
    if (isPaused === entry.isPaused) return
    await gateway.command(isPaused ? 'voice.sfu.pause_consumer' : 'voice.sfu.resume_consumer', { consumer_id })
    entry.isPaused = isPaused
  }

  /** The SFU's score of a producer's connection has changed. */
  score(consumer_id: string, score: number): void {
    const entry = [...this.#consumers.values()].find(({ consumer }) => consumer.id === consumer_id)
    if (entry) entry.score = score
  }

  /** True if a member's speech already loses packets before it reaches the SFU. */
  readonly suffers = (id: string): boolean =>
    [...this.#consumers.values()].some(
      ({ producer, score }) =>
        producer.voice_session_id === id && producer.source === 'microphone' && score < WHOLE_SCORE,
    )

  /** The browser's statistics: of the path to the SFU, and of the media received from each member. */
  async stats() {
    const receiving = this.#hasLost ? undefined : this.receiving.getStats()
    const [outgoing, received] = await Promise.all([this.#sending?.getStats(), receiving])
    const incoming = [...(received?.values() ?? [])]
    const members = new Map<string, Record<string, unknown>[]>()
    for (const { producer, consumer } of this.#consumers.values()) {
      const entries = incoming.filter(isOf(consumer.track))
      members.set(producer.voice_session_id, [...(members.get(producer.voice_session_id) ?? []), ...entries])
    }
    return { outgoing: [...(outgoing?.values() ?? [])], members }
  }

  /** Reduces video in favour of speech on a slow connection, and enlarges the jitter buffers on a lossy one. */
  async #careForSpeech(): Promise<void> {
    const { outgoing, members } = await this.stats()
    const pair = outgoing.find(({ type, nominated }) => type === 'candidate-pair' && nominated)
    const sound = outgoing.filter(({ type, kind }) => type === 'outbound-rtp' && kind === 'audio')
    const sum = (name: string) => sound.reduce((all, entry) => all + Number(entry[name] ?? 0), 0)
    const [packets, again] = [sum('packetsSent'), sum('retransmittedPacketsSent')]
    await this.#line?.read({ bits: pair?.['availableOutgoingBitrate'], sent: packets, again })
    const late = [...this.#consumers.values()].filter((each) =>
      each.late?.read((members.get(each.producer.voice_session_id) ?? []).filter(isOf(each.consumer.track))),
    )
    // Packets lost before the SFU do not count: smaller video on this connection cannot recover them.
    const isOwn = late.some(({ producer }) => !this.suffers(producer.voice_session_id))
    if (this.#small.read(isOwn)) for (const entry of this.#consumers.values()) void this.#fit(entry)
  }

  /** Ends a producer of another member. */
  end(producer_id: string): void {
    this.#wantedProducers.delete(producer_id)
    const item = this.#consumers.get(producer_id)
    this.#consumers.delete(producer_id)
    item?.consumer.close()
    const { voice_session_id, source } = item?.producer ?? {}
    const hasAnother = [...this.#consumers.values()].some(
      ({ producer }) => producer.voice_session_id === voice_session_id && producer.source === source,
    )
    if (voice_session_id && source && !hasAnother) this.options.onTrack(voice_session_id, source, undefined)
  }

  /** Receives exactly these producers. */
  reconcile(all: Produced[]): void {
    const ids = new Set(all.map(({ producer_id }) => producer_id))
    for (const id of this.#wantedProducers.keys()) if (!ids.has(id)) this.end(id)
    for (const producer of all) this.receive(producer)
    // A command that resumes one may be lost with the gateway connection.
    for (const entry of this.#consumers.values()) void this.#fit(entry)
  }

  /** Receives everything on a new transport, after the SFU has lost the one before. What is sent goes on. */
  async receiveAnew(): Promise<void> {
    if (this.#isSuperseded) return
    const turn = ++this.#losses
    this.#hasLost = true
    for (const id of this.#wantedProducers.keys()) this.end(id)
    this.receiving.close()
    while (!this.#isClosed && turn === this.#losses)
      try {
        const offer = await openTransport(this.options, 'recv')
        if (this.#isClosed || turn !== this.#losses) return
        this.receiving = this.device.createRecvTransport(offer)
        this.#connect(this.receiving)
        this.#hasLost = false
        return this.reconcile(this.options.producers())
      } catch (error) {
        this.options.onFault(error)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
  }

  /**
   * Call when a session with another router begins. This one goes on as long as its router does, and opens nothing any
   * more: the server would give its new transport the consumers of the other session.
   */
  supersede(): void {
    this.#isSuperseded = true
    this.#losses++
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#caring)
    this.#sending?.close()
    this.receiving.close()
  }

  #connect(transport: types.Transport): void {
    transport.on('connect', ({ dtlsParameters }, done, failed) => {
      this.options.gateway
        .command('voice.sfu.connect', { transport_id: transport.id, dtls_parameters: dtlsParameters })
        .then(() => done(), failed)
    })
    transport.on('connectionstatechange', (state) => {
      if ((state === 'disconnected' || state === 'failed') && !this.#isClosed) void this.restart(transport)
    })
  }

  /**
   * After the gateway reconnected: restarts broken transports, and repeats lost commands that begin or end a track.
   * A session that was superseded leaves that to the next one.
   */
  resume(tracks: ReadonlyMap<Source, MediaStreamTrack>): void {
    if (this.#isSuperseded) return
    void this.restart()
    this.#ended.repeat()
    for (const [source, track] of tracks)
      if (!this.#producers.has(source)) void this.send(source, track).catch(this.options.onFault)
  }

  /** Restarts ICE of these transports; by default of all broken ones. */
  async restart(...transports: types.Transport[]): Promise<void> {
    if (this.#isSuperseded) return
    const own = [this.receiving, ...(this.#sending ? [this.#sending] : [])]
    const broken = own.filter(({ connectionState: state }) => state === 'disconnected' || state === 'failed')
    for (const transport of transports.length > 0 ? transports : broken) {
      const answer = await this.options.gateway
        .command('voice.sfu.restart_ice', { transport_id: transport.id })
        .catch((error: unknown) => {
          // The SFU lost it while the gateway was away.
          if (codeOf(error) === 'not_found' && transport === this.receiving) void this.receiveAnew()
        })
      if (!answer || transport.closed) continue
      await transport.restartIce({ iceParameters: answer.ice_parameters as types.IceParameters })
    }
  }
}
