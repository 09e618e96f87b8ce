import { join } from 'node:path'
import { RefusesToBoot } from '../core/errors.ts'
import { openLog } from '../core/log.ts'
import type { Database } from './database.ts'
import { clusterOf, openInstance } from './embedded-instance.ts'
import { endOf, findBinaries, launch, preparePlace, SETTINGS, terminate } from './embedded-postgres.ts'
import { writeAccessFiles } from './postgres-access.ts'
import { PostgresLog } from './postgres-log.ts'

/** How often a recovering PostgreSQL looks for WAL that was added. */
const LOOK_MS = 50

/** A PostgreSQL that replays WAL, and takes reads once its data is consistent. */
export interface RecoveringPostgres {
  sql: Database
  /** @throws RefusesToBoot if it has ended */
  demandRunning(): void
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL on a copy of a cluster that has `backup_label` and `standby.signal`. It replays the WAL in
 * pg_wal, and waits for more there.
 * @param dataDirectory the parent of `postgres/cluster`
 * @param target settings that say where to pause
 */
export async function startRecovery(
  dataDirectory: string,
  target: Record<string, string>,
): Promise<RecoveringPostgres> {
  const place = await preparePlace(
    join(dataDirectory, 'postgres'),
    await findBinaries(dataDirectory),
    openLog('silent'),
  )
  const { postgres } = await findBinaries(dataDirectory)
  const access = writeAccessFiles(place.home, place.user)
  const settings = {
    ...SETTINGS,
    ...access,
    unix_socket_directories: place.socket,
    hot_standby: 'on',
    wal_retrieve_retry_interval: String(LOOK_MS),
    wal_recycle: 'off',
    log_min_messages: 'warning',
    ...target,
  }
  const output = new PostgresLog(`${clusterOf(place.home)}.log`)
  const child = launch(place, postgres, settings, output)
  let failure: string | undefined
  child.once('error', (error) => (failure = error.message))
  const interrupt = () => void child.kill('SIGINT')
  process.once('exit', interrupt)
  const sql = openInstance(place.socket)
  return {
    sql,
    demandRunning() {
      const end = failure ?? endOf(child)
      if (end === undefined) return
      throw new RefusesToBoot(`PostgreSQL cannot replay the archive (${output.lastFault() ?? end}).`)
    },
    async stop() {
      process.removeListener('exit', interrupt)
      output.close()
      await sql.end({ timeout: 1 })
      await terminate(child)
    },
  }
}
