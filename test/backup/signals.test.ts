import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, SUPERUSER } from '../../src/database/database.ts'
import { done } from '../support/backups.ts'
import { largeBackup } from '../support/large-backup.ts'
import { operating } from '../support/operator.ts'
import { dataDirectory, emptyDatabase, isAlive, postmasterOf } from '../support/spawned.ts'
import { until } from '../support/until.ts'

const LONG_MS = 600_000
const SOURCE = join(import.meta.dir, '../../src')
const backup = largeBackup()

const launch = (command: string, variables: Record<string, string>, path: string) =>
  Bun.spawn([process.execPath, join(SOURCE, 'main.ts'), command, path], {
    env: operating(variables),
    stdio: ['ignore', 'ignore', 'pipe'],
  })

/** A statement of the restore into this DATA_DIR that begins with this text is running. */
async function runs(data: string, statement: string): Promise<boolean> {
  const socket = join(data, 'postgres/run')
  if (!existsSync(join(socket, '.s.PGSQL.5432'))) return false
  const sql = openDatabase({ socket, role: SUPERUSER }, 1)
  try {
    const rows = await sql`select from pg_stat_activity
      where application_name = 'parley-restore' and starts_with(lower(query), ${statement})`
    return rows.length > 0
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** The sign of each phase of a restore. */
const PHASES: Record<string, (data: string) => boolean | Promise<boolean>> = {
  'makes a cluster': (data) => existsSync(join(data, 'postgres')),
  'starts PostgreSQL': (data) => existsSync(join(data, 'postgres/cluster')),
  'makes the schema': (data) => runs(data, ''),
  'copies rows': (data) => runs(data, 'copy "messages"'),
  'makes keys': (data) => runs(data, 'alter table'),
}

test(
  'a signal ends a restore in each of its phases, and neither a PostgreSQL nor a directory stays',
  async () => {
    for (const [phase, hasBegun] of Object.entries(PHASES)) {
      const variables = { DATA_DIR: dataDirectory() }
      const child = launch('restore', variables, await backup)
      await until(async () => child.exitCode !== null || (await hasBegun(variables.DATA_DIR)), LONG_MS)
      const postmaster = postmasterOf(variables.DATA_DIR)
      child.kill('SIGTERM')
      const code = await child.exited
      const output = await new Response(child.stderr).text()
      if (postmaster !== undefined) expect([phase, isAlive(postmaster)]).toEqual([phase, false])
      // The signal may arrive after the end.
      if (code === 0) continue
      expect([phase, output]).toEqual([phase, expect.stringContaining('Interrupted: nothing was restored.\n')])
      expect([phase, existsSync(variables.DATA_DIR)]).toEqual([phase, false])
    }
  },
  LONG_MS,
)

test(
  'a restore that is killed in any phase leaves no PostgreSQL, and the next one restores everything',
  async () => {
    for (const [phase, hasBegun] of Object.entries(PHASES)) {
      const variables = { DATA_DIR: dataDirectory() }
      const child = launch('restore', variables, await backup)
      await until(async () => child.exitCode !== null || (await hasBegun(variables.DATA_DIR)), LONG_MS)
      const postmaster = postmasterOf(variables.DATA_DIR)
      child.kill('SIGKILL')
      if ((await child.exited) === 0) continue
      if (postmaster !== undefined && Bun.which('setpriv')) await until(() => !isAlive(postmaster), LONG_MS)
      await done('restore', variables, await backup)
      expect([phase, existsSync(join(variables.DATA_DIR, 'objects/parley'))]).toEqual([phase, true])
    }
  },
  LONG_MS,
)

test(
  'a signal ends a verification while it compares, and its scratch directory goes',
  async () => {
    const TMPDIR = mkdtempSync(join(tmpdir(), 'scratch-'))
    const child = launch('verify', { TMPDIR, DATA_DIR: dataDirectory() }, await backup)
    const scratch = () => readdirSync(TMPDIR).filter((name) => name.startsWith('parley-verify-'))
    const data = () => join(TMPDIR, scratch()[0] ?? 'none', 'data')
    await until(async () => child.exitCode !== null || (await runs(data(), 'copy (select')), LONG_MS)
    const postmaster = postmasterOf(data())
    child.kill('SIGINT')
    const code = await child.exited
    if (postmaster !== undefined) expect(isAlive(postmaster)).toBe(false)
    expect(scratch()).toEqual([])
    if (code !== 0) expect(await new Response(child.stderr).text()).toContain('Interrupted: ')
  },
  LONG_MS,
)

test(
  'a signal ends a backup that waits for a lock',
  async () => {
    const DATABASE_URL = await emptyDatabase('locked')
    const variables = { DATA_DIR: dataDirectory(), DATABASE_URL }
    await done('restore', variables, await backup)
    const sql = openDatabase({ url: DATABASE_URL }, 1)
    const holder = await sql.reserve()
    await holder`begin`
    await holder`lock table messages in access exclusive mode`
    const path = join(mkdtempSync(join(tmpdir(), 'locked-')), 'backup')
    const child = launch('backup', variables, path)
    const watch = openDatabase({ url: DATABASE_URL }, 1)
    await until(async () => (await watch`select from pg_locks where not granted`).length > 0, LONG_MS)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(1)
    expect(await new Response(child.stderr).text()).toContain('Interrupted: no backup was written.')
    expect(existsSync(path) || existsSync(`${path}.partial`)).toBe(false)
    await Promise.all([sql.end({ timeout: 1 }), watch.end({ timeout: 1 })])
  },
  LONG_MS,
)
