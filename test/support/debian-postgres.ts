import { existsSync, mkdtempSync } from 'node:fs'
import { chmodSync, chownSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Binaries } from '../../src/database/embedded-postgres.ts'
import { NOBODY } from '../../src/database/postgres-user.ts'
import { installPackages } from './debian.ts'
import { until } from './until.ts'

const PROGRAMS = '/usr/lib/postgresql/15/bin'

/** The programs of Debian's PostgreSQL 15; undefined, said loudly, where they cannot be had. */
export function debianPrograms(): Binaries | undefined {
  if (!existsSync(PROGRAMS)) installPackages('postgresql-15')
  if (existsSync(PROGRAMS)) return { initdb: join(PROGRAMS, 'initdb'), postgres: join(PROGRAMS, 'postgres') }
  console.error('SKIPPED LOUDLY: no PostgreSQL 15 on this machine (Debian: apt-get install postgresql-15)')
  return undefined
}

/**
 * Runs Debian's PostgreSQL 15, whose role owns its database and is no superuser.
 * @returns undefined, said loudly, where it cannot be had
 */
export async function debianPostgres(): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  if (!debianPrograms()) return undefined
  const home = mkdtempSync(join(tmpdir(), 'pg15-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(home, NOBODY, NOBODY)
  chmodSync(home, 0o700)
  const as = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
  const env = { PATH: process.env.PATH ?? '', TMPDIR: tmpdir() }
  const spawn = (program: string, ...args: string[]) =>
    Bun.spawn([...as, join(PROGRAMS, program), ...args], { env, cwd: home, stdio: ['ignore', 'ignore', 'inherit'] })
  const cluster = join(home, 'cluster')
  await spawn('initdb', '-D', cluster, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N').exited
  const server = spawn('postgres', '-D', cluster, '-k', home, '-c', 'listen_addresses=')
  const psql = (statement: string) =>
    Bun.spawnSync([...as, 'psql', '-h', home, '-U', 'postgres', '-c', statement], { env, cwd: home }).exitCode === 0
  await until(() => psql('select'), 60_000)
  psql('create role parley login')
  psql('create database parley owner parley')
  return {
    url: `postgres://parley@localhost/parley?host=${encodeURIComponent(home)}`,
    async stop() {
      server.kill('SIGINT')
      await server.exited
    },
  }
}
