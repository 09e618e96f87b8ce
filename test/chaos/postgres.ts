import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLog } from '../../src/core/log.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts'
import { bothOf } from '../support/failover.ts'
import { isAlive } from '../support/spawned.ts'
import { primaryAndStandby, type Server } from '../support/standby.ts'
import { until } from '../support/until.ts'

const STOP_MS_MAX = 10_000
const SYNC_MS_MAX = 60_000

/** The database of a storm. */
export interface Postgres {
  /** The nodes' DATABASE_URL. */
  address: string
  /** Kills PostgreSQL, which is started again; resolves when the old one has ended. */
  kill(signal: NodeJS.Signals): Promise<void>
  /**
   * Kills the primary, and promotes its standby.
   * @returns when that was promoted, and the former primary's return as a standby of it
   */
  failOver(): Promise<{ promotedAt: number; whole: Promise<void> }>
  stop(): Promise<void>
}

/** The embedded PostgreSQL, which its owner starts again. */
export async function openEmbedded(home: string): Promise<Postgres> {
  const postgres = await startEmbeddedPostgres(home, openLog('silent'))
  const postmaster = () => Number.parseInt(readFileSync(join(home, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
  return {
    address: `postgres://parley_app@localhost/parley?host=${encodeURIComponent(postgres.socket)}`,
    async kill(signal) {
      const pid = postmaster()
      process.kill(pid, signal)
      await until(() => !isAlive(pid), STOP_MS_MAX)
    },
    failOver: () => Promise.reject(new Error('The embedded PostgreSQL has no standby')),
    stop: () => postgres.stop(),
  }
}

/** Debian's PostgreSQL 15: a primary and its synchronous standby, which change places. */
export async function openPair(): Promise<Postgres> {
  const pair = await primaryAndStandby('synchronous')
  if (!pair) throw new Error('There is no PostgreSQL 15 on this machine')
  let { primary, standby }: { primary: Server; standby: Server } = pair
  /** The pair changes in one way after another. */
  let last: Promise<unknown> = Promise.resolve()
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
  const isSynchronous = () => primary.psql('select sync_state from pg_stat_replication') === 'sync'

  /** The former primary follows the new one, and commits wait for it again. */
  async function restore(former: Server): Promise<void> {
    await former.rejoin(primary)
    primary.psql(`alter system set synchronous_standby_names = '*'`)
    primary.psql('select pg_reload_conf()')
    await until(isSynchronous, SYNC_MS_MAX)
  }

  return {
    address: bothOf(pair),
    kill: (signal) =>
      alone(async () => {
        await (signal === 'SIGKILL' ? primary.crash() : primary.kill())
        void alone(async () => {
          await primary.startAgain()
          await until(isSynchronous, SYNC_MS_MAX)
        })
      }),
    failOver: () =>
      alone(async () => {
        await until(isSynchronous, SYNC_MS_MAX)
        const former = primary
        await former.crash()
        standby.promote()
        await until(() => standby.psql('select pg_is_in_recovery()') === 'f', SYNC_MS_MAX)
        const promotedAt = Date.now()
        ;[primary, standby] = [standby, former]
        return { promotedAt, whole: alone(() => restore(former)) }
      }),
    async stop() {
      await last
      await Promise.all([primary.crash(), standby.crash()])
    },
  }
}
