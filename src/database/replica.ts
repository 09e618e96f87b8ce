import type { Database } from './database.ts'

/** A position in the WAL of a cluster. Positions of different timelines say nothing about each other. */
export interface Position {
  lsn: bigint
  /** Null if the primary cannot be asked for it. */
  timeline: number | null
}

/** The state of a replica. */
interface Replayed extends Position {
  isStandby: boolean
}

/** PostgreSQL writes a position as two hexadecimal numbers of 32 bits: `16/B374D848`. */
const lsnOf = (text: string): bigint => {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/**
 * The position behind everything that is visible on the primary. A commit becomes visible when its record is on the
 * disk, except without synchronous_commit.
 */
export async function primaryPosition(primary: Database): Promise<Position> {
  const [row] = await primary<{ lsn: string; timeline: number | null }[]>`select log_timeline() as timeline,
    (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end)::text as lsn`
  return { lsn: lsnOf(row?.lsn ?? ''), timeline: row?.timeline ?? null }
}

/** True if a replica has replayed a position of the primary. */
export const isReplayed = (replayed: Replayed | undefined, { lsn, timeline }: Position): boolean =>
  replayed?.isStandby === true && replayed.timeline === timeline && replayed.lsn >= lsn

/** A replica that was late is left out for this long. The pause doubles until it serves a read again. */
export const PAUSE_MS_MIN = 100

/** A hot standby that serves reads. */
export class Replica {
  /** At the last look. Replay only goes forward. */
  replayed: Replayed | undefined
  /** False until the first check. */
  isUsable = false
  /** Why it was last left out. */
  reason = ''
  /** How long it is left out the next time that it is late. */
  pauseMs = PAUSE_MS_MIN
  /** Time since the primary was where this replica is. */
  lagSeconds = Infinity
  /** Ends the running reads. */
  readonly #reads = new Set<(reason: Error) => void>()
  #looking: Promise<void> | undefined

  /**
   * @param name host and port, for the log and metrics
   * @param probe a connection of its own for checks, which must not wait behind long reads
   */
  constructor(
    readonly name: string,
    readonly sql: Database,
    readonly probe: Database,
  ) {}

  /**
   * Asks for its position. Concurrent calls share one question. The timeline is that of the primary which last wrote
   * the event log's origin: a replica of a former primary has not replayed the newer one.
   */
  look(): Promise<void> {
    return (this.#looking ??= this.#ask().finally(() => (this.#looking = undefined)))
  }

  async #ask(): Promise<void> {
    const [row] = await this.probe<{ lsn: string | null; timeline: number | null; standby: boolean }[]>`
      select pg_last_wal_replay_lsn()::text as lsn, pg_is_in_recovery() as standby,
        (select timeline from event_log_origin) as timeline`
    this.replayed = row?.lsn ? { lsn: lsnOf(row.lsn), timeline: row.timeline, isStandby: row.standby } : undefined
  }

  /** Runs a read here. @throws a lost connection's error if the replica is left out meanwhile */
  async during<T>(work: (sql: Database) => Promise<T>): Promise<T> {
    const end = Promise.withResolvers<never>()
    this.#reads.add(end.reject)
    try {
      return await Promise.race([work(this.sql), end.promise])
    } finally {
      this.#reads.delete(end.reject)
    }
  }

  leaveOut(reason: string): void {
    this.isUsable = false
    this.reason = reason
    this.replayed = undefined
    if (reason === 'late') return
    const error = Object.assign(new Error('The replica is left out'), { code: 'CONNECTION_CLOSED' })
    for (const end of this.#reads) end(error)
  }
}
