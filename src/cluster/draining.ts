import { errorFields, type Log } from '../core/log.ts'
import { type Database, type DatabaseAddress, NOTICE_LISTENER_NAME, openLongConnection } from '../database/database.ts'

/** The application_name of a connection that a process keeps from the moment when it begins to drain until it ends. */
export const DRAINING_NAME = 'parley-draining'
/** A stop waits this long to learn about other processes. */
const ANSWER_MS_MAX = 2_000
const RECHECK_MS = 500

/**
 * Ends a process without a pause for its clients: it accepts nothing new, hands its sockets over to the other processes
 * of the installation, and then stops. Each draining process shows the others that it does not take over, by the name
 * of a connection. If nobody takes over, because this is the only process or all of them stop, the process stops at
 * once. If the database does not answer at the beginning, nobody is known to take over either.
 */
export class Draining {
  #connection: Database | undefined

  /** @param address of the database; the embedded one serves a single process, which never drains */
  constructor(
    private readonly address: DatabaseAddress,
    private readonly log: Log,
  ) {}

  /**
   * @param handOver stops listening and closes the sockets; the signal says that nobody takes over any longer
   * @param signal ends the draining early
   */
  async run(handOver: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    if (this.address.url === undefined || this.#connection || signal.aborted) return
    this.#connection = openLongConnection(this.address, DRAINING_NAME)
    if (!(await this.#isFollowed())) return
    this.log('info', 'drain.started')
    const lonely = new AbortController()
    // Without an answer the others may well be there: closing all sockets at once would make a slow database slower.
    const recheck = async () => (await this.#isFollowed()) === false && lonely.abort()
    const timer = setInterval(() => void recheck(), RECHECK_MS)
    try {
      await handOver(AbortSignal.any([signal, lonely.signal]))
    } finally {
      clearInterval(timer)
    }
    this.log('info', 'drain.ended', { alone: lonely.signal.aborted })
  }

  /** Call after this process has stopped listening for notices: until then it would count as one that takes over. */
  async stop(): Promise<void> {
    await this.#connection?.end({ timeout: 0 })
  }

  /** True if a process of the installation runs that does not drain; undefined if the database does not answer. */
  async #isFollowed(): Promise<boolean | undefined> {
    const sql = this.#connection
    if (!sql) return undefined
    const counting = sql<{ others: number }[]>`select
        (count(*) filter (where application_name = ${NOTICE_LISTENER_NAME})
        - count(*) filter (where application_name = ${DRAINING_NAME}))::int as others
      from pg_stat_activity where datname = current_database()`
    const late = Bun.sleep(ANSWER_MS_MAX).then(() => [])
    const [row] = await Promise.race([counting, late]).catch((error: unknown) => {
      this.log('warn', 'drain.unanswered', errorFields(error))
      return []
    })
    return row && row.others > 0
  }
}
