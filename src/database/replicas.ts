import { codeOf, messageOf } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { type Database, isDatabaseAway, isReadOnly } from './database.ts'
import { isReplayed, PAUSE_MS_MIN, type Position, primaryPosition, Replica } from './replica.ts'

/** A read waits this long for any replica to have replayed what it must see. Then it asks the primary. */
const WAIT_MS_MAX = 50
const POLL_MS = 2
const CHECK_MS = 1_000
/** A replica that does not answer a check within this time is left out, and its reads are repeated. */
const CHECK_MS_MAX = 2_000
/** A replica that is further behind is left out. */
const LAG_SECONDS_MAX = 10
/** Positions that the lag is measured by, one a check. */
const SAMPLES_MAX = 2 * LAG_SECONDS_MAX
/** serialization_failure and deadlock_detected: on a standby, replay conflicted with the statement. */
const CONFLICTS = ['40001', '40P01']

/** The purposes of reads, as metrics name them. */
export type ReadKind =
  'audit' | 'exports' | 'history' | 'members' | 'openings' | 'pages' | 'people' | 'replays' | 'search' | 'templates'

/** The server that a read runs on. */
export type Source = 'primary' | 'replica'

/**
 * Runs a read on a replica that has everything which was committed before the call, or else on the primary. The work
 * may run twice, so it must not change anything.
 */
export type Read = <T>(kind: ReadKind, work: (sql: Database, source: Source) => Promise<T>) => Promise<T>

/** Thrown by work that only the primary can do now. The replica stays in use. */
export class NeedsPrimary extends Error {}

/** Reads on the primary: of an installation without replicas. */
export const readOn =
  (primary: Database): Read =>
  (_kind, work) =>
    work(primary, 'primary')

/**
 * Read replicas of PostgreSQL: hot standbys of the primary. A read sees at least what was committed anywhere before it
 * began, as on the primary: so everybody reads their own writes, never an older state than before, and nothing that
 * they may no longer see. For that, it asks the primary for its WAL position after it began (all reads of one moment
 * ask together), and waits for a replica to replay it. A replica that is late, away or too far behind, that is no
 * standby of this primary, or that cancels reads is left out until a check finds it well again.
 */
export class Replicas {
  readonly #timer: Timer
  /** The next question for the position, which has not been sent yet, and the one that was sent before it. */
  #nextPosition: Promise<Position> | undefined
  #lastPosition: Promise<unknown> = Promise.resolve()
  /** Positions of the primary by time, the oldest first. */
  #samples: { position: Position; at: number }[] = []
  #system: string | undefined
  #turn = 0
  #isStopped = false
  #checking: Promise<void> | undefined

  /** @param onRead called for each read with its purpose and the replica, or undefined if the primary served it */
  constructor(
    private readonly primary: Database,
    readonly all: Replica[],
    private readonly log: Log,
    private readonly onRead: (kind: ReadKind, replica: Replica | undefined) => void,
  ) {
    this.#timer = setInterval(() => void (this.#checking ??= this.#check()), CHECK_MS)
    this.#timer.unref()
    this.#checking = this.#check()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await Promise.all(this.all.flatMap(({ sql, probe }) => [sql, probe].map((each) => each.end({ timeout: 0 }))))
  }

  readonly read: Read = async (kind, work) => {
    const replica = await this.#ready()
    if (replica) {
      try {
        const value = await replica.during((sql) => work(sql, 'replica'))
        replica.pauseMs = PAUSE_MS_MIN
        this.onRead(kind, replica)
        return value
      } catch (error) {
        if (!(error instanceof NeedsPrimary)) {
          if (!isReplicaFault(error)) throw error
          this.#leaveOut(replica, messageOf(error))
        }
      }
    }
    this.onRead(kind, undefined)
    return work(this.primary, 'primary')
  }

  /**
   * A replica that has replayed what was committed before the call. Those that have it take turns; if none has, the
   * first one that gets there.
   */
  async #ready(): Promise<Replica | undefined> {
    if (!this.all.some(({ isUsable }) => isUsable)) return undefined
    const position = await this.#position().catch(() => undefined)
    const deadline = performance.now() + WAIT_MS_MAX
    const turn = this.#turn++
    while (position) {
      const usable = this.all.filter(({ isUsable }) => isUsable)
      const first = turn % usable.length
      const ready = [...usable.slice(first), ...usable].find(({ replayed }) => isReplayed(replayed, position))
      if (ready || usable.length === 0) return ready
      const remaining = deadline - performance.now()
      if (remaining <= 0) {
        for (const replica of usable) this.#leaveOut(replica, 'late')
        return undefined
      }
      // A slow answer is no reason to end the reads that run there; the check decides about that.
      await within(remaining, Promise.race(usable.map((replica) => this.#look(replica)))).catch(() => {})
      if (!usable.some(({ replayed }) => isReplayed(replayed, position))) await Bun.sleep(POLL_MS)
    }
    return undefined
  }

  #look = (replica: Replica): Promise<void> =>
    replica.look().catch((error: unknown) => this.#leaveOut(replica, messageOf(error)))

  /** The primary's position at some time after the call. Concurrent callers share a question; one is sent at once. */
  #position(): Promise<Position> {
    return (this.#nextPosition ??= this.#lastPosition.then(() => {
      this.#nextPosition = undefined
      const answer = primaryPosition(this.primary)
      this.#lastPosition = answer.catch(() => {})
      return answer
    }))
  }

  #leaveOut(replica: Replica, reason: string): void {
    // One that was only late keeps its running reads until a check finds that it is lost.
    const isLate = reason === 'late'
    if (this.#isStopped || (!replica.isUsable && (isLate || replica.reason !== 'late'))) return
    replica.leaveOut(reason)
    // One that is late now and then would fill the log. It comes back before the next regular check.
    if (!isLate) return this.log('warn', 'replica.left_out', { replica: replica.name, reason })
    setTimeout(() => void (this.#isStopped || this.#checkOne(replica)), replica.pauseMs).unref()
    replica.pauseMs = Math.min(2 * replica.pauseMs, CHECK_MS)
  }

  async #check(): Promise<void> {
    try {
      const position = await within(CHECK_MS_MAX, this.#position())
      this.#samples = [...this.#samples, { position, at: performance.now() }].slice(-SAMPLES_MAX)
      this.#system ??= await within(CHECK_MS_MAX, systemOf(this.primary))
      await Promise.all(this.all.map((replica) => this.#checkOne(replica)))
    } catch {
      // Without the primary there is nothing to compare with. Reads then go to the primary, and say so.
    } finally {
      this.#checking = undefined
    }
  }

  async #checkOne(replica: Replica): Promise<void> {
    try {
      const system = await within(CHECK_MS_MAX, systemOf(replica.probe))
      await within(CHECK_MS_MAX, replica.look())
      replica.lagSeconds = this.#lagOf(replica)
      if (system !== this.#system) return this.#leaveOut(replica, 'it belongs to another cluster')
      if (!replica.replayed?.isStandby) return this.#leaveOut(replica, 'it is no standby')
      if (replica.lagSeconds > LAG_SECONDS_MAX) return this.#leaveOut(replica, 'it is too far behind')
    } catch (error) {
      replica.lagSeconds = Infinity
      return this.#leaveOut(replica, messageOf(error))
    }
    // One that is behind by less would only make reads wait.
    if (replica.isUsable || replica.lagSeconds > CHECK_MS / 1000) return
    if (replica.reason !== 'late') this.log('info', 'replica.used', { replica: replica.name })
    replica.isUsable = true
  }

  /** The age of the oldest position that the replica lacks. A position of the last check may still be on its way. */
  #lagOf({ replayed }: Replica): number {
    const missing = this.#samples.find(({ position }) => !isReplayed(replayed, position))
    return missing ? (performance.now() - missing.at) / 1000 : 0
  }
}

/** True if the replica is at fault, so that the primary can serve the read. */
const isReplicaFault = (error: unknown): boolean =>
  isDatabaseAway(error) || isReadOnly(error) || CONFLICTS.includes(codeOf(error) ?? '')

/** Identifies a cluster; its standbys have the same. */
async function systemOf(sql: Database): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`select system_identifier::text as id from pg_control_system()`
  return row?.id
}

/** @throws Error if it takes longer */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('It does not answer')), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
