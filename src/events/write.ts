import { type Audience, type Events, type EventType, eventFrame } from '../core/events.ts'
import { type Database, isDatabaseAway, type Transaction } from '../database/database.ts'
import { type Bus, dispatch, type Notice } from './bus.ts'
import { appendEvents, type NewEvent } from './event-log.ts'
import { SendCoordinator } from './send-coordinator.ts'

/**
 * Logs a durable event in the same transaction; it is published after the commit. For several audiences it is encoded
 * once, with an `s` per audience.
 */
export type Emit = <K extends keyof Events & string>(to: Audience | Audience[], type: K, d: Events[K]) => void
/** Queues a notice for the commit. Every node has acted on it when the write resolves. */
export type Notify = (notice: Notice) => void

/** Tracks a batch of notices sent to other nodes. */
export interface Receipt {
  /** Resolves when the nodes have acted on the batch. */
  acted(): Promise<void>
  /** Stops waiting: the transaction was rolled back. */
  drop(): void
}
/** Takes over writes whose commit outcome is unknown. */
export interface Uncertain {
  /** A write with these notices may have been committed; its events have not been published. */
  add(notices: Notice[]): void
  /** Resolves when its events have been delivered; undefined if there are none or LogFollower delivers them. */
  delivered(): Promise<void> | undefined
}
/**
 * Sends notices and event ids to other nodes, inside the transaction.
 * @returns a receipt if other nodes get the events this way instead of by the bus
 */
export type SendNotices = (sql: Transaction, notices: Notice[], eventIds: number[]) => Promise<Receipt | undefined>

/**
 * The only way to change data and emit durable events: one transaction that also logs the events. Frames are published
 * after the commit, and notices have been acted on when it resolves. Source: docs/gateway.md, guarantee 1.
 */
export interface Write {
  <T>(work: (sql: Transaction, emit: Emit, notify: Notify) => Promise<T>): Promise<T>
  /**
   * The hot path: one statement that changes data and logs its events itself.
   * @param logged extracts the logged events from the statement's rows
   */
  once<T>(statement: (sql: Database) => PromiseLike<T>, logged: (rows: T) => Logged[]): Promise<T>
}

/** A logged event: its `s`, and its body as JSON. */
export interface Logged {
  type: string
  event_id: number
  topic: string
  channel_id?: number
  body: string
}

/**
 * @param events every declared event, by name
 * @param uncertain takes over a write whose database connection was lost; later writes wait for its events
 * @param send reaches other processes, if there may be any
 * @param onFailure called with the error of each failed write
 * @param coordinator counts the statements of `once`
 * @param finish runs at the end of each transaction, before its commit
 */
export function openWrite(
  database: Database,
  bus: Bus,
  events: Record<string, EventType>,
  uncertain?: Uncertain,
  send?: SendNotices,
  onFailure?: (error: unknown) => void,
  coordinator = new SendCoordinator(),
  finish?: (sql: Transaction, emit: Emit) => Promise<void>,
): Write {
  const fail = (error: unknown, notices: Notice[]): never => {
    onFailure?.(error)
    if (isDatabaseAway(error)) uncertain?.add(notices)
    throw error
  }
  const transact = async <T>(work: (sql: Transaction, emit: Emit, notify: Notify) => Promise<T>): Promise<T> => {
    const newEvents: NewEvent[] = []
    const notices: Notice[] = []
    const emit: Emit = (to, type, d) => {
      const resource = events[type]?.resource
      if (!resource) throw new Error(`${type} is not a durable event`)
      const event = { type, resource: resource(d), body: JSON.stringify(d) }
      for (const audience of [to].flat()) newEvents.push({ to: audience, ...event })
    }
    let ids: number[] = []
    let receipt: Receipt | undefined
    const transaction = database.begin(async (sql) => {
      const value = await work(sql, emit, (notice) => void notices.push(notice))
      await finish?.(sql, emit)
      if (newEvents.length > 0) ids = await appendEvents(sql, newEvents)
      receipt = await send?.(sql, notices, ids)
      return { value }
    })
    const { value } = await transaction.catch((error: unknown) => {
      receipt?.drop()
      return fail(error, notices)
    })
    await uncertain?.delivered()
    const frames = newEvents.map(({ to, type, body }, at) => eventFrame(to, type, ids[at], body))
    // This node and the others act concurrently; the caller waits for all.
    await Promise.all([dispatch(bus, notices, frames, receipt ? 'deliver' : 'publish'), receipt?.acted()])
    return value
  }
  const once: Write['once'] = async (statement, logged) => {
    const rows = await coordinator.during(statement(database)).catch((error: unknown) => fail(error, []))
    const delivery = uncertain?.delivered()
    if (delivery) await delivery
    for (const event of logged(rows)) bus.publish(eventFrame(event, event.type, event.event_id, event.body))
    return rows
  }
  return Object.assign(transact, { once })
}
