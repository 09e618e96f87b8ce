import type { types } from 'mediasoup-client'
import type { Joined } from '../../voice/model.ts'
import type { Source } from './local-tracks.ts'
import type { VoiceGateway } from './voice-gateway.ts'

/** A producer of another member. */
export type Produced = Joined['producers'][number]

export interface SfuOptions {
  gateway: VoiceGateway
  router_rtp_capabilities: object
  ice_servers: RTCIceServer[]
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

/** A screen is sent in two sizes: a member with a small view receives the small one. */
const SCREEN: types.RtpEncodingParameters[] = [
  { maxBitrate: 500_000, scaleResolutionDownBy: 2, scalabilityMode: 'L1T1' },
  { maxBitrate: 2_500_000, scalabilityMode: 'L1T1' },
]
const CAMERA: types.RtpEncodingParameters[] = [
  { maxBitrate: 150_000, scaleResolutionDownBy: 4, scalabilityMode: 'L1T1' },
  { maxBitrate: 900_000, scalabilityMode: 'L1T1' },
]

/** This member's transports, producers and consumers on the SFU. */
export class SfuSession {
  readonly #producers = new Map<Source, types.Producer>()
  readonly #consumers = new Map<string, { produced: Produced; consumer: types.Consumer }>()
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
    if (producer && track) return producer.replaceTrack({ track })
    if (producer) {
      this.#producers.delete(source)
      producer.close()
      await this.options.gateway
        .command('voice.sfu.close_producer', { producer_id: producer.id })
        .catch(() => undefined)
    } else if (track) {
      const created = await this.sending.produce({
        track,
        encodings: source === 'screen' ? SCREEN : source === 'camera' ? CAMERA : undefined,
        codecOptions: track.kind === 'audio' ? { opusFec: true, opusDtx: source === 'microphone' } : undefined,
        stopTracks: false,
        disableTrackOnPause: false,
        appData: { source },
      })
      this.#producers.set(source, created)
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
    this.#consumers.set(producer_id, { produced, consumer })
    if (consumer.rtpReceiver) onTrack(produced.voice_session_id, produced.source, consumer.rtpReceiver)
    await gateway.command('voice.sfu.resume_consumer', { consumer_id }).catch(() => undefined)
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
