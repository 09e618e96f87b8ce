import { errorFields, type Log } from '../core/log.ts'
import { type Database, type DatabaseAddress, NOTICE_LISTENER_NAME, openDatabase } from '../database/database.ts'
import type { Bus } from './bus.ts'
import type { LogFollower } from './log-follower.ts'
import type { LogOrigin } from './log-origin.ts'
import { batchReader, NEWCOMER_NAME, NOTICE_CHANNEL, receiptChannel } from './notice-delivery.ts'
import { NoticeQueue } from './notice-queue.ts'
import { NoticeSender } from './notice-sender.ts'
import type { SendNotices } from './write.ts'

/**
 * Together these bound the time to notice a dead connection. It is shorter than other nodes wait before they give up
 * on this node.
 */
const PING_MS = 2_000
const ANSWER_MS_MAX = 3_500
/** After this time without an answered ping, this node distrusts itself. Below ACT_SECONDS_MAX and REPLAY_MARGIN_S. */
const STILL_MS_MAX = PING_MS + ANSWER_MS_MAX
const RETRY_MS = 100
/** Time that a write waits for a node to act on its notices, before it closes that node's connection. */
export const ACT_SECONDS_MAX = 6

/** Delivers events that the bus did not bring. */
type Follower = Pick<LogFollower, 'catchUp' | 'readUntil'>

/** Others may have given up on this process, because it did not run for seconds. */
class StoodStill extends Error {
  constructor() {
    super('The process stood still')
  }
}

/**
 * Receives the notices of other processes, and sends this node's, on one connection that is replaced when it is lost.
 * Without a connection no cache is trusted; after reconnecting, everything is checked again.
 */
export class NoticeListener {
  /**
   * connecting: notices do not arrive · catching up: notices arrive, and everything missed is being checked ·
   * connected: other nodes wait until this one has acted on their notices
   */
  #state: 'connecting' | 'catching up' | 'connected' | 'stopped' = 'connecting'
  /** The process id of the listening connection, while there is one. */
  #pid: number | undefined
  /** When the ping was sent that a listening connection last answered. */
  #answeredAt: Date | undefined
  /** The value of `answeredAt` when notices began to be missed, or 0 if the log lost events; until all is checked. */
  #missedSince: Date | undefined
  /** When the last answered ping was sent, by performance.now(): every notice sent before that has arrived. */
  #heardUntil = 0
  #queue: NoticeQueue | undefined
  #lose: (reason: Error) => void = () => {}
  /** The process hung: nothing is delivered until the next connection. */
  #hasStoodStill = false
  readonly #sender: NoticeSender
  /** Ends the pause between two pings. */
  #wake: () => void = () => {}
  readonly #firstConnected = Promise.withResolvers<void>()
  #ended: Promise<void> | undefined

  /**
   * @param node this process's name in batches
   * @param onMissed called when events may not have been published here since then
   * @param follower absent if there are no other nodes
   * @param origin absent in tests that only cover notices
   */
  constructor(
    private readonly address: DatabaseAddress,
    private readonly sql: Database,
    private readonly bus: Bus,
    private readonly node: string,
    private readonly onMissed: (since: Date) => void,
    private readonly log: Log,
    private readonly follower?: Follower,
    private readonly origin?: LogOrigin,
  ) {
    this.#sender = new NoticeSender(sql, node)
    bus.trustWhile(() => this.#isCurrent())
  }

  /**
   * Resolves when the first connection is ready.
   * @throws database errors if it fails
   */
  async start(): Promise<void> {
    this.#ended = this.#run()
    await this.#firstConnected.promise.catch(async (error: unknown) => {
      await this.stop()
      throw error
    })
  }

  async stop(): Promise<void> {
    this.#state = 'stopped'
    this.#wake()
    await this.#ended
  }

  /** For openWrite, if there may be other nodes: events of a write with notices reach them only through the batch. */
  readonly send: SendNotices = async (tx, notices, eventIds) => {
    if (notices.length === 0) return undefined
    const sentBy = this.#pid
    const id = await this.#sender.send(tx, notices, eventIds, sentBy)
    return { acted: () => this.#acted(id, sentBy), drop: () => this.#sender.drop(id) }
  }

  /** True if another live node serves this database. */
  async hasCompany(): Promise<boolean> {
    const { receipts } = await this.#sender.acted(await this.#sendEmpty(), ANSWER_MS_MAX / 1000)
    return receipts > 0
  }

  /**
   * True if no other node can have given up on this one, and no missed event is so old that a client which receives a
   * newer one could not replay it. While not connected, only a hang makes it false. After the process hung, frames may
   * be read before timers fire or the closed connection is noticed, so the times are compared.
   */
  #isCurrent(): boolean {
    if (this.#state !== 'connected') return !this.#hasStoodStill
    return this.#isWithin(Math.min(this.#actedUntil(), this.follower?.readUntil() ?? Infinity))
  }

  /** Every notice sent before this time has been acted on; by performance.now(). */
  #actedUntil = (): number => Math.min(this.#heardUntil, this.#queue?.sentAfter() ?? Infinity)

  #isWithin(until: number): boolean {
    if (this.#hasStoodStill) return false
    if (performance.now() - until < STILL_MS_MAX) return true
    this.#hasStoodStill = true
    this.#lose(new StoodStill())
    return false
  }

  #isStopped(): boolean {
    return this.#state === 'stopped'
  }

  #enter(state: 'connecting' | 'catching up' | 'connected'): void {
    if (!this.#isStopped()) this.#state = state
  }

  async #run(): Promise<void> {
    while (!this.#isStopped()) {
      await this.#listen().catch(async (error: unknown) => {
        if (this.#isStopped()) return
        // A machine that is busy while the server starts is no reason not to start.
        if (!(error instanceof StoodStill)) this.#firstConnected.reject(error)
        // Log the loss once, not every attempt to reconnect.
        if (this.#state === 'connected') this.log('warn', 'relay.lost', errorFields(error))
        // A node that never catches up delivers nothing.
        if (this.#state === 'catching up') this.log('warn', 'relay.behind', errorFields(error))
        this.#enter('connecting')
        await Bun.sleep(RETRY_MS)
      })
    }
  }

  /** Listens until the connection is lost, then throws the reason. */
  async #listen(): Promise<void> {
    const connectionLoss = Promise.withResolvers<never>()
    connectionLoss.promise.catch(() => {})
    this.#lose = connectionLoss.reject
    const ready = Promise.withResolvers<void>()
    // Any failure half-way ends the connection; the next one checks everything.
    const readPart = batchReader((batch) => {
      if (batch.from !== this.node) queue.act(batch, this.#heardUntil).catch(connectionLoss.reject)
    })
    const onClose = () => connectionLoss.reject(new Error('The connection is lost'))
    const connection = openDatabase(this.address, 1, NEWCOMER_NAME, onClose, (channel, payload) => {
      try {
        if (channel === NOTICE_CHANNEL) readPart(payload)
        else this.#sender.receive(payload)
      } catch (error) {
        connectionLoss.reject(error)
      }
    })
    const queue = new NoticeQueue(connection, this.sql, this.bus, ready.promise)
    this.#queue = queue
    try {
      this.#heardUntil = performance.now()
      this.#hasStoodStill = false
      await connection`listen ${connection(receiptChannel(this.node))}`
      await connection`listen ${connection(NOTICE_CHANNEL)}`
      const [backend] = await connection<{ pid: number }[]>`select pg_backend_pid() as pid`
      this.#pid = backend?.pid
      this.#catchUp(connection, backend?.pid, queue).catch(connectionLoss.reject)
      ready.resolve()
      await Promise.race([this.#watch(connection), connectionLoss.promise])
    } catch (error) {
      this.#pid = undefined
      // First, because from now on caches may be outdated.
      if (!this.#isStopped()) await this.bus.notify({ kind: 'disconnected' })
      throw error
    } finally {
      this.#pid = undefined
      await connection.end({ timeout: 0 })
    }
  }

  /**
   * Checks everything that may have been missed. Other nodes wait for this one only after that, however long it takes;
   * until then this node trusts no cache.
   */
  async #catchUp(connection: Database, pid: number | undefined, queue: NoticeQueue): Promise<void> {
    this.#enter('catching up')
    // A failed catch-up has checked nothing, even if its connection answered. If the log lost events, the checked
    // state may come from events that no longer exist.
    if (await this.origin?.check(connection)) this.#missedSince = new Date(0)
    const since = (this.#missedSince ??= this.#answeredAt)
    await this.bus.notify({ kind: 'recheck_all', since })
    await connection`select set_config('application_name', ${NOTICE_LISTENER_NAME}, false)`
    // Writers that did not yet see the application_name do not wait for this node; their batches have already arrived.
    await queue.idle()
    const isListening = () => this.#pid === pid && this.#isWithin(this.#actedUntil())
    // Before newer events are delivered, because clients resume from the newest event received.
    await this.follower?.catchUp(connection, isListening)
    if (!isListening()) throw new Error('The connection is lost')
    this.#missedSince = undefined
    await this.bus.notify({ kind: 'connected' })
    if (since) this.onMissed(since)
    this.#firstConnected.resolve()
    this.#enter('connected')
  }

  /** Pings the connection at intervals. @throws if it does not answer */
  async #watch(connection: Database): Promise<void> {
    while (!this.#isStopped()) {
      const [askedAt, askedDate] = [performance.now(), new Date()]
      await Promise.race([this.#ping(connection), noAnswer()])
      // The next catch-up finds the events that were not delivered meanwhile.
      if (this.#hasStoodStill) throw new StoodStill()
      this.#heardUntil = askedAt
      this.#answeredAt = askedDate
      const answeredAt = new Date()
      await this.#pause()
      // Other nodes may have given up on a process that hung this long, so its caches may be outdated.
      if (Date.now() - answeredAt.getTime() > STILL_MS_MAX) throw new StoodStill()
    }
  }

  /** Catching up checks the log by itself, and takes its time where many clients have to be checked. */
  async #ping(connection: Database): Promise<void> {
    await connection`select 1`
    if (this.#state === 'connected') await this.origin?.check(connection)
  }

  /** Waits until the next ping, or until the listener stops. */
  async #pause(): Promise<void> {
    if (this.#isStopped()) return
    // Racing against a long-lived promise would leak memory with every ping.
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    const timer = setTimeout(resolve, PING_MS)
    await promise
    clearTimeout(timer)
  }

  /** Sends an empty batch: a node that answers is alive, and has acted on everything before. */
  async #sendEmpty(): Promise<number> {
    const { id } = await this.sql.begin(async (tx) => ({ id: await this.#sender.send(tx, [], [], this.#pid) }))
    return id
  }

  /**
   * Waits for the nodes. A node that does not act in time loses its connection, and with it the trust in its caches.
   * @param sentBy this node's listening connection when the batch was sent; receipts to a lost connection are lost
   */
  async #acted(id: number, sentBy: number | undefined): Promise<void> {
    const { silent, late } = await this.#sender.acted(id, ACT_SECONDS_MAX, this.#pid)
    // A node that set its application_name after the batch was sent but before the commit got the batch, yet is not on
    // the list. The receipt of an empty batch covers it.
    if (late.length > 0) return this.#acted(await this.#sendEmpty(), this.#pid)
    if (silent.length === 0 || this.#pid === undefined) return
    if (sentBy !== this.#pid) return this.#acted(await this.#sendEmpty(), this.#pid)
    this.log('warn', 'relay.silent', { nodes: silent.length })
    await this.sql`select pg_terminate_backend(pid) from pg_stat_activity
      where pid = any(${silent}) and application_name = ${NOTICE_LISTENER_NAME}`
  }
}

/** A timer that is later than this belongs to a process that stood still. */
const LATE_MS = 100

const noAnswer = async (): Promise<never> => {
  const until = performance.now() + ANSWER_MS_MAX
  await Bun.sleep(ANSWER_MS_MAX)
  // A timer this late says nothing about the connection, whose answer may be waiting to be read.
  throw performance.now() - until > LATE_MS ? new StoodStill() : new Error('The connection does not answer')
}
