import type { types } from 'mediasoup'
import { mediaCodecs } from './codecs.ts'
import { Crossing, Crossings } from './crossing.ts'
import type { SfuWorker } from './process.ts'
import type { BranchEnd, ReceivingBranch, Receiver } from './receiving.ts'

/** Socket buffers of a link: a key frame of a large screen arrives as one burst of a hundred packets and more. */
export const LINK_BUFFERS = { recvBufferSize: 1_048_576, sendBufferSize: 1_048_576 }

/**
 * The link is never encrypted: both ends are on loopback and accept packets only from each other's port, which no other
 * process can bind. Lost video is requested again.
 */
const LINK = {
  listenInfo: { protocol: 'udp', ip: '127.0.0.1', ...LINK_BUFFERS },
  enableSrtp: false,
  enableSctp: false,
  enableRtx: true,
} as const satisfies Partial<types.PipeToRouterOptions>

/**
 * A second router of a room, on another worker, from which some members receive. Nobody sends to it: a producer of the
 * room's main router crosses to it once, however many members of the branch consume it, and only while one of them
 * listens. If the worker dies, only these members notice: they open a new transport, on another branch or on the main
 * router. Source: docs/voice.md.
 */
export class Branch implements ReceivingBranch {
  readonly members = new Set<Receiver>()
  readonly router: Promise<types.Router>
  readonly #crossings = new Crossings()
  #isEnded = false
  /** This end of the link, once a producer has crossed. */
  #link: types.Transport | undefined

  /** @param onEnded called once */
  constructor(
    readonly worker: SfuWorker,
    private readonly main: types.Router,
    private readonly onEnded: (branch: Branch, why: BranchEnd) => void,
  ) {
    this.router = worker.openRouter({ mediaCodecs })
    this.router.then(
      (router) => {
        if (this.#isEnded) return router.close()
        router.observer.on('close', () => this.#end(worker.died() ? 'lost' : 'closed'))
        router.observer.on('newtransport', (transport) => {
          if (transport.type === 'pipe') this.#link = transport
        })
      },
      () => this.fail(),
    )
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  async openTransport(options: object): Promise<types.WebRtcTransport> {
    return (await this.router).createWebRtcTransport({ ...options, webRtcServer: this.worker.server })
  }

  /**
   * Makes a producer of the main router consumable here.
   * @throws MediaUnavailable if the producer or the branch ends meanwhile, or the producer does not cross; without a
   *   link, the branch has failed
   */
  async bring(producer: types.Producer): Promise<Crossing> {
    try {
      return await this.#crossings.bring(producer.id, () => this.#cross(producer))
    } catch (error) {
      // A producer with strange parameters must not end the others' link.
      if (!producer.closed && !this.main.closed && (!this.#link || this.#link.closed)) this.fail()
      throw error
    }
  }

  /** Call when the branch does not work: the room uses its worker no more, unless it has died. */
  fail(): void {
    this.#end(this.worker.died() ? 'lost' : 'failed')
  }

  close(): void {
    this.#end('closed')
  }

  async #cross(producer: types.Producer): Promise<Crossing> {
    const router = await this.router
    const { pipeConsumer, pipeProducer } = await this.main.pipeToRouter({ producerId: producer.id, router, ...LINK })
    if (!pipeConsumer || !pipeProducer) throw new Error('mediasoup made no pipe')
    pipeConsumer.observer.on('close', () => this.#crossings.delete(producer.id))
    return new Crossing(producer, pipeConsumer, pipeProducer)
  }

  #end(why: BranchEnd): void {
    if (this.#isEnded) return
    this.#isEnded = true
    // The router closes its transports, and with them the link's end on the main router.
    this.router.then(
      (router) => router.close(),
      () => undefined,
    )
    this.onEnded(this, why)
  }
}
