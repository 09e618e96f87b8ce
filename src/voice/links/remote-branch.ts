import { randomBytes } from 'node:crypto'
import type { types } from 'mediasoup'
import { Problem } from '../../core/errors.ts'
import { Crossing, Crossings } from '../sfu/crossing.ts'
import { Busy, MediaUnavailable } from '../sfu/process.ts'
import type { BranchEnd, Consuming, LinkedBranch, Receiver } from '../sfu/receiving.ts'
import type { LinkAddress } from './link-address.ts'
import { endOf } from './link-host.ts'
import { type LinkRequests, Refused } from './link-requests.ts'
import { type Answered, type Asked, type BranchEvent, LIST_MAX, type Op } from './model.ts'
import { RemoteConsumer } from './remote-consumer.ts'
import { RemoteTransport } from './remote-transport.ts'

/** Consecutive reports by which nothing that one end sent has arrived at the other: the link is dead after 1.5 s. */
const SILENT_REPORTS_MAX = 3
/** Bytes between two reports, below which silence at the other end means nothing: an idle link sends some RTCP. */
const TRAFFIC_BYTES_MIN = 400

/** The bytes that both ends of a link have counted. */
interface Traffic {
  sent: number
  received: number
  sentThere: number
  receivedThere: number
}

/**
 * A branch of a room of this process, on another process: a router there, and a link between it and the main router.
 * The link is a pair of PipeTransports with SRTP; a producer crosses it once, however many members there consume it,
 * and only while one of them listens. What members ask of their transports and consumers there are requests to that
 * process. If the process, its worker or the link dies, these members receive elsewhere; the others notice nothing.
 */
export class RemoteBranch implements LinkedBranch {
  readonly id = randomBytes(8).toString('hex')
  readonly members = new Set<Receiver>()
  readonly pipe: Promise<types.PipeTransport>
  readonly openedAt = Date.now()
  readonly #crossings = new Crossings()
  readonly #transports = new Map<string, RemoteTransport>()
  readonly #consumers = new Map<string, RemoteConsumer>()
  /** Ids of objects that have ended here, until the other process confirms that it has closed them. */
  readonly #discarded = new Set<string>()
  #isDiscarding = false
  #isEnded = false
  #traffic: Traffic | undefined
  #isComparing = false
  #silentReports = 0

  /** @param onEnded called once */
  constructor(
    readonly node: string,
    private readonly main: types.Router,
    private readonly requests: Pick<LinkRequests, 'ask'>,
    address: LinkAddress,
    private readonly onEnded: (branch: RemoteBranch, why: BranchEnd) => void,
  ) {
    this.pipe = this.#open(address)
    this.pipe.catch(() => this.fail())
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  async openTransport(): Promise<RemoteTransport> {
    const offer = await this.#ask('create_transport', {})
    return this.#keepTransport(new RemoteTransport(offer.transport, offer, this))
  }

  async openDirect(): Promise<RemoteTransport> {
    const { transport } = await this.#ask('create_direct', {})
    return this.#keepTransport(new RemoteTransport(transport, {}, this))
  }

  bring(producer: types.Producer): Promise<Crossing> {
    return this.#crossings.bring(producer.id, () => this.#cross(producer))
  }

  // Requests of transports and consumers.

  async connect(id: string, dtlsParameters: types.DtlsParameters): Promise<void> {
    await this.#ask('connect', { transport: id, dtls_parameters: { ...dtlsParameters } })
  }

  async restartIce(id: string): Promise<types.IceParameters> {
    const { ice_parameters } = await this.#ask('restart_ice', { transport: id })
    return ice_parameters as unknown as types.IceParameters
  }

  async consume(transport: RemoteTransport, { producerId, rtpCapabilities }: Consuming): Promise<RemoteConsumer> {
    const request = { transport: transport.id, producer: producerId, rtp_capabilities: { ...rtpCapabilities } }
    const consumer = new RemoteConsumer(await this.#ask('consume', request), producerId, this)
    this.#consumers.set(consumer.id, consumer)
    consumer.observer.once('close', () => this.#consumers.delete(consumer.id))
    if (this.#isEnded || !this.#crossings.has(producerId)) consumer.close()
    return consumer
  }

  async pauseConsumer(id: string, paused: boolean): Promise<void> {
    await this.#ask('pause_consumer', { consumer: id, paused })
  }

  async setLayers(id: string, { spatialLayer, temporalLayer }: types.ConsumerLayers): Promise<void> {
    const layers = { spatial: spatialLayer, ...(temporalLayer === undefined ? {} : { temporal: temporalLayer }) }
    await this.#ask('set_layers', { consumer: id, ...layers })
  }

  discard(id: string): void {
    if (this.#isEnded) return
    this.#discarded.add(id)
    // In one request with others that end now.
    queueMicrotask(() => this.discardAll())
  }

  /** Makes the other process close what has ended here, including what it has not confirmed. */
  discardAll(): void {
    if (this.#isDiscarding || this.#discarded.size === 0 || this.#isEnded) return
    this.#isDiscarding = true
    const ids = [...this.#discarded].slice(0, LIST_MAX)
    const done = () => {
      this.#isDiscarding = false
    }
    this.#ask('discard', { ids }).then(() => {
      for (const id of ids) this.#discarded.delete(id)
      done()
      this.discardAll()
    }, done)
  }

  // Reports of the other process.

  handle(event: BranchEvent): void {
    switch (event.type) {
      case 'ended':
      case 'silent':
        return this.lose()
      case 'transport_closed':
        return void this.#transports.get(event.id)?.end()
      case 'score':
        return this.#consumers.get(event.id)?.setScore(event.score as unknown as types.ConsumerScore)
      case 'layers':
        return this.#consumers.get(event.id)?.setLayers(layersOf(event.layers))
    }
  }

  /** Compares what both ends have sent and received. Ends the branch if the link is dead. */
  async compare(sentThere: number, receivedThere: number): Promise<void> {
    // A worker of this process that hangs answers nothing, and must not be asked without end.
    if (this.#isComparing) return
    this.#isComparing = true
    const pipe = await this.pipe.catch(() => undefined)
    const [stats] = (await pipe?.getStats().catch(() => [])) ?? []
    this.#isComparing = false
    if (!stats || this.#isEnded) return
    const before = this.#traffic
    const now = { sent: stats.bytesSent, received: stats.bytesReceived, sentThere, receivedThere }
    this.#traffic = now
    if (!before) return
    const isLostOnTheWay = now.sent - before.sent > TRAFFIC_BYTES_MIN && receivedThere === before.receivedThere
    const isLostOnTheWayBack = sentThere - before.sentThere > TRAFFIC_BYTES_MIN && now.received === before.received
    this.#silentReports = isLostOnTheWay || isLostOnTheWayBack ? this.#silentReports + 1 : 0
    if (this.#silentReports >= SILENT_REPORTS_MAX) this.fail()
  }

  fail(): void {
    this.#end('failed')
  }

  /** Call when the other process has lost it, or is silent. */
  lose(): void {
    this.#end('lost')
  }

  close(): void {
    this.#end('closed')
  }

  async #open(address: LinkAddress): Promise<types.PipeTransport> {
    const pipe = await this.main.createPipeTransport(await address.options())
    try {
      const { end } = await this.requests.ask(this.node, 'open', { branch: this.id, end: endOf(pipe) })
      await pipe.connect({ ip: end.ip, port: end.port, srtpParameters: end.srtp })
      if (this.#isEnded) throw new MediaUnavailable('The room has ended')
      return pipe
    } catch (error) {
      pipe.close()
      this.#closeThere()
      throw error
    }
  }

  async #ask<K extends Op>(op: K, d: Omit<Asked<K>, 'branch'>): Promise<Answered<K>> {
    await this.pipe
    if (this.#isEnded) throw new MediaUnavailable('The branch has ended')
    try {
      return await this.requests.ask(this.node, op, { branch: this.id, ...d } as unknown as Asked<K>)
    } catch (error) {
      // That process knows what it refuses; after anything else, nobody knows what it did.
      if (error instanceof Problem || error instanceof Refused || error instanceof Busy) throw error
      this.fail()
      throw new MediaUnavailable(error instanceof Error ? error.message : String(error))
    }
  }

  async #cross(producer: types.Producer): Promise<Crossing> {
    const main = await this.pipe
    const pipe = await main.consume({ producerId: producer.id })
    // Before anything else is awaited: the producer may end or pause at any time.
    pipe.observer.once('close', () => this.#uncross(producer.id))
    const paused = pipe.producerPaused
    const rtp_parameters = { ...pipe.rtpParameters }
    try {
      await this.#ask('produce', { producer: producer.id, kind: pipe.kind, rtp_parameters, paused })
    } catch (error) {
      pipe.close()
      throw error
    }
    if (pipe.closed) {
      // The request to end it may have come before it was there.
      this.discard(producer.id)
      throw new MediaUnavailable('The producer has ended')
    }
    const change = (isPaused: boolean) => async () => {
      try {
        await this.#ask('pause_producer', { producer: producer.id, paused: isPaused })
      } catch {
        // Its consumers would stay silent.
        if (!isPaused && !pipe.closed) this.fail()
      }
    }
    const crossing = new Crossing(producer, pipe, { pause: change(true), resume: change(false) })
    if (pipe.producerPaused !== paused) await change(pipe.producerPaused)()
    return crossing
  }

  #uncross(producerId: string): void {
    this.#crossings.delete(producerId)
    this.discard(producerId)
    for (const consumer of this.#consumers.values()) if (consumer.producerId === producerId) consumer.endWithProducer()
  }

  #keepTransport(transport: RemoteTransport): RemoteTransport {
    this.#transports.set(transport.id, transport)
    transport.observer.once('close', () => this.#transports.delete(transport.id))
    if (this.#isEnded) transport.end()
    return transport
  }

  #closeThere(): void {
    // If this gets lost, the other process ends it when it is missing in the lists.
    this.requests.ask(this.node, 'close', { branch: this.id }).catch(() => undefined)
  }

  #end(why: BranchEnd): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.pipe.then(
      (pipe) => {
        pipe.close()
        this.#closeThere()
      },
      () => undefined,
    )
    for (const transport of this.#transports.values()) transport.end()
    this.onEnded(this, why)
  }
}

/** Layers as mediasoup has them: without the key `temporalLayer` where there is none. */
const layersOf = (layers: { spatialLayer: number; temporalLayer?: number | undefined } | null) =>
  layers
    ? {
        spatialLayer: layers.spatialLayer,
        ...(layers.temporalLayer === undefined ? {} : { temporalLayer: layers.temporalLayer }),
      }
    : undefined
