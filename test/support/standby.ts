import { appendFileSync, chmodSync, chownSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOBODY } from '../../src/database/postgres-user.ts'
import { debianPrograms } from './debian-postgres.ts'
import { freePort } from './ports.ts'
import { until } from './until.ts'

const START_MS = 60_000

/** A PostgreSQL 15 of Debian, on a Unix socket and on a TCP port that nobody else has. */
export interface Server {
  port: number
  pid: number
  /** The DATABASE_URL of its database `parley`, at this host and port. */
  url(port?: number): string
  /** Runs a statement as the superuser: what psql prints. */
  psql(statement: string, database?: string): string
  kill(): Promise<void>
  /** Ends it and its sessions at once, as the end of a machine does. */
  crash(): Promise<void>
  /** A standby becomes a primary. */
  promote(): void
  /** Starts it again after it has ended. */
  startAgain(): Promise<void>
  /** Starts it again, after a crash, as the standby of the server that took over: what only it has is undone. */
  rejoin(primary: Server): Promise<void>
}

const as = process.getuid?.() === 0 ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []

/** The children of a process, by id. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** Ends a process and its children at once. */
async function crash(child: Bun.Subprocess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  // The server would start others again, and they would write until they notice that it is gone.
  child.kill('SIGSTOP')
  for (const pid of childrenOf(child.pid)) process.kill(pid, 'SIGKILL')
  child.kill('SIGKILL')
  await child.exited
}

/**
 * A primary and a standby that follows it; undefined where there are no programs.
 * @param replication `synchronous`: a commit of the primary waits for the standby
 */
export async function primaryAndStandby(
  replication: 'asynchronous' | 'synchronous' = 'asynchronous',
): Promise<{ primary: Server; standby: Server } | undefined> {
  const servers = await primaryAndStandbys(1)
  const [standby] = servers?.standbys ?? []
  if (!servers || !standby) return undefined
  const { primary } = servers
  if (replication === 'synchronous') {
    primary.psql(`alter system set synchronous_standby_names = '*'`)
    primary.psql('select pg_reload_conf()')
    await until(() => primary.psql('select sync_state from pg_stat_replication') === 'sync', START_MS)
  }
  return { primary, standby }
}

/** A primary and as many standbys as wanted; undefined where there are no programs. */
export async function primaryAndStandbys(count: number): Promise<{ primary: Server; standbys: Server[] } | undefined> {
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
    const set = ['wal_level=replica', 'fsync=off', 'max_connections=200']
    const settings = ['-p', `${port}`, '-k', home, '-h', '127.0.0.1', ...set.flatMap((setting) => ['-c', setting])]
    const launch = () =>
      Bun.spawn([...as, join(bin, 'postgres'), '-D', join(home, name), ...settings], {
        env,
        cwd: home,
        stdio: ['ignore', 'ignore', 'ignore'],
      })
    let child = launch()
    const ask = (statement: string, database: string) =>
      Bun.spawnSync(
        [...as, join(bin, 'psql'), '-h', home, '-p', `${port}`, '-U', 'postgres', '-d', database, '-Atc', statement],
        { env },
      )
    const isUp = () => ask('select', 'postgres').exitCode === 0
    const startAgain = async () => {
      child = launch()
      await until(() => {
        // It refuses to start until the last session of a crashed one has ended.
        if (child.exitCode !== null) child = launch()
        return isUp()
      }, START_MS)
    }
    await until(isUp, START_MS)
    return {
      port,
      pid: child.pid,
      url: (at = port) => `postgres://parley@127.0.0.1:${at}/parley`,
      psql: (statement, database = 'parley') => ask(statement, database).stdout.toString().trim(),
      async kill() {
        child.kill('SIGQUIT')
        await child.exited
      },
      crash: () => crash(child),
      promote: () => void ask('select pg_promote()', 'postgres'),
      startAgain,
      async rejoin(primary) {
        // Else the file that names the timeline may be older than the promotion.
        primary.psql('checkpoint', 'postgres')
        const source = `host=${home} port=${primary.port} user=postgres dbname=postgres`
        await run('pg_rewind', '-D', join(home, name), '--source-server', source, '-R')
        await startAgain()
      },
    }
  }
  await run('initdb', '-D', join(home, 'primary'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-k', '-N')
  // In the file, because pg_rewind starts the server without these options. It reads old segments of both.
  appendFileSync(join(home, 'primary/postgresql.conf'), `wal_keep_size = '512MB'\n`)
  const primary = await start('primary')
  primary.psql('create role parley login', 'postgres')
  primary.psql('create database parley owner parley', 'postgres')
  const standbys: Server[] = []
  for (let n = 0; n < count; n++) {
    const source = ['-h', home, '-p', `${primary.port}`, '-U', 'postgres']
    await run('pg_basebackup', ...source, '-D', join(home, `copy${n}`), '-R', '-N', '-c', 'fast')
    standbys.push(await start(`copy${n}`))
  }
  return { primary, standbys }
}
