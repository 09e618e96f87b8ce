import { type Database, NOTICE_LISTENER_NAME, type Transaction } from '../database/database.ts'
import type { Notice } from './bus.ts'
import { notifyBatch } from './notice-delivery.ts'

/** How long the list of live nodes is cached while waiting for receipts. */
const LISTENERS_MS = 250

/** A sent batch. Nodes are identified by the process ids of their listening connections. */
interface Delivery {
  /** The nodes that listened when the batch was sent. */
  readonly listeners: number[]
  /** The listeners whose receipt is missing. */
  readonly waitingPids: Set<number>
  receipts: number
  readonly completion: PromiseWithResolvers<void>
}

/** The outcome of waiting for a batch. */
interface Delivered {
  /** Nodes that sent a receipt. */
  receipts: number
  /** Nodes that sent no receipt in time. */
  silent: number[]
  /** Nodes that listen now, but did not when the batch was sent. */
  late: number[]
}

/** The nodes that are listening now. */
const listListeners = async (sql: Database | Transaction): Promise<number[]> => {
  const rows = await sql<{ pid: number }[]>`select pid from pg_stat_activity
    where application_name = ${NOTICE_LISTENER_NAME} and datname = current_database()`
  return rows.map(({ pid }) => pid)
}

/** Sends the batches of one process, and tracks which nodes have acted on each. */
export class NoticeSender {
  readonly #deliveries = new Map<number, Delivery>()
  #newestId = 0
  #listeners: { read_at: number; pids: Promise<number[] | undefined> } | undefined

  constructor(
    private readonly sql: Database,
    /** The process's name in batches. */
    private readonly from: string,
  ) {}

  /** Takes a receipt: a payload on `receiptChannel(from)`. */
  receive(payload: string): void {
    const [id = 0, pid = 0] = payload.split(' ').map(Number)
    const delivery = this.#deliveries.get(id)
    if (!delivery?.waitingPids.delete(pid)) return
    delivery.receipts++
    if (delivery.waitingPids.size === 0) delivery.completion.resolve()
  }

  /**
   * Sends a batch in the transaction, even if no node listens: one may start to listen, and recheck everything, before
   * the commit.
   * @param self the process id of this node's own listening connection, which is not waited for
   * @returns the batch's id
   */
  async send(tx: Transaction, notices: Notice[], event_ids: number[], self?: number): Promise<number> {
    const listeners = (await listListeners(tx)).filter((pid) => pid !== self)
    const id = ++this.#newestId
    await notifyBatch(tx, { from: this.from, id, notices, event_ids })
    // Receipts arrive after the commit.
    const completion = Promise.withResolvers<void>()
    this.#deliveries.set(id, { listeners, waitingPids: new Set(listeners), receipts: 0, completion })
    return id
  }

  /** Waits until every node that listened when the batch was sent has acted on it, or is gone. */
  async acted(id: number, secondsMax: number, self?: number): Promise<Delivered> {
    const delivery = this.#deliveries.get(id)
    if (!delivery) return { receipts: 0, silent: [], late: [] }
    // Query now, not at the end: a node that starts to listen after the commit has read the committed data.
    const late = listListeners(this.sql).then(
      (pids) => pids.filter((pid) => pid !== self && !delivery.listeners.includes(pid)),
      () => [],
    )
    await this.#waitFor(delivery, Date.now() + secondsMax * 1000)
    this.#deliveries.delete(id)
    return { receipts: delivery.receipts, silent: [...delivery.waitingPids], late: await late }
  }

  /** Forgets a batch: its transaction was rolled back, or nobody waits for it. */
  drop(id: number): void {
    this.#deliveries.delete(id)
  }

  async #waitFor({ waitingPids, completion }: Delivery, deadline: number): Promise<void> {
    while (waitingPids.size > 0 && Date.now() < deadline) {
      await Promise.race([completion.promise, Bun.sleep(Math.min(LISTENERS_MS, deadline - Date.now()))])
      if (waitingPids.size === 0) return
      const living = (await this.#recentListeners()) ?? [...waitingPids]
      for (const pid of waitingPids) if (!living.includes(pid)) waitingPids.delete(pid)
    }
  }

  /** The recent listeners; undefined if the database does not answer. Concurrent waiters share one query. */
  #recentListeners(): Promise<number[] | undefined> {
    const now = performance.now()
    if (!this.#listeners || now - this.#listeners.read_at >= LISTENERS_MS)
      this.#listeners = { read_at: now, pids: listListeners(this.sql).catch(() => undefined) }
    return this.#listeners.pids
  }
}
