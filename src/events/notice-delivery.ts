import type { Notice } from './bus.ts'
import { type Database, NOTICE_LISTENER_NAME, type Transaction } from '../database/database.ts'

/** How it is called before, while the node looks up what it may have missed. */
export const NEWCOMER_NAME = 'parley-relay-newcomer'
/** Where nodes listen. */
export const RELAY = 'parley_relay'
/** Where the one who left a parcel listens for who has acted on it. */
export const receiptsOf = (from: string): string => `parley_acted_${from}`
/** A payload has to be shorter than 8,000 bytes. Source: PostgreSQL, NOTIFY. */
const PART_BYTES_MAX = 7_900
const LOOK_MS = 250

/** What a write of another process leaves for the nodes: notices, and its events by their ids in the log. */
export interface Parcel {
  from: string
  id: number
  notices: Notice[]
  event_ids: number[]
}

/** Collects the parts of parcels: those of one transaction come one after another. Source: PostgreSQL, NOTIFY. */
export function collector(whole: (parcel: Parcel) => void) {
  let parts: string[] = []
  return (payload: string) => {
    const [, at, of, part = ''] = /^(\d+)\/(\d+) (.*)$/s.exec(payload) ?? []
    if (Number(at) === 1) parts = []
    parts.push(part)
    if (parts.length === Number(of)) whole(JSON.parse(parts.join('')) as Parcel)
  }
}

/** The nodes that listen at this moment, by the process ids of their connections. */
const listening = async (sql: Database | Transaction): Promise<number[]> => {
  const rows = await sql<{ pid: number }[]>`select pid from pg_stat_activity
    where application_name = ${NOTICE_LISTENER_NAME} and datname = current_database()`
  return rows.map(({ pid }) => pid)
}

interface Underway {
  /** Who listened when it was left, and who of them has not said that it acted. */
  readonly listened: number[]
  readonly waiting: Set<number>
  answered: number
  readonly done: PromiseWithResolvers<void>
}

/** What one process leaves for the nodes, and who of them has acted on it. */
export function openPost(sql: Database, from: string) {
  const underway = new Map<number, Underway>()
  let count = 0
  let look: { at: number; pids: Promise<number[] | undefined> } | undefined

  /** Those that have listened lately, if that is known: one look for all who wait, however many. */
  const living = (): Promise<number[] | undefined> => {
    const now = performance.now()
    if (!look || now - look.at >= LOOK_MS) look = { at: now, pids: listening(sql).catch(() => undefined) }
    return look.pids
  }

  return {
    /** A payload of `receiptsOf(from)`. */
    receive(payload: string): void {
      const [id = 0, pid = 0] = payload.split(' ').map(Number)
      const parcel = underway.get(id)
      if (!parcel?.waiting.delete(pid)) return
      parcel.answered++
      if (parcel.waiting.size === 0) parcel.done.resolve()
    },

    /**
     * Leaves a parcel in the transaction at hand: nodes get it when that is committed, and not before. It is left
     * though nobody has to be waited for: one may begin to listen, and look things up, before the commit.
     * @param self the process id of this node's own listening connection, which needs no parcel
     * @returns its number
     */
    async leave(tx: Transaction, notices: Notice[], event_ids: number[], self?: number): Promise<number> {
      const others = (await listening(tx)).filter((pid) => pid !== self)
      const parcel: Parcel = { from, id: ++count, notices, event_ids }
      const done = Promise.withResolvers<void>()
      underway.set(parcel.id, { listened: others, waiting: new Set(others), answered: 0, done })
      // Ids and names of ours: as many bytes as characters.
      const text = JSON.stringify(parcel)
      const of = Math.ceil(text.length / PART_BYTES_MAX)
      for (let at = 0; at < of; at++) {
        const part = text.slice(at * PART_BYTES_MAX, (at + 1) * PART_BYTES_MAX)
        await tx`select pg_notify(${RELAY}, ${`${at + 1}/${of} ${part}`})`
      }
      return parcel.id
    },

    /**
     * Waits until every node that listened when it was left has acted on it, or is gone.
     * @returns how many have said so, by their connections' process ids those that have not in time, and those that
     *   listen now and did not then
     */
    async acted(id: number, seconds_max: number, self?: number) {
      const parcel = underway.get(id)
      if (!parcel) return { answered: 0, silent: [], late: [] }
      // After the commit: who comes later has seen what was committed.
      const late = listening(sql).then(
        (pids) => pids.filter((pid) => pid !== self && !parcel.listened.includes(pid)),
        () => [],
      )
      const deadline = Date.now() + seconds_max * 1000
      while (parcel.waiting.size > 0 && Date.now() < deadline) {
        await Promise.race([parcel.done.promise, Bun.sleep(Math.min(LOOK_MS, deadline - Date.now()))])
        if (parcel.waiting.size === 0) break
        const pids = (await living()) ?? [...parcel.waiting]
        for (const pid of parcel.waiting) if (!pids.includes(pid)) parcel.waiting.delete(pid)
      }
      underway.delete(id)
      return { answered: parcel.answered, silent: [...parcel.waiting], late: await late }
    },

    /** Its transaction came to nothing, or nobody waits for it. */
    drop: (id: number): void => void underway.delete(id),
  }
}
