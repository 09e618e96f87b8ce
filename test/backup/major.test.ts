import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLog } from '../../src/core/log.ts'
import { openDatabase } from '../../src/database/database.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts'
import { migrate } from '../../src/database/migrate.ts'
import { login, startOn } from '../support/backups.ts'
import { debianPrograms } from '../support/debian-postgres.ts'
import { call, cheapHash, Person, stop } from '../support/harness.ts'
import { dataDirectory, refusal } from '../support/spawned.ts'

const LONG_MS = 300_000
const alice = new Person({} as never, 1, 'alice', 'alice@example.org', 'Alice', '')

test(
  'data of an older PostgreSQL are upgraded at the start, sessions included, and the old cluster is kept',
  async () => {
    const programs = debianPrograms()
    if (!programs) return
    const DATA_DIR = dataDirectory()
    const old = await startEmbeddedPostgres(DATA_DIR, openLog('silent'), programs)
    const sql = openDatabase({ socket: old.socket }, 2)
    await migrate(sql)
    await sql`insert into users (username, email, password_hash, display_name)
      values ('alice', 'alice@example.org', ${await cheapHash}, 'Alice')`
    await sql.end()
    await old.stop()
    const cluster = join(DATA_DIR, 'postgres/cluster')
    expect(readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()).toBe('15')

    const parley = await startOn({ DATA_DIR })
    const token = await login(parley, alice)
    await stop(parley)
    expect(readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()).not.toBe('15')
    expect(readFileSync(join(`${cluster}-15`, 'PG_VERSION'), 'utf8').trim()).toBe('15')
    expect(existsSync(join(DATA_DIR, 'moving'))).toBe(false)

    const again = await startOn({ DATA_DIR })
    expect((await call(again, 'GET', '/api/auth/me', { token })).status).toBe(200)
    await stop(again)
  },
  LONG_MS,
)

test(
  'data of a PostgreSQL without its programs are refused in one sentence, and stay unchanged',
  async () => {
    const DATA_DIR = dataDirectory()
    const { stop: end } = await startEmbeddedPostgres(DATA_DIR, openLog('silent'))
    await end()
    const version = join(DATA_DIR, 'postgres/cluster/PG_VERSION')
    writeFileSync(version, '11\n')
    const { code, error } = await refusal(DATA_DIR)
    expect([code, error.trimEnd().split('\n').length]).toEqual([1, 1])
    expect(error).toInclude('postgresql-11')
    expect(readFileSync(version, 'utf8')).toBe('11\n')
  },
  LONG_MS,
)
