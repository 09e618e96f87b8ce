import { openLog } from '../../src/core/log.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts'

/**
 * Starts a PostgreSQL that waits for no disk, since its data goes with the tests. With the many databases of a run, a
 * checkpoint waits for half a minute of fsync; on a slow disk everything else waits as well, for minutes.
 * Nor does it keep much of its log, since the data may lie in memory. Files of one process leave servers open, each
 * with a pool of connections.
 */
export const startPostgres = (home: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres(home, openLog('silent'), undefined, {
    fsync: 'off',
    max_wal_size: '256MB',
    max_connections: '400',
  })
