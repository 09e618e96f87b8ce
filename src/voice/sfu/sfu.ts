import type { types } from 'mediasoup'
import { errorFields, type Log } from '../../core/log.ts'
import type { Environment } from '../../environment.ts'
import { obtainWorker } from '../worker/obtain.ts'
import { announcedAddress, listenInfos, localAddresses } from './addresses.ts'
import { type Endpoint, MediaUnavailable, type SfuWorker, startWorker } from './process.ts'
import type { Workers } from './branches.ts'
import { mediaCodecs } from './codecs.ts'
import type { Elsewhere } from './receiving.ts'
import { RoutedRoom } from './room.ts'
import type { RoomEvent } from './router-context.ts'

/** A dead worker is replaced at once; one that keeps dying, or whose port is taken, at growing intervals. */
const RESTART_MS = 50
const RESTART_MS_MAX = 5_000
const STEADY_MS = 10_000
/** Time that a new room waits for a worker that is being replaced. */
const WAIT_MS_MAX = 3_000
/** The same for a member who would overload its room's worker otherwise. */
const BRANCH_WAIT_MS_MAX = 1_000

/** Time after which a worker that has not opened a router for another process is passed over, ms. */
const HANGING_MS = 1_500

interface RunningWorker {
  index: number
  worker: SfuWorker
  rooms: Set<RoutedRoom>
  /** Rooms being opened, which count as load too. */
  opening: number
  /** Branches of rooms of other processes. */
  hosted: Set<{ receivers: number }>
}

/** The load of a worker, for the operator's metrics. */
interface WorkerFigures {
  index: number
  /** Rooms whose main router is there. */
  rooms: number
  /** Members who receive from it. */
  receivers: number
  /** Links over which it gets producers of rooms of other workers. */
  links: number
}

/**
 * The SFU of this server: worker → room → peer → transport → producer and consumer, each ending with the one
 * before. The worker's binary is obtained in the background. Source: docs/voice.md.
 */
export class Sfu {
  #state: string
  readonly #workers = new Set<RunningWorker>()
  readonly #rooms = new Map<number, Promise<RoutedRoom>>()
  readonly #stopping = new AbortController()
  /** Resolved when the next worker runs. */
  #arrival = Promise.withResolvers<void>()
  #ended: Promise<unknown> = Promise.resolve()
  readonly #onWorker: (() => void)[] = []
  readonly #pool: Workers

  constructor(
    private readonly environment: Environment,
    private readonly log: Log,
  ) {
    this.#state = environment.MEDIA_WORKER === 'off' ? 'off' : 'building'
    this.#pool = {
      peersMax: environment.SFU_PEERS_PER_WORKER,
      byLoad: () => this.#byLoad().map(({ worker }) => worker),
      replaced: async () => {
        if (this.#workers.size >= environment.SFU_WORKERS) return
        await Promise.race([this.#arrival.promise, Bun.sleep(BRANCH_WAIT_MS_MAX)])
      },
    }
  }

  /** `off`, `building`, `ready`, `restarting`, or one sentence that says why there is no SFU. */
  readonly state = (): string => this.#state

  /** The workers' process ids. */
  pids(): number[] {
    return [...this.#workers].map(({ worker }) => worker.pid)
  }

  /** Addresses where the workers listen on this machine; the TURN relay may reach them. */
  endpoints(): Endpoint[] {
    return [...this.#workers].flatMap(({ worker }) => worker.endpoints)
  }

  /** Calls the listener whenever a worker has begun to listen. */
  onWorker(listener: () => void): void {
    this.#onWorker.push(listener)
  }

  /** The load of each worker. */
  figures(): WorkerFigures[] {
    const workers = [...this.#workers]
    const branches = workers.flatMap(({ rooms }) => [...rooms].flatMap((room) => room.branches()))
    return workers.map(({ index, worker, rooms, hosted }) => {
      const links = branches.filter((branch) => branch.worker === worker)
      const receivers = [...rooms].reduce((sum, room) => sum + room.receivers(), 0)
      const behind = links.reduce((sum, { members }) => sum + members.size, 0)
      const ofOthers = [...hosted].reduce((sum, branch) => sum + branch.receivers, 0)
      return { index, rooms: rooms.size, receivers: receivers + behind + ofOthers, links: links.length + hosted.size }
    })
  }

  #byLoad(): RunningWorker[] {
    const load = ({ worker, opening }: RunningWorker) => worker.load() + opening
    return [...this.#workers].toSorted((a, b) => load(a) - load(b))
  }

  /**
   * A channel's room, opened on the first call.
   * @param listener called with the room's events; later calls ignore theirs
   * @param elsewhere other processes, for members who find no space here
   * @throws MediaUnavailable if there is no SFU now
   */
  room(channelId: number, listener: (event: RoomEvent) => void, elsewhere?: Elsewhere): Promise<RoutedRoom> {
    const present = this.#rooms.get(channelId)
    if (present) return present
    const opening = this.#open(channelId, listener, elsewhere)
    this.#rooms.set(channelId, opening)
    opening.catch(() => this.#rooms.get(channelId) === opening && this.#rooms.delete(channelId))
    return opening
  }

  /** Begins to obtain and run workers, in the background. */
  start(): void {
    if (this.#state === 'off') return
    this.#ended = this.#run().catch((error: Error) => {
      if (this.#stopping.signal.aborted) return
      this.#state = error.message
      this.log('warn', 'media.unavailable', errorFields(error))
    })
  }

  /** Ends every room, without events, and every worker. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The server stops'))
    await this.#ended
  }

  async #run(): Promise<void> {
    // Let the log first say where the server listens.
    await Bun.sleep(0)
    const report = (step: string) => this.log('info', 'media.step', { step })
    const binary = await obtainWorker(this.environment, { report, signal: this.#stopping.signal })
    const indices = Array.from({ length: this.environment.SFU_WORKERS }, (_, index) => index)
    await Promise.all(indices.map((index) => this.#keepRunning(binary, index)))
  }

  /** Keeps one worker running on its port until the server stops. */
  async #keepRunning(binary: string, index: number): Promise<void> {
    let pause = RESTART_MS
    while (!this.#stopping.signal.aborted) {
      const since = Date.now()
      const again = await this.#serve(binary, index).catch((error: Error) => {
        this.log('error', 'media.worker_failed', { index, ...errorFields(error) })
        if (this.#workers.size === 0) this.#state = `The SFU's worker does not start: ${error.message}`
        return true
      })
      if (!again) return
      if (Date.now() - since > STEADY_MS) pause = RESTART_MS
      await Bun.sleep(pause)
      pause = Math.min(pause * 2, RESTART_MS_MAX)
    }
  }

  /** Runs one worker until it ends. @returns true if it died */
  async #serve(binary: string, index: number): Promise<boolean> {
    const { SFU_PORT, SFU_ANNOUNCED_ADDRESS } = this.environment
    const { signal } = this.#stopping
    const port = SFU_PORT === 0 ? 0 : SFU_PORT + index
    const announced = await announcedAddress(SFU_ANNOUNCED_ADDRESS)
    const worker = await startWorker(binary, listenInfos(await localAddresses(), port, announced))
    const running: RunningWorker = { index, worker, rooms: new Set(), opening: 0, hosted: new Set() }
    this.#workers.add(running)
    this.#state = 'ready'
    this.log('info', 'media.ready', { index, pid: worker.pid, endpoints: worker.endpoints })
    for (const listener of this.#onWorker) listener()
    this.#arrival.resolve()
    this.#arrival = Promise.withResolvers()
    const end = () => void worker.close()
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    const hasDied = await worker.ended
    signal.removeEventListener('abort', end)
    this.#workers.delete(running)
    if (this.#workers.size === 0) this.#state = 'restarting'
    if (hasDied) this.log('error', 'media.worker_died', { index })
    else await worker.close()
    return hasDied
  }

  /** Opens a room on the least loaded worker; tries once more if that worker dies meanwhile. */
  async #open(
    channelId: number,
    listener: (event: RoomEvent) => void,
    elsewhere: Elsewhere | undefined,
    isRetry = false,
  ): Promise<RoutedRoom> {
    const running = await this.#take()
    try {
      const pool = { ...this.#pool, elsewhere }
      const room = await RoutedRoom.open(running.worker, pool, listener, () => {
        running.rooms.delete(room)
        this.#rooms.delete(channelId)
      })
      running.rooms.add(room)
      return room
    } catch (error) {
      if (isRetry) throw new MediaUnavailable(`The SFU opens no room: ${errorFields(error).message}`)
      await Promise.race([running.worker.ended, Bun.sleep(RESTART_MS)])
      return this.#open(channelId, listener, elsewhere, true)
    } finally {
      running.opening--
    }
  }

  /**
   * Takes the least loaded worker, as one where something is being opened: concurrent calls get different ones. Waits
   * for a worker that is being replaced.
   * @throws MediaUnavailable if there is no SFU now
   */
  async #take(avoided?: ReadonlySet<SfuWorker>): Promise<RunningWorker> {
    const { signal } = this.#stopping
    if (this.#workers.size === 0 && this.#state === 'restarting' && !signal.aborted)
      await Promise.race([this.#arrival.promise, Bun.sleep(WAIT_MS_MAX)])
    const running = this.#byLoad().find(({ worker }) => !avoided?.has(worker))
    if (!running || signal.aborted) throw new MediaUnavailable(`There is no SFU: ${this.#state}`)
    running.opening++
    return running
  }

  /**
   * Opens a router for a branch of another process's room, on the least loaded worker. A worker that does not answer in
   * time is passed over if there is another one: its branches have ended, so it would be the least loaded.
   * @param hanging workers that do not answer; those that do not answer this time are added, until they do
   * @param attempts maximum number of workers to try
   * @throws MediaUnavailable if there is no SFU now, or all workers hang
   */
  async openHosted(
    hanging: Set<SfuWorker>,
    attempts = this.#workers.size,
  ): Promise<{ worker: SfuWorker; router: types.Router }> {
    const running = await this.#take(hanging)
    const { worker } = running
    try {
      const opening = worker.openRouter({ mediaCodecs })
      const hasOther = [...this.#workers].some((other) => other !== running && !hanging.has(other.worker))
      const router = await (hasOther && attempts > 1 ? Promise.race([opening, Bun.sleep(HANGING_MS)]) : opening)
      if (router) return { worker, router: hostedBy(running, router) }
      hanging.add(worker)
      const answered = () => void hanging.delete(worker)
      opening.then((late) => late.close()).then(answered, answered)
    } finally {
      running.opening--
    }
    return this.openHosted(hanging, attempts - 1)
  }

  /** Members who could receive from the workers here before each has `SFU_PEERS_PER_WORKER`. */
  spaceLeft(): number {
    const space = ({ receivers }: WorkerFigures) => Math.max(0, this.environment.SFU_PEERS_PER_WORKER - receivers)
    return this.figures().reduce((sum, figures) => sum + space(figures), 0)
  }
}

/** Counts a router of another process's room, and the members who receive from it, while it is open. */
function hostedBy({ hosted }: RunningWorker, router: types.Router): types.Router {
  const branch = { receivers: 0 }
  hosted.add(branch)
  router.observer.once('close', () => hosted.delete(branch))
  router.observer.on('newtransport', (transport) => {
    if (transport.type !== 'webrtc') return
    branch.receivers++
    transport.observer.once('close', () => void branch.receivers--)
  })
  return router
}
