import { openActor } from './notice-queue.ts'
import type { Bus } from './bus.ts'
import { type Database, type DatabaseAddress, NOTICE_LISTENER_NAME, openDatabase } from '../database/database.ts'
import { errorFields, type Log } from '../core/log.ts'
import { collector, NEWCOMER_NAME, openPost, RELAY, receiptsOf } from './notice-delivery.ts'
import type { Leave } from './write.ts'

/** A peer that vanished without a word is found out within this and ANSWER_MS_MAX: before others give this node up. */
const PING_MS = 2_000
const ANSWER_MS_MAX = 3_500
const RETRY_MS = 100
/** How long a write waits for a node to act on it, before it takes that node's connection away. */
const ACT_SECONDS_MAX = 6

/** A process that changes what nodes serve and is none itself. */
export interface Sender {
  /** For openWrite. */
  leave: Leave
  /**
   * Waits until every node that listened at the commit has acted on what was left: revoked, closed and published.
   * @returns how many have not said so in time
   */
  acted(seconds_max: number): Promise<number>
  close(): Promise<void>
}

export async function openSender(address: DatabaseAddress): Promise<Sender> {
  const from = crypto.randomUUID().replaceAll('-', '')
  const left = new Set<number>()
  const connection = openDatabase(address, 1, 'parley-sender', undefined, (_channel, payload) => post.receive(payload))
  const post = openPost(connection, from)
  await connection`listen ${connection(receiptsOf(from))}`
  return {
    async leave(tx, notices, event_ids) {
      if (notices.length === 0 && event_ids.length === 0) return undefined
      const id = await post.leave(tx, notices, event_ids)
      left.add(id)
      return { acted: async () => {}, drop: () => void left.delete(id) }
    },
    async acted(seconds_max) {
      const silent = await Promise.all([...left].map((id) => post.acted(id, seconds_max)))
      left.clear()
      return new Set(silent.flatMap((each) => each.silent)).size
    },
    close: () => connection.end({ timeout: 1 }),
  }
}

export interface Relay {
  /** For openWrite, where there may be other nodes: what has notices reaches them in this way alone. */
  leave: Leave
  /** Whether another living node serves this database. */
  hasCompany(): Promise<boolean>
  stop(): Promise<void>
}

/**
 * Listens for what other processes leave, and acts on it as on what this one has written: on one connection, and on
 * another when that is lost. While there is none, no cache is believed; then everything is looked up again.
 * @param node how this process is called among others
 * @param missed called when events may not have been published here since then
 * @returns when it listens for the first time
 * @throws what the database throws, for the first time
 */
export async function openRelay(
  address: DatabaseAddress,
  sql: Database,
  bus: Bus,
  node: string,
  missed: (since: Date) => void,
  log: Log,
): Promise<Relay> {
  const stopping = Promise.withResolvers<void>()
  const first = Promise.withResolvers<void>()
  const post = openPost(sql, node)
  let [stopped, inTouch] = [false, false]
  let listened_at: Date | undefined
  /** The process id of the listening connection. */
  let self: number | undefined

  /**
   * Looks up what may have been missed. Others wait for this node from when it has, however long that takes: until
   * then it believes nothing that one of them could take away.
   */
  async function lookAgain(connection: Database, pid: number | undefined, settled: () => Promise<unknown>) {
    const since = listened_at
    await bus.notify({ kind: 'look_again' })
    await connection`select set_config('application_name', ${NOTICE_LISTENER_NAME}, false)`
    // Those who did not see the name yet do not wait: but what they left has come before this answer.
    await settled()
    if (self !== pid) throw new Error('The connection is lost')
    await bus.notify({ kind: 'in_touch' })
    if (since) missed(since)
    first.resolve()
    inTouch = true
  }

  /** Asks the connection again and again whether it is there. @throws when it is not */
  async function watch(connection: Database): Promise<void> {
    while (!stopped) {
      await Promise.race([connection`select 1`, late()])
      listened_at = new Date()
      await Promise.race([stopping.promise, Bun.sleep(PING_MS)])
      // Whoever stood still for so long may have been given up: it must not go by what it remembers.
      if (Date.now() - listened_at.getTime() > PING_MS + ANSWER_MS_MAX) throw new Error('The process stood still')
    }
  }

  /** Listens until the connection is lost, which it throws. */
  async function listen(): Promise<void> {
    const lost = Promise.withResolvers<never>()
    lost.promise.catch(() => {})
    const begun = Promise.withResolvers<void>()
    // What fails half-way is mended by beginning anew.
    const receive = collector((parcel) => {
      if (parcel.from !== node) actor.act(parcel).catch(lost.reject)
    })
    const onClose = () => lost.reject(new Error('The connection is lost'))
    const connection = openDatabase(address, 1, NEWCOMER_NAME, onClose, (channel, payload) => {
      try {
        if (channel === RELAY) receive(payload)
        else post.receive(payload)
      } catch (error) {
        lost.reject(error)
      }
    })
    const actor = openActor(connection, sql, bus, begun.promise)
    try {
      await connection`listen ${connection(receiptsOf(node))}`
      await connection`listen ${connection(RELAY)}`
      const [own] = await connection<{ pid: number }[]>`select pg_backend_pid() as pid`
      self = own?.pid
      const looking = lookAgain(connection, self, actor.settled)
      begun.resolve()
      looking.catch(lost.reject)
      await Promise.race([watch(connection), lost.promise])
    } catch (error) {
      self = undefined
      // Before anything is waited for.
      if (!stopped) await bus.notify({ kind: 'out_of_touch' })
      throw error
    } finally {
      self = undefined
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
        await Bun.sleep(RETRY_MS)
      })
    }
  }

  /** A parcel with nothing in it: who answers is there, and has acted on all that came before. */
  const knock = () => sql.begin(async (tx) => ({ id: await post.leave(tx, [], [], self) })).then(({ id }) => id)

  /**
   * Waits for the nodes; one that does not act loses its connection, and with it believes nothing any more.
   * @param asker this node's connection when it was left: answers to one that was lost have been lost with it
   */
  async function acted(id: number, asker: number | undefined): Promise<void> {
    const { silent, late } = await post.acted(id, ACT_SECONDS_MAX, self)
    // Whoever took its name between the leaving and the commit has got it all the same, and may not have acted yet.
    if (late.length > 0) return acted(await knock(), self)
    if (silent.length === 0 || self === undefined) return
    if (asker !== self) return acted(await knock(), self)
    log('warn', 'relay.silent', { nodes: silent.length })
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where pid = any(${silent}) and application_name = ${NOTICE_LISTENER_NAME}`
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
  return {
    async leave(tx, notices, event_ids) {
      if (notices.length === 0) return undefined
      const asker = self
      const id = await post.leave(tx, notices, event_ids, self)
      return { acted: () => acted(id, asker), drop: () => post.drop(id) }
    },
    async hasCompany() {
      const { answered } = await post.acted(await knock(), ANSWER_MS_MAX / 1000)
      return answered > 0
    },
    stop,
  }
}

const late = async (): Promise<never> => {
  await Bun.sleep(ANSWER_MS_MAX)
  throw new Error('The connection does not answer')
}
