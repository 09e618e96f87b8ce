import type { types } from 'mediasoup-client'
import type { Joined } from '../../voice/model.ts'
import { LateSound } from './late-sound.ts'
import type { Source } from './local-tracks.ts'
import { NarrowLine } from './narrow-line.ts'
import { encodingsOf, layerFor } from './picture-sizes.ts'
import { MUSIC, MUSIC_BITS, shareOut } from './sound-first.ts'
import { Sparing } from './sparing.ts'
import type { VoiceGateway } from './voice-gateway.ts'

/** A producer of another member. */
export type Produced = Joined['producers'][number]

export interface SfuOptions {
  gateway: VoiceGateway
  router_rtp_capabilities: object
  ice_servers: RTCIceServer[]
  /** Height at which a member's video is shown, screen pixels; Infinity for full size. */
  heightOf(from: string, source: Source): number
  /** A source of a member has begun, or ended. */
  onTrack(from: string, source: Source, receiver: RTCRtpReceiver | undefined): void
  onFault(error: unknown): void
}

interface Offer {
  transport_id: string
  ice_parameters: types.IceParameters
  ice_candidates: types.IceCandidate[]
  dtls_parameters: types.DtlsParameters
}

/** Below this score, of 10, a producer loses packets on its way to the SFU. */
const WHOLE_SCORE = 9

/** Interval at which the loss of speech is measured. */
const SPEECH_MS = 2_000

/** One received producer with its consumer. */
interface Received {
  produced: Produced
  consumer: types.Consumer
  paused: boolean
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
  readonly #wanted = new Map<string, Produced>()
  #changes: Promise<unknown> = Promise.resolve()
  #closed = false
  /** Adapts the sent camera to a slow connection; undefined while the camera is off. */
  #line: NarrowLine | undefined
  /** While on, the SFU sends the others' cameras in the smallest size. */
  readonly #small = new Sparing()
  readonly #caring = setInterval(() => void this.#careForSpeech().catch(() => undefined), SPEECH_MS)

  private constructor(
    private readonly options: SfuOptions,
    private readonly device: types.Device,
    private readonly sending: types.Transport,
    private readonly receiving: types.Transport,
  ) {}

  /** Opens a transport in each direction. Loads mediasoup-client when first used. */
  static async open(options: SfuOptions): Promise<SfuSession> {
    const { Device } = await import('mediasoup-client')
    const device = await Device.factory()
    await device.load({ routerRtpCapabilities: options.router_rtp_capabilities as types.RtpCapabilities })
    const create = (direction: 'send' | 'recv') =>
      options.gateway.command('voice.sfu.create_transport', { direction }) as Promise<Offer>
    const [send, recv] = await Promise.all([create('send'), create('recv')])
    const optionsOf = (offer: Offer): types.TransportOptions => ({
      id: offer.transport_id,
      iceParameters: offer.ice_parameters,
      iceCandidates: offer.ice_candidates,
      dtlsParameters: offer.dtls_parameters,
      iceServers: options.ice_servers,
    })
    const sending = device.createSendTransport(optionsOf(send))
    const receiving = device.createRecvTransport(optionsOf(recv))
    const session = new SfuSession(options, device, sending, receiving)
    for (const transport of [sending, receiving]) session.#connect(transport)
    sending.on('produce', ({ kind, rtpParameters: rtp_parameters, appData }, done, failed) => {
      options.gateway
        .command('voice.sfu.produce', {
          transport_id: sending.id,
          kind,
          rtp_parameters,
          source: appData.source as Source,
        })
        .then(({ producer_id }) => done({ id: producer_id }), failed)
    })
    return session
  }

  /** Begins, replaces or ends the track of a source. */
  send(source: Source, track: MediaStreamTrack | undefined): Promise<void> {
    const work = this.#changes.then(() => this.#send(source, track))
    this.#changes = work.catch(() => undefined)
    return work
  }

  async #send(source: Source, track: MediaStreamTrack | undefined): Promise<void> {
    if (this.#closed) return
    const producer = this.#producers.get(source)
    if (producer && track && isMusic(producer.track) === isMusic(track)) return producer.replaceTrack({ track })
    if (producer && !track) {
      this.#producers.delete(source)
      if (source === 'camera') this.#line = undefined
      producer.close()
      await this.options.gateway
        .command('voice.sfu.close_producer', { producer_id: producer.id })
        .catch(() => undefined)
    } else if (track) {
      const work = this.sending.produce({
        track,
        encodings: encodingsOf(source, track),
        codecOptions: track.kind === 'audio' ? opusOptions(source, track) : undefined,
        stopTracks: false,
        disableTrackOnPause: false,
        appData: { source },
      })
      const created = await work.catch(async (error: unknown) => {
        await producer?.replaceTrack({ track })
        throw error
      })
      // The SFU closes the one before: music and speech are sent in different ways.
      producer?.close()
      this.#producers.set(source, created)
      if (source === 'camera' && created.rtpSender) this.#line = new NarrowLine(created.rtpSender)
      await shareOut(created.rtpSender, source, false)
    }
  }

  /** Begins to receive a producer. */
  receive(produced: Produced): void {
    this.#receive(produced).catch((error: unknown) => {
      this.#wanted.delete(produced.producer_id)
      if (!this.#closed) this.options.onFault(error)
    })
  }

  async #receive(produced: Produced): Promise<void> {
    const { producer_id } = produced
    if (this.#wanted.has(producer_id) || this.#closed) return
    this.#wanted.set(producer_id, produced)
    const { gateway, onTrack } = this.options
    const { recvRtpCapabilities: rtp_capabilities } = this.device
    const answer = await gateway.command('voice.sfu.consume', { producer_id, rtp_capabilities }).catch(() => {
      this.#wanted.delete(producer_id)
    })
    if (!answer || !this.#isWanted(producer_id)) return
    const { consumer_id, kind, rtp_parameters } = answer
    // Browsers synchronise the tracks of a stream, so each source gets a separate stream.
    const consumer = await this.receiving.consume({
      id: consumer_id,
      producerId: producer_id,
      kind,
      rtpParameters: rtp_parameters as types.RtpParameters,
      streamId: `${produced.voice_session_id}-${produced.source}`,
    })
    if (!this.#isWanted(producer_id)) return consumer.close()
    const { rtpReceiver } = consumer
    const late = kind === 'audio' && rtpReceiver ? new LateSound(rtpReceiver) : undefined
    const changing = Promise.resolve()
    const received = { produced, consumer, paused: true, layer: undefined, score: 10, late, changing }
    this.#consumers.set(producer_id, received)
    if (rtpReceiver) onTrack(produced.voice_session_id, produced.source, rtpReceiver)
    await this.#fit(received)
  }

  /** Call when a source of a member is shown larger, smaller or no longer. */
  look(from: string, source: Source): void {
    for (const received of this.#consumers.values()) {
      const { produced } = received
      if (produced.voice_session_id === from && produced.source === source) void this.#fit(received)
    }
  }

  /** Requests a source in the visible size, and pauses it while it is hidden. */
  #fit(received: Received): Promise<unknown> {
    received.changing = received.changing.then(() => this.#change(received)).catch(() => undefined)
    return received.changing
  }

  async #change(received: Received): Promise<void> {
    const { gateway, heightOf } = this.options
    const { produced, consumer } = received
    const { id: consumer_id } = consumer
    const height = produced.kind === 'audio' ? Infinity : heightOf(produced.voice_session_id, produced.source)
    if (consumer.closed) return
    const paused = height === 0
    const isSmall = this.#small.on && produced.source === 'camera'
    const layer = layerFor(consumer, produced.source, isSmall ? 1 : height)
    if (!paused && layer !== undefined && layer !== received.layer) {
      await gateway.command('voice.sfu.set_preferred_layers', { consumer_id, spatial_layer: layer })
      received.layer = layer
    }
    if (paused === received.paused) return
    await gateway.command(paused ? 'voice.sfu.pause_consumer' : 'voice.sfu.resume_consumer', { consumer_id })
    received.paused = paused
  }

  /** The SFU's score of a producer's connection has changed. */
  score(consumer_id: string, score: number): void {
    const received = [...this.#consumers.values()].find(({ consumer }) => consumer.id === consumer_id)
    if (received) received.score = score
  }

  /** True if a member's speech already loses packets before it reaches the SFU. */
  readonly suffers = (id: string): boolean =>
    [...this.#consumers.values()].some(
      ({ produced, score }) =>
        produced.voice_session_id === id && produced.source === 'microphone' && score < WHOLE_SCORE,
    )

  /** The browser's statistics: of the path to the SFU, and of the media received from each member. */
  async stats() {
    const [own, received] = await Promise.all([this.sending.getStats(), this.receiving.getStats()])
    const incoming = [...received.values()]
    const members = new Map<string, Record<string, unknown>[]>()
    for (const { produced, consumer } of this.#consumers.values()) {
      const entries = incoming.filter(isOf(consumer.track))
      members.set(produced.voice_session_id, [...(members.get(produced.voice_session_id) ?? []), ...entries])
    }
    return { own: [...own.values()], members }
  }

  /** Reduces video in favour of speech on a slow connection, and enlarges the jitter buffers on a lossy one. */
  async #careForSpeech(): Promise<void> {
    const { own, members } = await this.stats()
    const pair = own.find(({ type, nominated }) => type === 'candidate-pair' && nominated)
    const sound = own.filter(({ type, kind }) => type === 'outbound-rtp' && kind === 'audio')
    const sum = (name: string) => sound.reduce((all, entry) => all + Number(entry[name] ?? 0), 0)
    const [sent, again] = [sum('packetsSent'), sum('retransmittedPacketsSent')]
    await this.#line?.read({ bits: pair?.['availableOutgoingBitrate'], sent, again })
    const late = [...this.#consumers.values()].filter((each) =>
      each.late?.read((members.get(each.produced.voice_session_id) ?? []).filter(isOf(each.consumer.track))),
    )
    // Packets lost before the SFU do not count: smaller video on this connection cannot recover them.
    const isOwn = late.some(({ produced }) => !this.suffers(produced.voice_session_id))
    if (this.#small.read(isOwn)) for (const received of this.#consumers.values()) void this.#fit(received)
  }

  /** Ends a producer of another member. */
  end(producer_id: string): void {
    this.#wanted.delete(producer_id)
    const item = this.#consumers.get(producer_id)
    this.#consumers.delete(producer_id)
    item?.consumer.close()
    const { voice_session_id, source } = item?.produced ?? {}
    const another = [...this.#consumers.values()].some(
      ({ produced }) => produced.voice_session_id === voice_session_id && produced.source === source,
    )
    if (voice_session_id && source && !another) this.options.onTrack(voice_session_id, source, undefined)
  }

  /** Receives exactly these producers. */
  reconcile(all: Produced[]): void {
    const ids = new Set(all.map(({ producer_id }) => producer_id))
    for (const id of this.#wanted.keys()) if (!ids.has(id)) this.end(id)
    for (const produced of all) this.receive(produced)
  }

  close(): void {
    this.#closed = true
    clearInterval(this.#caring)
    this.sending.close()
    this.receiving.close()
  }

  #isWanted = (producer_id: string): boolean => !this.#closed && this.#wanted.has(producer_id)

  #connect(transport: types.Transport): void {
    const { gateway } = this.options
    transport.on('connect', ({ dtlsParameters }, done, failed) => {
      gateway
        .command('voice.sfu.connect', { transport_id: transport.id, dtls_parameters: dtlsParameters })
        .then(() => done(), failed)
    })
    transport.on('connectionstatechange', (state) => {
      if ((state === 'disconnected' || state === 'failed') && !this.#closed) void this.restart(transport)
    })
  }

  /** Restarts ICE of these transports; by default of all broken ones. */
  async restart(...transports: types.Transport[]): Promise<void> {
    const broken = [this.sending, this.receiving].filter(
      ({ connectionState }) => connectionState === 'disconnected' || connectionState === 'failed',
    )
    for (const transport of transports.length > 0 ? transports : broken) {
      const answer = await this.options.gateway
        .command('voice.sfu.restart_ice', { transport_id: transport.id })
        .catch(() => undefined)
      if (!answer || transport.closed) continue
      await transport.restartIce({ iceParameters: answer.ice_parameters as types.IceParameters })
    }
  }
}

/** True if an entry of the statistics belongs to a received track. */
const isOf =
  ({ id }: MediaStreamTrack) =>
  ({ trackIdentifier }: Record<string, unknown>): boolean =>
    trackIdentifier === id

const isMusic = (track: MediaStreamTrack | null): boolean => track?.contentHint === MUSIC

/** The SFU forwards no RED: it sends lost packets again instead. */
function opusOptions(source: Source, track: MediaStreamTrack): types.ProducerCodecOptions {
  const [music, common] = [isMusic(track), { opusFec: true, opusNack: true }]
  const options = { ...common, opusDtx: source === 'microphone' && !music }
  if (music) return { ...options, opusStereo: true, opusMaxAverageBitrate: MUSIC_BITS }
  return source === 'screen_audio' ? { ...options, opusStereo: true } : options
}
