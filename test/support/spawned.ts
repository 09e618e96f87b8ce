import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import type { Parley } from '../../src/parley.ts'
import { createDatabase, standard } from './harness.ts'

/** The time for a test that starts the real program: an initdb on a busy machine is slow. */
export const SPAWN_MS = 300_000

/** A directory for one server's data. */
export const dataDirectory = (...below: string[]): string =>
  join(mkdtempSync(join(tmpdir(), 'spawned-')), ...below, 'data')

/**
 * A directory for the data of one server whose PostgreSQL has been made, with the schema: its first start takes seconds
 * less. Outside of a run of several files it is empty.
 */
export function preparedDirectory(): string {
  const data = dataDirectory()
  const { PARLEY_TEST_CLUSTER: cluster } = process.env
  if (cluster) {
    mkdirSync(join(data, 'postgres'), { recursive: true, mode: 0o700 })
    Bun.spawnSync(['cp', '-a', cluster, join(data, 'postgres/cluster')])
  }
  return data
}

/** The process id of the embedded PostgreSQL under a DATA_DIR, if it has one that lives. */
export function postmasterOf(data: string): number | undefined {
  const file = join(data, 'postgres/cluster/postmaster.pid')
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN
  return Number.isNaN(pid) || !isAlive(pid) ? undefined : pid
}

/** True if the process runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** The program from this clone. */
const CLONE = [process.execPath, join(import.meta.dir, '../../src/main.ts')]

/**
 * Starts the real program, as an administrator would.
 * @param wrapper a command that runs its arguments
 * @param program the program in another form
 */
export function launch(
  data: string,
  variables: Record<string, string> = {},
  wrapper: string[] = [],
  program: string[] = CLONE,
) {
  return Bun.spawn([...wrapper, ...program], {
    env: {
      PATH: process.env.PATH ?? '',
      TMPDIR: tmpdir(),
      PORT: '0',
      DATA_DIR: data,
      TURN_PORT: 'off',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
      MEDIA_WORKER: 'off',
      LINK_PREVIEWS: 'off',
      DISK_FREE_MIN_BYTES: '0',
      ...variables,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

/** A new, empty database next to the one that the tests share: its DATABASE_URL. */
export const emptyDatabase = (name: string): Promise<string> => createDatabase(name)

/** A new database with the schema: its DATABASE_URL. Outside of a run of several files it is empty. */
export { createPrepared as preparedDatabase } from './harness.ts'

/** Makes the schema in an empty database, as the first start of a server does. */
export async function migrateDatabase(url: string): Promise<void> {
  const sql = openDatabase({ url }, 1)
  await migrate(sql)
  await sql.end()
}

export interface Spawned {
  child: ReturnType<typeof launch>
  /** Output until it listened: one line, without a log. */
  output: string
  /** The running server, for `call` and `person`. */
  parley: Parley
}

/** Starts the program and waits until it says where it listens. */
export async function spawnParley(
  data: string,
  variables: Record<string, string> = {},
  wrapper: string[] = [],
  program: string[] = CLONE,
): Promise<Spawned> {
  const child = launch(data, variables, wrapper, program)
  const decoder = new TextDecoder()
  let output = ''
  for await (const chunk of child.stdout) {
    output += decoder.decode(chunk)
    if (/listens on .*\n/.test(output)) break
  }
  const [, url] = /listens on (\S+)/.exec(output) ?? []
  if (!url) throw new Error(`It did not start: ${output}${await new Response(child.stderr).text()}`)
  // It lives in another process: it has an address and the declared routes, and no parts that a test could reach.
  const parley = { url, routes: (await standard()).routes } as Parley
  return { child, output, parley }
}

/** Starts the program where it cannot run: its exit code and what it said. */
export async function refusal(data: string, variables: Record<string, string> = {}, wrapper: string[] = []) {
  const child = launch(data, variables, wrapper)
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, error }
}
