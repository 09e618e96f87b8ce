import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase, SUPERUSER } from '../src/database/database.ts'
import { openTokens, type Tokens } from '../src/features/sessions/token.ts'
import type { Heap } from './heap-probe.ts'
import { end, pin, track } from './processes.ts'

const START_SECONDS_MAX = 60
const COLLECT_SECONDS_MAX = 60

/** A running server process. */
export interface ServerProcess {
  url: string
  pid: number
  /** Milliseconds from the start of the process until it prints that it listens. */
  start_ms: number
  /** Collects the server's garbage. Only of a server that was started with a probe. */
  collect(): Promise<Heap>
  stop(): Promise<void>
}

/** A server with its data directory, for one figure. */
export interface BenchServer {
  process: ServerProcess
  url: string
  data: string
  /** Directory of the Unix socket of its embedded PostgreSQL. */
  socket: string
  sql: Database
  tokens: Tokens
}

/**
 * Starts `src/main.ts` on a free port; without TURN and SFU unless the variables turn them on.
 * @param isProbed true for a server whose garbage can be collected
 */
export async function startServer(
  data: string,
  variables: Record<string, string> = {},
  isProbed = false,
): Promise<ServerProcess> {
  const started = performance.now()
  const probe = isProbed ? ['--preload', join(import.meta.dir, 'heap-probe.ts')] : []
  let collection: PromiseWithResolvers<Heap> | undefined
  const child = track(
    Bun.spawn([process.execPath, ...probe, join(import.meta.dir, '../src/main.ts')], {
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
      ...(isProbed ? { ipc: (heap: Heap) => collection?.resolve(heap) } : {}),
    }),
  )
  const timer = setTimeout(() => child.kill('SIGKILL'), START_SECONDS_MAX * 1000)
  let output = ''
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += chunk
    if (output.includes('\n')) break
  }
  clearTimeout(timer)
  const start_ms = performance.now() - started
  const [, url] = /Parley listens on (\S+)/.exec(output) ?? []
  if (!url) throw new Error(`The server did not start: ${output}`)
  const collect = () => {
    const { promise, reject } = (collection = Promise.withResolvers<Heap>())
    const fail = (reason: string) => reject(new Error(`The server did not collect its garbage: ${reason}`))
    const limit = setTimeout(() => fail(`${COLLECT_SECONDS_MAX} s are over`), COLLECT_SECONDS_MAX * 1000)
    void child.exited.then((code) => fail(`it ended with code ${code}`))
    child.send('collect')
    return promise.finally(() => clearTimeout(limit))
  }
  return { url, pid: child.pid, start_ms, collect, stop: () => end(child) }
}

/**
 * Runs `use` with a fresh server, then stops the server and removes its data. With BENCH_DATA, the data lie there and
 * stay, for another run of a part that can go on with them.
 * @param processor the processor that the server is pinned to; its PostgreSQL, started before, is not
 * @param variables environment variables of the server
 * @param isProbed true for a server whose garbage can be collected
 */
export async function withServer<T>(
  use: (bench: BenchServer) => Promise<T>,
  processor?: number,
  variables?: Record<string, string>,
  isProbed = false,
): Promise<T> {
  const keptData = process.env['BENCH_DATA']
  const data = keptData ?? mkdtempSync(join(tmpdir(), 'parley-bench-'))
  try {
    const server = await startServer(data, variables, isProbed)
    if (processor !== undefined) pin(server.pid, processor)
    const socket = join(data, 'postgres/run')
    const sql = openDatabase({ socket, role: SUPERUSER }, 2, 'parley-bench')
    const { jwt } = JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8'))
    try {
      return await use({ process: server, url: server.url, data, socket, sql, tokens: openTokens(jwt) })
    } finally {
      await sql.end({ timeout: 1 })
      await server.stop()
    }
  } finally {
    stopPostgres(data)
    if (keptData === undefined) rmSync(data, { recursive: true, force: true })
  }
}

/** Stops the PostgreSQL that a killed server leaves behind. */
function stopPostgres(data: string): void {
  const file = join(data, 'postgres/cluster/postmaster.pid')
  if (existsSync(file)) process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGINT')
}
