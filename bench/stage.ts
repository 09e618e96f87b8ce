import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../src/database/database.ts'
import { openTokens, type Tokens } from '../src/features/sessions/token.ts'
import { end, pin, track } from './children.ts'

const START_SECONDS_MAX = 60

/** A real server in a process of its own. */
export interface Running {
  url: string
  pid: number
  /** Milliseconds from the start of the process until it says that it listens. */
  start_ms: number
  stop(): Promise<void>
}

/** The server with its data, for the length of one figure. */
export interface Stage {
  server: Running
  url: string
  data: string
  /** Directory of the Unix socket of its PostgreSQL. */
  socket: string
  sql: Database
  tokens: Tokens
}

/** Starts the server as a user would, on a free port; without its relay, unless the variables say otherwise. */
export async function startServer(data: string, variables: Record<string, string> = {}): Promise<Running> {
  const started = performance.now()
  const child = track(
    Bun.spawn([process.execPath, join(import.meta.dir, '../src/main.ts')], {
      env: {
        ...process.env,
        PORT: '0',
        DATA_DIR: data,
        RATE_LIMITS: 'off',
        TURN_PORT: 'off',
        MEDIA_WORKER: 'off',
        LOG_LEVEL: 'warn',
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  const timer = setTimeout(() => child.kill('SIGKILL'), START_SECONDS_MAX * 1000)
  let said = ''
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += chunk
    if (said.includes('\n')) break
  }
  clearTimeout(timer)
  const start_ms = performance.now() - started
  const [, url] = /^Parley listens on (\S+)/.exec(said) ?? []
  if (!url) throw new Error(`The server did not start: ${said}`)
  return { url, pid: child.pid, start_ms, stop: () => end(child) }
}

/**
 * Runs a figure on a fresh server, and removes all of it.
 * @param processor where the server runs, without its PostgreSQL, which started before
 * @param variables environment variables of the server
 */
export async function onStage<T>(
  use: (stage: Stage) => Promise<T>,
  processor?: number,
  variables?: Record<string, string>,
): Promise<T> {
  const data = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  try {
    const server = await startServer(data, variables)
    if (processor !== undefined) pin(server.pid, processor)
    const socket = join(data, 'postgres/run')
    const sql = openDatabase({ socket }, 2, 'parley-bench')
    const { jwt } = JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8'))
    try {
      return await use({ server, url: server.url, data, socket, sql, tokens: openTokens(jwt) })
    } finally {
      await sql.end({ timeout: 1 })
      await server.stop()
    }
  } finally {
    stopPostgres(data)
    rmSync(data, { recursive: true, force: true })
  }
}

/** What a server that had to be killed leaves behind. */
function stopPostgres(data: string): void {
  const file = join(data, 'postgres/cluster/postmaster.pid')
  if (existsSync(file)) process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGINT')
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
