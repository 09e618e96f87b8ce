import { errorFields, type Log } from '../../core/log.ts'
import type { Environment } from '../../environment.ts'
import { announcedAddress, listenInfos, localAddresses } from './addresses.ts'
import { type Endpoint, MediaUnavailable, type SfuProcess, startProcess } from './process.ts'
import { openRoom, type Room, type RoomEvent } from './room.ts'
import { obtainWorker } from '../worker/obtain.ts'

/** A worker that died is replaced at once; one that keeps dying, or finds its port taken, at growing intervals. */
const RESTART_MS = 50
const RESTART_MS_MAX = 5_000
const STEADY_MS = 10_000
/** How long one who asks for a room waits for a worker that is being replaced. */
const WAIT_MS_MAX = 3_000

interface Running {
  process: SfuProcess
  rooms: Set<Room>
  /** Rooms on their way: who comes meanwhile counts them too. */
  opening: number
}

/**
 * The SFU of this server: process → worker → room → peer → transport → producer and consumer, each ending with the one
 * before it. It is there once a worker has been obtained, in the background. Source: voice.md, "SFU".
 */
export function openMedia(environment: Environment, log: Log) {
  let state = environment.MEDIA_WORKER === 'off' ? 'off' : 'building'
  const stopping = new AbortController()
  const { signal } = stopping
  const running = new Set<Running>()
  const rooms = new Map<number, Promise<Room>>()
  let arrival = Promise.withResolvers<void>()
  let ended: Promise<unknown> = Promise.resolve()

  async function run(): Promise<void> {
    // The line that says where the server listens comes first.
    await Bun.sleep(0)
    const report = (step: string) => log('info', 'media.step', { step })
    const binary = await obtainWorker(environment, { report, signal })
    await Promise.all(Array.from({ length: environment.SFU_WORKERS }, (_, index) => keep(binary, index)))
  }

  /** Keeps one worker running on its port until the server stops. */
  async function keep(binary: string, index: number): Promise<void> {
    let pause = RESTART_MS
    while (!signal.aborted) {
      const since = Date.now()
      const again = await serve(binary, index).catch((error: Error) => {
        log('error', 'media.worker_failed', { index, ...errorFields(error) })
        if (running.size === 0) state = `The SFU's worker does not start: ${error.message}`
        return true
      })
      if (!again) return
      if (Date.now() - since > STEADY_MS) pause = RESTART_MS
      await Bun.sleep(pause)
      pause = Math.min(pause * 2, RESTART_MS_MAX)
    }
  }

  /** One worker, until it ends: true when it died. */
  async function serve(binary: string, index: number): Promise<boolean> {
    const { SFU_PORT, SFU_ANNOUNCED_ADDRESS } = environment
    const port = SFU_PORT === 0 ? 0 : SFU_PORT + index
    const announced = await announcedAddress(SFU_ANNOUNCED_ADDRESS)
    const process = await startProcess(binary, listenInfos(await localAddresses(), port, announced))
    const entry: Running = { process, rooms: new Set(), opening: 0 }
    running.add(entry)
    state = 'ready'
    log('info', 'media.ready', { index, pid: process.pid, endpoints: process.endpoints })
    arrival.resolve()
    arrival = Promise.withResolvers()
    const end = () => void process.close()
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    const died = await process.ended
    signal.removeEventListener('abort', end)
    running.delete(entry)
    if (running.size === 0) state = 'restarting'
    if (died) log('error', 'media.worker_died', { index })
    else await process.close()
    return died
  }

  const leastLoaded = (): Running | undefined => {
    const load = (each: Running) => [...each.rooms].reduce((sum, room) => sum + 1 + room.streams(), each.opening)
    return [...running].toSorted((a, b) => load(a) - load(b))[0]
  }

  /** Opens a room on the least loaded worker; once more when that dies meanwhile. */
  async function open(channel_id: number, tell: (event: RoomEvent) => void, last = false): Promise<Room> {
    if (running.size === 0 && state === 'restarting' && !signal.aborted)
      await Promise.race([arrival.promise, Bun.sleep(WAIT_MS_MAX)])
    const worker = leastLoaded()
    if (!worker || signal.aborted) throw new MediaUnavailable(`There is no SFU: ${state}`)
    worker.opening++
    try {
      const room = await openRoom(worker.process, tell, () => {
        worker.rooms.delete(room)
        rooms.delete(channel_id)
      })
      worker.rooms.add(room)
      return room
    } catch (error) {
      if (last) throw new MediaUnavailable(`The SFU opens no room: ${(error as Error).message}`)
      await Promise.race([worker.process.ended, Bun.sleep(RESTART_MS)])
      return open(channel_id, tell, true)
    } finally {
      worker.opening--
    }
  }

  return {
    /** `off`, `building`, `ready`, `restarting`, or in one sentence why there is no SFU. */
    state: () => state,
    /** The workers' process ids. */
    pids: (): number[] => [...running].map(({ process }) => process.pid),
    /** Where it listens on this machine: peers that the TURN relay may reach. */
    endpoints: (): Endpoint[] => [...running].flatMap(({ process }) => process.endpoints),
    /**
     * The room of a voice channel, opened at the first need; whoever asked first has it told what happens in it.
     * @throws MediaUnavailable when there is no SFU now
     */
    room(channel_id: number, tell: (event: RoomEvent) => void): Promise<Room> {
      const present = rooms.get(channel_id)
      if (present) return present
      const opening = open(channel_id, tell)
      rooms.set(channel_id, opening)
      opening.catch(() => rooms.get(channel_id) === opening && rooms.delete(channel_id))
      return opening
    },
    /** Begins, in the background. */
    start() {
      if (state === 'off') return
      ended = run().catch((error: Error) => {
        if (signal.aborted) return
        state = error.message
        log('warn', 'media.unavailable', errorFields(error))
      })
    },
    /** Ends every room without a word, and every worker. */
    async stop() {
      stopping.abort(new Error('The server stops'))
      await ended
    },
  }
}

export type Media = ReturnType<typeof openMedia>
