import type { types } from 'mediasoup'
import { found, Problem } from '../../core/errors.ts'
import { isOfKind, SOURCES, type Source, spatialLayers } from './codecs.ts'
import { MediaUnavailable } from './process.ts'
import type { Produced, Stage } from './room.ts'
import { openTransports } from './transports.ts'

interface Sent {
  producer: types.Producer
  produced: Produced
  /** Whether the member has paused it; it may be held as well. */
  paused: boolean
  /** One change of its state after the other. */
  settled: Promise<void>
}

/** What one member sends and receives through the SFU. What another member owns does not exist for it: `not_found`. */
export type Peer = ReturnType<typeof openPeer>

/** @param onClosed called once, when the member is gone */
export function openPeer(voice_session_id: string, stage: Stage, onClosed: () => void) {
  const transports = openTransports(stage)
  const sender = openSender(voice_session_id, stage)
  const receiver = openReceiver(voice_session_id, stage)
  let closed = false
  return {
    voice_session_id,
    streams: () => sender.count() + receiver.count(),
    createTransport: transports.create,

    async connect(transport_id: string, dtlsParameters: types.DtlsParameters): Promise<void> {
      await stage.judged(transports.find(transport_id).connect({ dtlsParameters }))
    },

    /** @returns what the client's `restartIce` takes */
    async restartIce(transport_id: string): Promise<{ ice_parameters: types.IceParameters }> {
      return { ice_parameters: await stage.judged(transports.find(transport_id).restartIce()) }
    },

    /**
     * Takes what the member sends. Whether it may is the caller's to know.
     * @returns what everyone else is told; a producer of the same source that it had before is closed
     * @throws Problem `validation_failed` when kind or layers do not fit the source, or mediasoup refuses the rest
     */
    produce: async (id: string, kind: types.MediaKind, rtpParameters: types.RtpParameters, source: Source) =>
      sender.produce(transports.find(id, 'send'), kind, rtpParameters, source),
    closeProducer: async (producer_id: string) => sender.find(producer_id).producer.close(),
    pauseProducer: async (producer_id: string, paused: boolean) => sender.pause(producer_id, paused),
    /** Lets nothing through from these sources until it is called again, whatever the member does. */
    hold: sender.hold,

    /** Sends the member what another one produces: paused, until it says that it is ready. */
    consume: async (producer_id: string, rtpCapabilities: types.RtpCapabilities) =>
      receiver.consume(transports.newest('recv'), producer_id, rtpCapabilities),

    async pauseConsumer(consumer_id: string, paused: boolean): Promise<void> {
      const consumer = receiver.find(consumer_id)
      await stage.judged(paused ? consumer.pause() : consumer.resume())
    },

    async setPreferredLayers(consumer_id: string, layers: types.ConsumerLayers): Promise<void> {
      await stage.judged(receiver.find(consumer_id).setPreferredLayers(layers))
    },

    /** Ends everything that the member sends and receives. */
    close(): void {
      if (closed) return
      closed = true
      transports.close()
      onClosed()
    },
  }
}

function openSender(voice_session_id: string, { tell, judged, producers, speakers }: Stage) {
  const sent = new Map<Source, Sent>()
  let held: ReadonlySet<Source> = new Set()
  const find = (producer_id: string) => found([...sent.values()].find(({ producer }) => producer.id === producer_id))

  /** Makes the producer as it should be: paused by its owner, held by the server, or neither. */
  function settle(item: Sent): Promise<void> {
    const { producer, produced } = item
    const change = async () => {
      const quiet = item.paused || held.has(produced.source)
      if (producer.closed || quiet === producer.paused) return
      await judged(quiet ? producer.pause() : producer.resume())
      if (!producer.closed) tell({ type: quiet ? 'producer_paused' : 'producer_resumed', producer: produced })
    }
    const settled = item.settled.then(change)
    item.settled = settled.catch(() => undefined)
    return settled
  }

  function forget({ produced }: Sent): void {
    producers.delete(produced.producer_id)
    if (sent.get(produced.source)?.produced === produced) sent.delete(produced.source)
    tell({ type: 'producer_closed', producer: produced })
  }

  async function produce(
    transport: types.WebRtcTransport,
    kind: types.MediaKind,
    rtpParameters: types.RtpParameters,
    source: Source,
  ): Promise<Produced> {
    const limit = SOURCES[source]
    if (kind !== limit.kind || !isOfKind(kind, rtpParameters))
      throw new Problem('validation_failed', `A ${source} is ${limit.kind}`)
    if (spatialLayers(rtpParameters) > limit.spatial_layers_max)
      throw new Problem('validation_failed', `A ${source} has at most ${limit.spatial_layers_max} layers`)
    const producer = await judged(transport.produce({ kind, rtpParameters, paused: held.has(source) }))
    if (transport.closed) {
      producer.close()
      throw new MediaUnavailable('The member has left')
    }
    const produced: Produced = { producer_id: producer.id, voice_session_id, kind, source }
    const item: Sent = { producer, produced, paused: false, settled: Promise.resolve() }
    const before = sent.get(source)
    sent.set(source, item)
    producers.set(producer.id, { producer, produced })
    producer.observer.on('close', () => forget(item))
    before?.producer.close()
    tell({ type: 'producer_new', producer: produced })
    if (producer.paused) tell({ type: 'producer_paused', producer: produced })
    if (source === 'microphone') await judged(speakers.addProducer({ producerId: producer.id }))
    await settle(item)
    return produced
  }

  return {
    count: () => sent.size,
    find,
    produce,
    async pause(producer_id: string, paused: boolean): Promise<void> {
      const item = find(producer_id)
      item.paused = paused
      await settle(item)
    },
    async hold(sources: Source[]): Promise<void> {
      held = new Set(sources)
      await Promise.all([...sent.values()].map(settle))
    },
  }
}

function openReceiver(to: string, { tell, judged, producers }: Stage) {
  /** By the producer's id: of each it has one. */
  const consumers = new Map<string, types.Consumer>()

  return {
    count: () => consumers.size,
    find: (id: string) => found([...consumers.values()].find((consumer) => consumer.id === id)),

    async consume(transport: types.WebRtcTransport, producer_id: string, rtpCapabilities: types.RtpCapabilities) {
      const { produced } = found(producers.get(producer_id))
      if (produced.voice_session_id === to) throw new Problem('not_found')
      const consumer = await judged(transport.consume({ producerId: producer_id, rtpCapabilities, paused: true }))
      // Either may have ended while it was made; it would never hear of that.
      if (transport.closed || !producers.has(producer_id)) {
        consumer.close()
        throw new Problem('not_found')
      }
      const { id: consumer_id, rtpParameters: rtp_parameters } = consumer
      const before = consumers.get(producer_id)
      consumers.set(producer_id, consumer)
      before?.close()
      consumer.observer.on('close', () => consumers.get(producer_id) === consumer && consumers.delete(producer_id))
      consumer.on('producerclose', () => tell({ type: 'consumer_closed', to, consumer_id }))
      consumer.on('score', (score) => tell({ type: 'consumer_score', to, consumer_id, score }))
      consumer.on('layerschange', (layers) =>
        tell({ type: 'consumer_layers', to, consumer_id, layers: layers ?? null }),
      )
      return { consumer_id, ...produced, rtp_parameters }
    },
  }
}
