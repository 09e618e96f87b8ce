import type { types } from 'mediasoup-client'
import type { Joined } from '../../voice/model.ts'
import type { Source } from './local-tracks.ts'
import { MUSIC, MUSIC_BITS, shareOut } from './sound-first.ts'
import type { VoiceGateway } from './voice-gateway.ts'

/** A producer of another member. */
export type Produced = Joined['producers'][number]

export interface SfuOptions {
  gateway: VoiceGateway
  router_rtp_capabilities: object
  ice_servers: RTCIceServer[]
  /** How large pictures of a member are shown, in pixels of the screen; Infinity for as large as they are. */
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

/** Bits for a pixel of a screen, per second: moving pictures take more than text. */
const SCREEN_BITS = { detail: 1.5, motion: 3 }
const SCREEN_BITS_MIN = 2_500_000
const SCREEN_BITS_MAX = 12_000_000
const CAMERA: types.RtpEncodingParameters[] = [
  { maxBitrate: 120_000, scaleResolutionDownBy: 4, scalabilityMode: 'L1T1' },
  { maxBitrate: 350_000, scaleResolutionDownBy: 2, scalabilityMode: 'L1T1' },
  { maxBitrate: 1_200_000, scalabilityMode: 'L1T1' },
]
/** Chromium sends fewer than three sizes of a picture that is smaller than this, and leaves out the largest. */
const THREE_SIZES_MIN = 960 * 540
const SMALL_CAMERA = CAMERA.filter((_, at) => at !== 1)
/** Up to these heights, in pixels of the screen, a smaller size is enough; cameras are asked for 720 lines. */
const HEIGHTS: Record<string, number[]> = { camera: [200, 400], screen: [400] }

/** Below this score, of 10, a producer loses packets on its way to the SFU. */
const WHOLE_SCORE = 9

/** What is received of a producer, and how. */
interface Received {
  produced: Produced
  consumer: types.Consumer
  paused: boolean
  /** The size that the SFU was asked for; undefined for the largest. */
  layer: number | undefined
  /** How much of what the member sends comes to the SFU, 0 to 10. */
  score: number
  /** The last change: the next one waits for it. */
  changing: Promise<unknown>
}

/** This member's transports, producers and consumers on the SFU. */
export class SfuSession {
  readonly #producers = new Map<Source, types.Producer>()
  readonly #consumers = new Map<string, Received>()
  readonly #wanted = new Map<string, Produced>()
  #changes: Promise<unknown> = Promise.resolve()
  #closed = false

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
    // Browsers keep the tracks of one stream in sync: each source has a stream of its own.
    const consumer = await this.receiving.consume({
      id: consumer_id,
      producerId: producer_id,
      kind,
      rtpParameters: rtp_parameters as types.RtpParameters,
      streamId: `${produced.voice_session_id}-${produced.source}`,
    })
    if (!this.#isWanted(producer_id)) return consumer.close()
    const received = { produced, consumer, paused: true, layer: undefined, score: 10, changing: Promise.resolve() }
    this.#consumers.set(producer_id, received)
    if (consumer.rtpReceiver) onTrack(produced.voice_session_id, produced.source, consumer.rtpReceiver)
    await this.#fit(received)
  }

  /** A source of a member is shown larger, smaller or no longer. */
  look(from: string, source: Source): void {
    for (const received of this.#consumers.values()) {
      const { produced } = received
      if (produced.voice_session_id === from && produced.source === source) void this.#fit(received)
    }
  }

  /** Has the SFU send a source as large as it is shown, and not while it is hidden. */
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
    const layer = layerFor(consumer, produced.source, height)
    if (!paused && layer !== undefined && layer !== received.layer) {
      await gateway.command('voice.sfu.set_preferred_layers', { consumer_id, spatial_layer: layer })
      received.layer = layer
    }
    if (paused === received.paused) return
    await gateway.command(paused ? 'voice.sfu.pause_consumer' : 'voice.sfu.resume_consumer', { consumer_id })
    received.paused = paused
  }

  /** The SFU says how much of what a member sends comes to it. */
  score(consumer_id: string, score: number): void {
    const received = [...this.#consumers.values()].find(({ consumer }) => consumer.id === consumer_id)
    if (received) received.score = score
  }

  /** Whether the speech of a member is damaged before it comes to the SFU. */
  readonly suffers = (id: string): boolean =>
    [...this.#consumers.values()].some(
      ({ produced, score }) =>
        produced.voice_session_id === id && produced.source === 'microphone' && score < WHOLE_SCORE,
    )

  /** The browser's statistics: of the own path to the SFU, and of what comes from each member. */
  async stats() {
    const [own, received] = await Promise.all([this.sending.getStats(), this.receiving.getStats()])
    const incoming = [...received.values()]
    const members = new Map<string, Record<string, unknown>[]>()
    for (const { produced, consumer } of this.#consumers.values()) {
      const entries = incoming.filter(({ trackIdentifier }) => trackIdentifier === consumer.track.id)
      members.set(produced.voice_session_id, [...(members.get(produced.voice_session_id) ?? []), ...entries])
    }
    return { own: [...own.values()], members }
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

  /** Restarts ICE of the given transports, or else of every broken one. */
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

/** The smallest size of a simulcast source that fills the height; undefined for a source of one size. */
function layerFor({ rtpParameters }: types.Consumer, source: Source, height: number): number | undefined {
  // mediasoup names the sizes of a consumer like SVC layers: L3T1.
  const sizes = Number(/^[LS](\d+)T/.exec(rtpParameters.encodings?.[0]?.scalabilityMode ?? '')?.[1] ?? 1)
  if (sizes === 1) return undefined
  const wanted = (HEIGHTS[source] ?? []).filter((limit) => height > limit).length
  return Math.min(wanted, sizes - 1)
}

const isMusic = (track: MediaStreamTrack | null): boolean => track?.contentHint === MUSIC

/** The SFU forwards no RED: it sends lost packets again instead. */
function opusOptions(source: Source, track: MediaStreamTrack): types.ProducerCodecOptions {
  const [music, common] = [isMusic(track), { opusFec: true, opusNack: true }]
  const options = { ...common, opusDtx: source === 'microphone' && !music }
  if (music) return { ...options, opusStereo: true, opusMaxAverageBitrate: MUSIC_BITS }
  return source === 'screen_audio' ? { ...options, opusStereo: true } : options
}

/** The sizes in which pictures are sent; undefined for sound. */
function encodingsOf(source: Source, track: MediaStreamTrack): types.RtpEncodingParameters[] | undefined {
  if (track.kind === 'audio') return undefined
  const { width = 0, height = 0 } = track.getSettings()
  if (source === 'screen') return screenSizes(width * height, track.contentHint === 'motion' ? 'motion' : 'detail')
  return width * height < THREE_SIZES_MIN ? SMALL_CAMERA : CAMERA
}

/** A screen is sent in two sizes: a member with a small view receives the small one. */
function screenSizes(pixels: number, kind: 'detail' | 'motion'): types.RtpEncodingParameters[] {
  const maxBitrate = Math.min(SCREEN_BITS_MAX, Math.max(SCREEN_BITS_MIN, pixels * SCREEN_BITS[kind]))
  return [
    { maxBitrate: Math.round(maxBitrate / 5), scaleResolutionDownBy: 2, scalabilityMode: 'L1T1' },
    { maxBitrate: Math.round(maxBitrate), scalabilityMode: 'L1T1' },
  ]
}
