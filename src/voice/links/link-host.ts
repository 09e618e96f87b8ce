import type { types } from 'mediasoup'
import { Problem } from '../../core/errors.ts'
import { OUTGOING_BITS_FIRST } from '../sfu/codecs.ts'
import { MediaUnavailable, type SfuWorker } from '../sfu/process.ts'
import type { Sfu } from '../sfu/sfu.ts'
import type { LinkAddress } from './link-address.ts'
import { LinkCounts } from './link-counts.ts'
import {
  type Answered,
  type Asked,
  BRANCHES_MAX,
  type BranchEvent,
  CONSUMERS_MAX,
  isShort,
  LIST_MAX,
  type LinkEnd,
  PRODUCERS_MAX,
  type RequestHandlers,
  TRANSPORTS_MAX,
} from './model.ts'

/** Interval at which events are sent to owners, ms: scores change often. */
const FLUSH_MS = 250
/** A branch whose owner does not list it ends after this time, ms. */
const UNLISTED_MS_MAX = 5_000
/** Time that a beat waits for workers, ms. */
const COUNT_MS_MAX = 200

/** A branch of another process's room, on this one. */
export interface Hosted {
  readonly id: string
  readonly owner: string
  readonly worker: SfuWorker
  readonly router: types.Router
  readonly pipe: types.PipeTransport
  readonly counts: LinkCounts
  readonly transports: Map<string, types.WebRtcTransport | types.DirectTransport>
  readonly consumers: Map<string, types.Consumer>
  readonly producers: Map<string, types.Producer>
  /** When its owner last listed it, ms. */
  listedAt: number
}

/** Routers of this process for rooms of others. Each ends with its owner, or when its owner says so. */
export class LinkHost {
  readonly #hosted = new Map<string, Hosted>()
  /** Branches being opened, by owner. */
  readonly #opening = new Map<string, number>()
  /** Events that are not sent yet, by branch. A later score replaces an earlier one. */
  readonly #events = new Map<Hosted, Map<string, BranchEvent>>()
  /** Workers that get no branch until they answer: with its branches ended, one that hangs has the least load. */
  readonly #hanging = new Set<SfuWorker>()
  readonly #timer: Timer
  #isRetired = false

  /** @param onEvents called with events of a branch, for its owner */
  constructor(
    private readonly sfu: Pick<Sfu, 'openHosted'>,
    private readonly address: LinkAddress,
    private readonly onEvents: (branch: Hosted, events: BranchEvent[]) => void,
  ) {
    this.#timer = setInterval(() => this.#flush(), FLUSH_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
    for (const branch of this.#hosted.values()) branch.router.close()
  }

  /** This process ends soon: members of other processes' rooms receive elsewhere. */
  retire(): void {
    this.#isRetired = true
    for (const branch of this.#hosted.values()) this.#end(branch, 'ended')
  }

  all(): Hosted[] {
    return [...this.#hosted.values()]
  }

  /** @throws Problem `not_found` if that process has no such branch here */
  find(owner: string, id: string): Hosted {
    const branch = this.#hosted.get(keyOf(owner, id))
    if (!branch) throw new Problem('not_found')
    return branch
  }

  /** Call with each list of a process: its branches that are missing from it end. */
  compare(owner: string, ids: ReadonlySet<string>, now: number): void {
    for (const branch of this.#hosted.values()) {
      if (branch.owner !== owner) continue
      if (ids.has(branch.id)) branch.listedAt = now
      else if (now - branch.listedAt > UNLISTED_MS_MAX) branch.router.close()
    }
  }

  /**
   * Counts what the links to a process have carried. Branches whose worker hangs end, so that their members receive
   * elsewhere. Call with each beat.
   */
  async count(owner: string): Promise<[id: string, sent: number, received: number][]> {
    const branches = () => this.all().filter((branch) => branch.owner === owner)
    const counting = Promise.all(branches().map(({ counts }) => counts.renew()))
    for (const branch of branches()) if (branch.counts.isSilent) this.#giveUp(branch)
    await Promise.race([counting, Bun.sleep(COUNT_MS_MAX)])
    return branches().map(({ id, counts: { sent, received } }) => [id, sent, received])
  }

  /** Call when a process is gone. */
  lose(owner: string): void {
    for (const branch of this.#hosted.values()) if (branch.owner === owner) branch.router.close()
  }

  /** The requests of owners. */
  readonly handlers: Omit<RequestHandlers, `audio_${string}`> = {
    open: (from, d) => this.#open(from, d),
    close: async (from, { branch }) => {
      this.#hosted.get(keyOf(from, branch))?.router.close()
      return {}
    },
    discard: async (from, { branch, ids }) => {
      const { transports, consumers, producers } = this.find(from, branch)
      for (const id of ids) (consumers.get(id) ?? producers.get(id) ?? transports.get(id))?.close()
      return {}
    },
    produce: async (from, d) => {
      const { pipe, producers } = this.find(from, d.branch)
      demandSpace(producers, PRODUCERS_MAX)
      const rtpParameters = d.rtp_parameters as unknown as types.RtpParameters
      const producer = await pipe.produce({ id: d.producer, kind: d.kind, rtpParameters, paused: d.paused })
      keep(producers, producer)
      return {}
    },
    pause_producer: async (from, { branch, producer: id, paused }) => {
      const producer = at(this.find(from, branch).producers, id)
      await (paused ? producer.pause() : producer.resume())
      return {}
    },
    create_transport: (from, { branch }) => this.#openTransport(this.find(from, branch)),
    create_direct: async (from, { branch: id }) => {
      const branch = this.find(from, id)
      demandSpace(branch.transports, TRANSPORTS_MAX)
      const transport = await branch.router.createDirectTransport()
      keep(branch.transports, transport)
      return { transport: transport.id }
    },
    connect: async (from, { branch, transport, dtls_parameters }) => {
      const dtlsParameters = dtls_parameters as unknown as types.DtlsParameters
      await clientTransport(this.find(from, branch), transport).connect({ dtlsParameters })
      return {}
    },
    restart_ice: async (from, { branch, transport }) => ({
      ice_parameters: { ...(await clientTransport(this.find(from, branch), transport).restartIce()) },
    }),
    consume: (from, d) => this.#consume(this.find(from, d.branch), d),
    pause_consumer: async (from, { branch, consumer: id, paused }) => {
      const consumer = at(this.find(from, branch).consumers, id)
      await (paused ? consumer.pause() : consumer.resume())
      return {}
    },
    set_layers: async (from, { branch, consumer, spatial, temporal }) => {
      const layers = { spatialLayer: spatial, temporalLayer: temporal }
      await at(this.find(from, branch).consumers, consumer).setPreferredLayers(layers)
      return {}
    },
  }

  async #open(owner: string, { branch: id, end }: Asked<'open'>): Promise<Answered<'open'>> {
    const key = keyOf(owner, id)
    const opening = this.#opening.get(owner) ?? 0
    const own = this.all().filter((branch) => branch.owner === owner).length
    if (this.#isRetired || own + opening >= BRANCHES_MAX) throw new MediaUnavailable('No more branches')
    if (this.#hosted.has(key)) throw new Problem('validation_failed')
    this.#opening.set(owner, opening + 1)
    try {
      const { worker, router } = await this.sfu.openHosted(this.#hanging)
      return await this.#connect({ id, owner, worker, router }, end)
    } finally {
      const rest = (this.#opening.get(owner) ?? 1) - 1
      if (rest > 0) this.#opening.set(owner, rest)
      else this.#opening.delete(owner)
    }
  }

  async #connect(opened: Pick<Hosted, 'id' | 'owner' | 'worker' | 'router'>, end: LinkEnd): Promise<Answered<'open'>> {
    const { router, id, owner } = opened
    const key = keyOf(owner, id)
    try {
      const pipe = await router.createPipeTransport(await this.address.options())
      await pipe.connect({ ip: end.ip, port: end.port, srtpParameters: end.srtp })
      if (this.#isRetired || this.#hosted.has(key) || router.closed) throw new MediaUnavailable('This process ends')
      const maps = { transports: new Map(), consumers: new Map(), producers: new Map() }
      const branch: Hosted = { ...opened, pipe, counts: new LinkCounts(pipe), ...maps, listedAt: Date.now() }
      this.#hosted.set(key, branch)
      router.observer.once('close', () => {
        this.#hosted.delete(key)
        this.#events.delete(branch)
        if (branch.worker.died()) this.onEvents(branch, [{ type: 'ended' }])
      })
      return { end: endOf(pipe) }
    } catch (error) {
      router.close()
      throw error
    }
  }

  async #openTransport(branch: Hosted): Promise<Answered<'create_transport'>> {
    const { worker, router, transports } = branch
    demandSpace(transports, TRANSPORTS_MAX)
    const options = { preferUdp: true, initialAvailableOutgoingBitrate: OUTGOING_BITS_FIRST }
    const transport = await router.createWebRtcTransport({ ...options, webRtcServer: worker.server })
    keep(transports, transport)
    transport.on('dtlsstatechange', (state) => {
      if (state === 'closed' || state === 'failed') transport.close()
    })
    const { id } = transport
    transport.observer.once('close', () => this.#note(branch, { type: 'transport_closed', id }))
    return {
      transport: id,
      ice_parameters: { ...transport.iceParameters },
      ice_candidates: transport.iceCandidates.map((candidate) => ({ ...candidate })),
      dtls_parameters: { ...transport.dtlsParameters },
    }
  }

  async #consume(branch: Hosted, d: Asked<'consume'>): Promise<Answered<'consume'>> {
    const { transports, consumers } = branch
    demandSpace(consumers, CONSUMERS_MAX)
    const transport: types.Transport = at(transports, d.transport)
    const rtpCapabilities = d.rtp_capabilities as unknown as types.RtpCapabilities
    const consumer = await transport.consume({ producerId: d.producer, rtpCapabilities, paused: true, enableRtx: true })
    if (!isShort(consumer.rtpParameters)) {
      // They repeat what clients have sent. The owner would give up a process whose answers it cannot read.
      consumer.close()
      throw new Problem('validation_failed', 'The parameters are too long')
    }
    keep(consumers, consumer)
    const { id } = consumer
    consumer.on('score', (score) => this.#note(branch, { type: 'score', id, score: { ...score } }))
    consumer.on('layerschange', (layers) => this.#note(branch, { type: 'layers', id, layers: layers ?? null }))
    return { consumer: id, rtp_parameters: { ...consumer.rtpParameters }, score: { ...consumer.score } }
  }

  /** The worker of a branch hangs. */
  #giveUp(branch: Hosted): void {
    const { worker, counts } = branch
    this.#hanging.add(worker)
    void counts.answered.then(() => this.#hanging.delete(worker))
    this.#end(branch, 'silent')
  }

  #end(branch: Hosted, type: 'ended' | 'silent'): void {
    branch.router.close()
    this.onEvents(branch, [{ type }])
  }

  #note(branch: Hosted, event: Exclude<BranchEvent, { type: 'ended' | 'silent' }>): void {
    if (branch.router.closed) return
    const events = this.#events.get(branch) ?? new Map<string, BranchEvent>()
    this.#events.set(branch, events.set(`${event.type} ${event.id}`, event))
  }

  #flush(): void {
    for (const [branch, events] of this.#events) {
      const all = [...events.values()]
      for (let from = 0; from < all.length; from += LIST_MAX) this.onEvents(branch, all.slice(from, from + LIST_MAX))
    }
    this.#events.clear()
  }
}

const keyOf = (owner: string, id: string): string => `${owner} ${id}`

/** One end of a link, as the other end connects to it. */
export function endOf({ tuple, srtpParameters }: types.PipeTransport): LinkEnd {
  if (!srtpParameters) throw new Error('The link has no key')
  const { cryptoSuite, keyBase64 } = srtpParameters
  return { ip: tuple.localAddress, port: tuple.localPort, srtp: { cryptoSuite, keyBase64 } }
}

/** @throws MediaUnavailable */
function demandSpace(map: ReadonlyMap<string, unknown>, max: number): void {
  if (map.size >= max) throw new MediaUnavailable('This branch has no more space')
}

/** @throws Problem `not_found` */
function at<T>(map: ReadonlyMap<string, T>, id: string): T {
  const present = map.get(id)
  if (present === undefined) throw new Problem('not_found')
  return present
}

/** @throws Problem `not_found` */
function clientTransport({ transports }: Hosted, id: string): types.WebRtcTransport {
  const transport = at(transports, id)
  if (transport.type !== 'webrtc') throw new Problem('not_found')
  return transport as types.WebRtcTransport
}

interface Closing {
  id: string
  observer: { once(event: 'close', listener: () => void): unknown }
}

function keep<T extends Closing>(map: Map<string, T>, object: T): void {
  map.set(object.id, object)
  object.observer.once('close', () => map.delete(object.id))
}
