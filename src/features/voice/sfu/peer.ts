import type { types } from 'mediasoup'
import { found, Problem } from '../../../core/errors.ts'
import { INCOMING_BITS_MAX, OUTGOING_BITS_FIRST, SOURCES, type Source, spatialLayers } from './codecs.ts'
import { MediaUnavailable } from './process.ts'
import type { Produced, Stage } from './room.ts'

/** A new transport of a direction may live beside the old one until the media have moved. */
const TRANSPORTS_MAX = 2

type Direction = 'send' | 'recv'

/** A transport as a client's `createSendTransport` or `createRecvTransport` takes it. */
export interface TransportOffer {
  transport_id: string
  ice_parameters: types.IceParameters
  ice_candidates: types.IceCandidate[]
  dtls_parameters: types.DtlsParameters
}

/** What one member sends and receives through the SFU. What another member owns does not exist for it: `not_found`. */
export type Peer = ReturnType<typeof openPeer>

interface Sent {
  producer: types.Producer
  produced: Produced
  /** Whether the member has paused it; it may be held as well. */
  paused: boolean
  /** One change of its state after the other. */
  settled: Promise<void>
}

/** @param onClosed called once, when the member is gone */
export function openPeer(voice_session_id: string, stage: Stage, onClosed: () => void) {
  const { router, tell, judged } = stage
  const transports = new Map<string, { transport: types.WebRtcTransport; direction: Direction }>()
  const sent = new Map<Source, Sent>()
  /** By the producer's id. */
  const consumers = new Map<string, types.Consumer>()
  let held: ReadonlySet<Source> = new Set()
  let closed = false

  const transportOf = (id: string, direction?: Direction) => {
    const owned = found(transports.get(id))
    if (direction !== undefined && owned.direction !== direction) throw new Problem('not_found')
    return owned.transport
  }
  const sentBy = (producer_id: string) => found([...sent.values()].find(({ producer }) => producer.id === producer_id))
  const consumerOf = (id: string) => found([...consumers.values()].find((consumer) => consumer.id === id))

  /** Makes the producer as it should be: paused by its owner, held by the server, or neither. */
  function settle(item: Sent): Promise<void> {
    const change = async () => {
      const quiet = item.paused || held.has(item.produced.source)
      if (item.producer.closed || quiet === item.producer.paused) return
      await judged(quiet ? item.producer.pause() : item.producer.resume())
      tell({ type: quiet ? 'producer_paused' : 'producer_resumed', producer: item.produced })
    }
    const settled = item.settled.then(change)
    item.settled = settled.catch(() => undefined)
    return settled
  }

  function forget({ produced }: Sent): void {
    if (!stage.producers.delete(produced.producer_id)) return
    if (sent.get(produced.source)?.produced === produced) sent.delete(produced.source)
    tell({ type: 'producer_closed', producer: produced })
  }

  return {
    voice_session_id,
    streams: () => sent.size + consumers.size,

    async createTransport(direction: Direction): Promise<TransportOffer> {
      const transport = await judged(
        router.createWebRtcTransport({
          webRtcServer: stage.server,
          preferUdp: true,
          initialAvailableOutgoingBitrate: OUTGOING_BITS_FIRST,
        }),
      )
      if (closed) {
        transport.close()
        throw new MediaUnavailable('The member has left')
      }
      if (direction === 'send') await judged(transport.setMaxIncomingBitrate(INCOMING_BITS_MAX))
      transports.set(transport.id, { transport, direction })
      transport.observer.on('close', () => transports.delete(transport.id))
      // Its member has said goodbye, or never will.
      transport.on('dtlsstatechange', (state) => void ((state === 'closed' || state === 'failed') && transport.close()))
      const same = [...transports.values()].filter((other) => other.direction === direction)
      for (const { transport: oldest } of same.slice(0, -TRANSPORTS_MAX)) oldest.close()
      return {
        transport_id: transport.id,
        ice_parameters: transport.iceParameters,
        ice_candidates: transport.iceCandidates,
        dtls_parameters: transport.dtlsParameters,
      }
    },

    async connect(transport_id: string, dtlsParameters: types.DtlsParameters): Promise<void> {
      await judged(transportOf(transport_id).connect({ dtlsParameters }))
    },

    /** @returns what the client's `restartIce` takes */
    async restartIce(transport_id: string): Promise<{ ice_parameters: types.IceParameters }> {
      return { ice_parameters: await judged(transportOf(transport_id).restartIce()) }
    },

    /**
     * Takes what the member sends. Whether it may is the caller's to know.
     * @returns what everyone else is told; a producer of the same source that it had before is closed
     */
    async produce(transport_id: string, kind: types.MediaKind, rtpParameters: types.RtpParameters, source: Source) {
      const transport = transportOf(transport_id, 'send')
      const limit = SOURCES[source]
      if (kind !== limit.kind) throw new Problem('validation_failed', `A ${source} is ${limit.kind}`)
      if (spatialLayers(rtpParameters) > limit.spatial_layers_max)
        throw new Problem('validation_failed', `A ${source} has at most ${limit.spatial_layers_max} layers`)
      const producer = await judged(transport.produce({ kind, rtpParameters, paused: held.has(source) }))
      const produced: Produced = { producer_id: producer.id, voice_session_id, kind, source }
      const item: Sent = { producer, produced, paused: false, settled: Promise.resolve() }
      const before = sent.get(source)
      sent.set(source, item)
      stage.producers.set(producer.id, { producer, produced })
      producer.observer.on('close', () => forget(item))
      before?.producer.close()
      if (source === 'microphone') await judged(stage.speakers.addProducer({ producerId: producer.id }))
      tell({ type: 'producer_new', producer: produced })
      if (producer.paused) tell({ type: 'producer_paused', producer: produced })
      await settle(item)
      return produced
    },

    closeProducer: async (producer_id: string) => sentBy(producer_id).producer.close(),

    async pauseProducer(producer_id: string, paused: boolean): Promise<void> {
      const item = sentBy(producer_id)
      item.paused = paused
      await settle(item)
    },

    /** Lets nothing through from these sources until it is called again, whatever the member does. */
    async hold(sources: Source[]): Promise<void> {
      held = new Set(sources)
      await Promise.all([...sent.values()].map(settle))
    },

    /** Sends the member what another one produces: paused, until it says that it is ready. */
    async consume(producer_id: string, rtpCapabilities: types.RtpCapabilities) {
      const { produced } = found(stage.producers.get(producer_id))
      if (produced.voice_session_id === voice_session_id) throw new Problem('not_found')
      const receiving = [...transports.values()].findLast(({ direction }) => direction === 'recv')
      const { transport } = found(receiving)
      const consumer = await judged(transport.consume({ producerId: producer_id, rtpCapabilities, paused: true }))
      const consumer_id = consumer.id
      const before = consumers.get(producer_id)
      consumers.set(producer_id, consumer)
      before?.close()
      const to = voice_session_id
      consumer.observer.on('close', () => consumers.get(producer_id) === consumer && consumers.delete(producer_id))
      consumer.on('producerclose', () => tell({ type: 'consumer_closed', to, consumer_id }))
      consumer.on('score', (score) => tell({ type: 'consumer_score', to, consumer_id, score }))
      consumer.on('layerschange', (layers) =>
        tell({ type: 'consumer_layers', to, consumer_id, layers: layers ?? null }),
      )
      return { consumer_id, ...produced, rtp_parameters: consumer.rtpParameters }
    },

    async pauseConsumer(consumer_id: string, paused: boolean): Promise<void> {
      const consumer = consumerOf(consumer_id)
      await judged(paused ? consumer.pause() : consumer.resume())
    },

    async setPreferredLayers(consumer_id: string, layers: types.ConsumerLayers): Promise<void> {
      await judged(consumerOf(consumer_id).setPreferredLayers(layers))
    },

    /** Ends everything that the member sends and receives. */
    close(): void {
      if (closed) return
      closed = true
      for (const { transport } of transports.values()) transport.close()
      onClosed()
    },
  }
}
