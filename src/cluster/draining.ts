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
 * once. If the database does not answer, nobody is known to take over either.
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
    const timer = setInterval(() => void this.#isFollowed().then((is) => is || lonely.abort()), RECHECK_MS)
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

  /** True if a process of the installation runs that does not drain. */
  async #isFollowed(): Promise<boolean> {
    const sql = this.#connection
    if (!sql) return false
    const counting = sql<{ others: number }[]>`select
        (count(*) filter (where application_name = ${NOTICE_LISTENER_NAME})
        - count(*) filter (where application_name = ${DRAINING_NAME}))::int as others
      from pg_stat_activity where datname = current_database()`
    const late = Bun.sleep(ANSWER_MS_MAX).then(() => [])
    const [row] = await Promise.race([counting, late]).catch((error: unknown) => {
      this.log('warn', 'drain.unanswered', errorFields(error))
      return []
    })
    return (row?.others ?? 0) > 0
  }
}
