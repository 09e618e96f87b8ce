import { eventFrame } from '../core/contract.ts'
import { type Bus, deliver, type Notice } from './bus.ts'
import { type Database, type DatabaseAddress, openDatabase, type Transaction } from './database.ts'
import { errorFields, type Log } from './log.ts'
import { asPublished } from './tail.ts'

/** How a node's listening connection is called: by it, others see which nodes there are. */
export const RELAY_NAME = 'parley-relay'
const RELAY = 'parley_relay'
const ACTED = 'parley_acted'
/** A payload has to be shorter than 8,000 bytes. Source: PostgreSQL, NOTIFY. */
const PART_BYTES_MAX = 7_900
const PING_MS = 10_000
const ANSWER_MS_MAX = 5_000
const RETRY_MS = 100

/** What a write of another process leaves for the nodes: notices, and its events by their ids in the log. */
interface Parcel {
  id: string
  notices: Notice[]
  event_ids: number[]
}

/** Collects the parts of parcels: those of one transaction come one after another. Source: PostgreSQL, NOTIFY. */
function collector(whole: (parcel: Parcel) => void) {
  let parts: string[] = []
  return (payload: string) => {
    const [, at, of, part = ''] = /^(\d+)\/(\d+) (.*)$/s.exec(payload) ?? []
    if (Number(at) === 1) parts = []
    parts.push(part)
    if (parts.length === Number(of)) whole(JSON.parse(parts.join('')) as Parcel)
  }
}

/** Leaves a parcel in the transaction at hand: nodes get it when that is committed, and not before. */
async function leave(sql: Transaction, parcel: Parcel): Promise<void> {
  // Ids and names of ours: as many bytes as characters.
  const text = JSON.stringify(parcel)
  const count = Math.ceil(text.length / PART_BYTES_MAX)
  for (let at = 0; at < count; at++) {
    const part = text.slice(at * PART_BYTES_MAX, (at + 1) * PART_BYTES_MAX)
    await sql`select pg_notify(${RELAY}, ${`${at + 1}/${count} ${part}`})`
  }
}

/** A process that changes what nodes serve and is none itself. */
export interface Sender {
  /** For openWrite. */
  leave(sql: Transaction, notices: Notice[], event_ids: number[]): Promise<void>
  /**
   * Waits until every node that listened at the commit has acted on what was left: revoked, closed and published.
   * @returns how many have not said so in time
   */
  acted(seconds_max: number): Promise<number>
  close(): Promise<void>
}

export async function openSender(address: DatabaseAddress): Promise<Sender> {
  const id = crypto.randomUUID()
  const waiting = new Set<number>()
  const done = Promise.withResolvers<void>()
  const connection = openDatabase(address, 1, 'parley-sender', undefined, (_channel, payload) => {
    const [of, pid] = payload.split(' ')
    if (of === id && waiting.delete(Number(pid)) && waiting.size === 0) done.resolve()
  })
  await connection`listen ${connection(ACTED)}`
  return {
    async leave(sql, notices, event_ids) {
      if (notices.length === 0 && event_ids.length === 0) return
      const nodes = await sql<{ pid: number }[]>`select pid from pg_stat_activity
        where application_name = ${RELAY_NAME} and datname = current_database()`
      for (const { pid } of nodes) waiting.add(pid)
      await leave(sql, { id, notices, event_ids })
    },
    async acted(seconds_max) {
      if (waiting.size > 0) await Promise.race([done.promise, Bun.sleep(seconds_max * 1000)])
      return waiting.size
    },
    close: () => connection.end({ timeout: 1 }),
  }
}

/**
 * Listens for what other processes leave, and acts on it as on what this one has written: on one connection, and on
 * another when that is lost. While there is none, no cache is believed; then everything is looked up again.
 * @param missed called when events may not have been published here since then
 * @returns when it listens for the first time
 * @throws what the database throws, for the first time
 */
export async function openRelay(
  address: DatabaseAddress,
  sql: Database,
  bus: Bus,
  missed: (since: Date) => void,
  log: Log,
): Promise<{ stop(): Promise<void> }> {
  const stopping = Promise.withResolvers<void>()
  const first = Promise.withResolvers<void>()
  let [stopped, inTouch] = [false, false]
  let listened_at: Date | undefined

  async function act(connection: Database, { id, notices, event_ids }: Parcel): Promise<void> {
    const rows = await asPublished(sql, sql`select * from events where id = any(${event_ids})`)
    const frames = rows.map(({ topic, type, id, body }) => [topic, eventFrame(type, id, body)] as const)
    await deliver(bus, notices, frames)
    await connection`select pg_notify(${ACTED}, ${id}::text || ' ' || pg_backend_pid())`
  }

  /** Listens until the connection is lost, which it throws. */
  async function listen(): Promise<void> {
    const lost = Promise.withResolvers<never>()
    lost.promise.catch(() => {})
    const begun = Promise.withResolvers<void>()
    let turn = begun.promise
    // One after another, as they were committed; what fails half-way is mended by beginning anew.
    const receive = collector((parcel) => (turn = turn.then(() => act(connection, parcel)).catch(lost.reject)))
    const onClose = () => lost.reject(new Error('The connection is lost'))
    const connection = openDatabase(address, 1, RELAY_NAME, onClose, (_channel, payload) => {
      try {
        receive(payload)
      } catch (error) {
        lost.reject(error)
      }
    })
    try {
      await connection`listen ${connection(RELAY)}`
      await bus.notify({ kind: 'in_touch' })
      if (listened_at) missed(listened_at)
      begun.resolve()
      first.resolve()
      inTouch = true
      while (!stopped) {
        // A peer that vanished without a word is found out here.
        await Promise.race([connection`select 1`, lost.promise, late()])
        listened_at = new Date()
        await Promise.race([stopping.promise, lost.promise, Bun.sleep(PING_MS)])
      }
    } finally {
      await connection.end({ timeout: 0 })
    }
  }

  async function listenOn(): Promise<void> {
    while (!stopped) {
      await listen().catch(async (error: unknown) => {
        if (stopped) return
        first.reject(error)
        // Once a loss, however often it is tried again.
        if (inTouch) log('warn', 'relay.lost', errorFields(error))
        inTouch = false
        await bus.notify({ kind: 'out_of_touch' })
        await Bun.sleep(RETRY_MS)
      })
    }
  }

  const stop = async () => {
    stopped = true
    stopping.resolve()
    await listening
  }
  const listening = listenOn()
  await first.promise.catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { stop }
}

const late = async (): Promise<never> => {
  await Bun.sleep(ANSWER_MS_MAX)
  throw new Error('The connection does not answer')
}
