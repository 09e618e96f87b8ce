import { chmodSync, chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOBODY } from '../../src/database/postgres-user.ts'
import { debianPrograms } from './debian-postgres.ts'
import { until } from './until.ts'

const START_MS = 60_000

/** A PostgreSQL 15 of Debian, on a Unix socket and on a TCP port that nobody else has. */
export interface Server {
  port: number
  /** The DATABASE_URL of its database `parley`, at this host and port. */
  url(port?: number): string
  /** Runs a statement as the superuser: what psql prints. */
  psql(statement: string, database?: string): string
  kill(): Promise<void>
}

/** A port that is free now. */
function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = listener
  listener.stop(true)
  return port
}

const as = process.getuid?.() === 0 ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []

/** A primary and a standby that follows it without holding up its commits; undefined where there are no programs. */
export async function primaryAndStandby(): Promise<{ primary: Server; standby: Server } | undefined> {
  const programs = debianPrograms()
  if (!programs) return undefined
  const home = mkdtempSync(join(tmpdir(), 'standby-'))
  if (process.getuid?.() === 0) chownSync(home, NOBODY, NOBODY)
  chmodSync(home, 0o700)
  const bin = join(programs.postgres, '..')
  const env = { PATH: process.env.PATH ?? '', TMPDIR: tmpdir() }
  const run = async (program: string, ...args: string[]) => {
    const child = Bun.spawn([...as, join(bin, program), ...args], {
      env,
      cwd: home,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text())
  }
  const start = async (name: string): Promise<Server> => {
    const port = freePort()
    const settings = ['-p', `${port}`, '-k', home, '-h', '127.0.0.1', '-c', 'wal_level=replica', '-c', 'fsync=off']
    const child = Bun.spawn([...as, join(bin, 'postgres'), '-D', join(home, name), ...settings], {
      env,
      cwd: home,
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const ask = (statement: string, database: string) =>
      Bun.spawnSync(
        [...as, join(bin, 'psql'), '-h', home, '-p', `${port}`, '-U', 'postgres', '-d', database, '-Atc', statement],
        { env },
      )
    await until(() => ask('select', 'postgres').exitCode === 0, START_MS)
    return {
      port,
      url: (at = port) => `postgres://parley@127.0.0.1:${at}/parley`,
      psql: (statement, database = 'parley') => ask(statement, database).stdout.toString().trim(),
      async kill() {
        child.kill('SIGQUIT')
        await child.exited
      },
    }
  }
  await run('initdb', '-D', join(home, 'primary'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N')
  const primary = await start('primary')
  primary.psql('create role parley login', 'postgres')
  primary.psql('create database parley owner parley', 'postgres')
  await run(
    'pg_basebackup',
    '-h',
    home,
    '-p',
    `${primary.port}`,
    '-U',
    'postgres',
    '-D',
    join(home, 'copy'),
    '-R',
    '-N',
    '-c',
    'fast',
  )
  const standby = await start('copy')
  return { primary, standby }
}
