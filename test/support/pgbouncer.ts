import { chmodSync, chownSync, mkdtempSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOBODY } from '../../src/database/postgres-user.ts'
import { installPackages } from './debian.ts'
import { freePort } from './ports.ts'
import { until } from './until.ts'

const PROGRAM = '/usr/sbin/pgbouncer'
if (!Bun.file(PROGRAM).size) installPackages('pgbouncer')

/** True if PgBouncer is installed; tests that need it are skipped otherwise. */
export const hasPgBouncer = Bun.file(PROGRAM).size > 0
if (!hasPgBouncer) console.error('SKIPPED LOUDLY: no pgbouncer on this machine (Debian: apt-get install pgbouncer)')

/**
 * Runs PgBouncer before a PostgreSQL of this machine.
 * @param database the DATABASE_URL of the PostgreSQL
 * @returns the DATABASE_URL by way of it
 */
export async function pgBouncer(database: string, settings: Record<string, string>) {
  const home = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  const url = new URL(database)
  const port = freePort()
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: `${port}`,
    unix_socket_dir: '',
    auth_type: 'any',
    logfile: join(home, 'log'),
    ...settings,
  }
  const target = `host=${url.hostname} port=${url.port} dbname=${url.pathname.slice(1)} user=${url.username}`
  const file = join(home, 'ini')
  const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(file, `[databases]\nparley = ${target}\n[pgbouncer]\n${text.join('\n')}\n`)
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(home, NOBODY, NOBODY)
  chmodSync(home, 0o755)
  const as = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
  const child = Bun.spawn([...as, PROGRAM, file], { cwd: home, stdio: ['ignore', 'ignore', 'ignore'] })
  await until(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
        socket.once('connect', () => socket.destroy())
      }),
  )
  return {
    url: `postgres://parley@127.0.0.1:${port}/parley`,
    async stop() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}
