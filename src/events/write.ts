import { type Audience, type Events, type EventType, eventFrame } from '../core/events.ts'
import { type Database, isDatabaseAway, type Transaction } from '../database/database.ts'
import { type Bus, type Notice, settle } from './bus.ts'
import { appendEvents, type NewEvent } from './event-log.ts'

/** Puts a durable event into the log, in the transaction at hand; it leaves after the commit. */
export type Emit = <K extends keyof Events & string>(to: Audience, type: K, d: Events[K]) => void
/** Leaves a notice for after the commit: every node has acted on it when the write resolves. */
export type Notify = (notice: Notice) => void

/** For a parcel that has been left for other nodes. */
export interface Receipt {
  /** Resolves when they have acted on it. */
  acted(): Promise<void>
  /** The transaction came to nothing. */
  drop(): void
}
/**
 * Called in a transaction that ends well, with its notices and the ids of its events.
 * @returns a receipt when other nodes get these in this way, and so not by the bus
 */
export type Leave = (sql: Transaction, notices: Notice[], event_ids: number[]) => Promise<Receipt | undefined>

/**
 * The only way to change data and to emit a durable event: one transaction, its events in the log inside it, its
 * frames to the bus after the commit, its notices acted on before it resolves. Source: gateway.md, guarantee 1.
 */
export interface Write {
  <T>(work: (sql: Transaction, emit: Emit, notify: Notify) => Promise<T>): Promise<T>
  /**
   * The hot path: one statement that changes data and logs its events itself.
   * @param logged the events that it put into the log, from its rows
   */
  once<T>(statement: (sql: Database) => PromiseLike<T>, logged: (rows: T) => Logged[]): Promise<T>
  /** How many of these have not ended yet. */
  underway(): number
}

/** An event that is in the log already: its `s`, and its body as JSON. */
export interface Logged {
  type: string
  event_id: number
  topic: string
  channel_id?: number
  body: string
}

/**
 * @param events every declared event, by name
 * @param onUncertain called with the notices that may be due when the database went away in mid-write: what was
 *   committed has not been published
 * @param leave reaches other processes, where there may be any
 */
export function openWrite(
  database: Database,
  bus: Bus,
  events: Record<string, EventType>,
  onUncertain: (notices: Notice[]) => void,
  leave?: Leave,
): Write {
  const uncertain =
    (notices: Notice[]) =>
    (error: unknown): never => {
      if (isDatabaseAway(error)) onUncertain(notices)
      throw error
    }
  const transact = async <T>(work: (sql: Transaction, emit: Emit, notify: Notify) => Promise<T>): Promise<T> => {
    const pending: NewEvent[] = []
    const notices: Notice[] = []
    const emit: Emit = (to, type, d) => {
      const resource = events[type]?.resource
      if (!resource) throw new Error(`${type} is not a durable event`)
      pending.push({ to, type, resource: resource(d), body: JSON.stringify(d) })
    }
    let ids: number[] = []
    let receipt: Receipt | undefined
    const transaction = database.begin(async (sql) => {
      const value = await work(sql, emit, (notice) => void notices.push(notice))
      if (pending.length > 0) ids = await appendEvents(sql, pending)
      receipt = await leave?.(sql, notices, ids)
      return { value }
    })
    const { value } = await transaction.catch((error: unknown) => {
      receipt?.drop()
      return uncertain(notices)(error)
    })
    const frames = pending.map(({ to, type, body }, at) => eventFrame(to, type, ids[at], body))
    // Elsewhere at the same time; the answer waits for all.
    await Promise.all([settle(bus, notices, frames, receipt ? 'deliver' : 'publish'), receipt?.acted()])
    return value
  }
  let underway = 0
  const once: Write['once'] = async (statement, logged) => {
    underway++
    const rows = await Promise.resolve(statement(database))
      .catch(uncertain([]))
      .finally(() => underway--)
    for (const event of logged(rows)) bus.publish(eventFrame(event, event.type, event.event_id, event.body))
    return rows
  }
  return Object.assign(transact, { once, underway: () => underway })
}
