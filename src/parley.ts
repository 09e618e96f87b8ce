import { mkdirSync, readFileSync } from 'node:fs'
import type { Serve } from 'bun'
import type { Elysia } from 'elysia'
import { memoryBus } from './adapters/bus.ts'
import { openDatabase, reach } from './adapters/database.ts'
import { startEmbeddedPostgres } from './adapters/embedded-postgres.ts'
import { memoryLimiter } from './adapters/limiter.ts'
import { openLimits } from './adapters/limits.ts'
import { openLog } from './adapters/log.ts'
import { openMetrics } from './adapters/metrics.ts'
import { migrate } from './adapters/migrate.ts'
import type { Parts } from './adapters/parts.ts'
import { fileSecrets, sharedSecrets } from './adapters/secrets.ts'
import { openSweeper } from './adapters/sweeper.ts'
import { openTail } from './adapters/tail.ts'
import { openWrite } from './adapters/write.ts'
import { openApp } from './app.ts'
import { events } from './catalogue.ts'
import { Problem, RefusesToBoot } from './core/errors.ts'
import { openEdge } from './edge.ts'
import type { Environment } from './environment.ts'
import type { Client } from './features/gateway/client.ts'
import { openCommands } from './features/gateway/commands.ts'
import { openHub } from './features/gateway/hub.ts'
import { upgrade } from './features/gateway/routes.ts'
import { socketHandlers } from './features/gateway/sockets.ts'
import { openSessions } from './features/sessions/store.ts'

/** How long requests in flight may take to end when the server stops. */
const DRAIN_SECONDS_MAX = 5
const IDLE_SECONDS_MAX = 30
/** Within this time a request is answered, though the database stand still. */
const ANSWER_SECONDS_MAX = 15
/** Bodies are bounded by the edge, which answers in words; this only has to be larger. */
const REQUEST_BYTES_MAX = 64 * 1024 * 1024

export interface Parley {
  /** Where it listens, e.g. `http://127.0.0.1:3000`. */
  url: string
  parts: Parts
  /** The declared REST routes, for the tests of the contract. */
  routes: Elysia['routes']
  /** Removes what has had its time, now. */
  sweep(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts everything: database, schema, secrets, features, sockets; in this order, and stops it in the other.
 * @throws RefusesToBoot with one sentence for the person who starts it
 */
export async function startParley(environment: Environment): Promise<Parley> {
  const log = openLog(environment.LOG_LEVEL)
  const { DATA_DIR, DATABASE_URL } = environment
  refusing(`DATA_DIR ${DATA_DIR} cannot be used`, () => mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 }))
  const embedded = DATABASE_URL ? undefined : await startEmbeddedPostgres(DATA_DIR, log)
  const sql = openDatabase({ url: DATABASE_URL, socket: embedded?.socket }, environment.DATABASE_CONNECTIONS)
  const closeDatabase = async () => {
    await sql.end({ timeout: 2 })
    await embedded?.stop()
  }
  try {
    await reach(sql)
    await migrate(sql)
    const secrets = DATABASE_URL ? await sharedSecrets(sql) : fileSecrets(DATA_DIR)
    const bus = memoryBus()
    const tail = openTail(sql, bus, () => hub.closeAll())
    const parts: Parts = {
      environment,
      sql,
      bus,
      secrets,
      log,
      write: openWrite(sql, bus, events, tail.uncertain),
      limits: openLimits(memoryLimiter(), environment.RATE_LIMITS === 'on'),
      metrics: openMetrics(),
    }
    const hub = openHub(parts)
    const sweeper = openSweeper(sql, environment.RESUME_WINDOW, log)
    const { server, routes } = listen(parts, hub)
    return {
      url: server.url.origin,
      parts,
      routes,
      sweep: sweeper.sweep,
      async stop() {
        sweeper.stop()
        tail.stop()
        hub.closeAll()
        await Promise.race([server.stop(), Bun.sleep(DRAIN_SECONDS_MAX * 1000)])
        await server.stop(true)
        hub.stop()
        parts.metrics.stop()
        await closeDatabase()
      },
    }
  } catch (error) {
    await closeDatabase()
    throw error
  }
}

function listen(parts: Parts, hub: ReturnType<typeof openHub>) {
  const { environment, log } = parts
  const sessions = openSessions(parts)
  const app = openApp(parts, sessions, hub)
  const edge = openEdge(parts)
  const options: Serve.Options<Client> = {
    port: environment.PORT,
    hostname: environment.HOST,
    reusePort: false,
    development: false,
    idleTimeout: IDLE_SECONDS_MAX,
    maxRequestBodySize: REQUEST_BYTES_MAX,
    ...certificate(environment),
    websocket: socketHandlers(parts, hub, openCommands(parts, hub.presence)),
    fetch: (request, server) =>
      edge(request, server, (arrived) => {
        const { pathname } = new URL(arrived.url)
        if (pathname !== '/ws' && !pathname.startsWith('/api/')) return app.fetch(arrived)
        const answer = pathname === '/ws' ? upgrade(parts, sessions, request, server) : app.fetch(arrived)
        return inTime(answer).catch((error: unknown) => app.refuse(error, arrived))
      }),
    error(error) {
      log('error', 'edge.failed', { error: error.name })
      return new Problem('internal').toResponse(crypto.randomUUID())
    },
  }
  const server = refusing(`PORT ${environment.PORT} of HOST ${environment.HOST} cannot be listened on`, () =>
    Bun.serve(options),
  )
  hub.attach(server)
  return { server, routes: app.routes }
}

/** @throws Problem `unavailable` when the answer takes too long: what it was for may still be done */
async function inTime<T>(answer: T | Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const refuse = () => late.reject(new Problem('unavailable', 'The database does not answer', { retry_after: 1 }))
  const timer = setTimeout(refuse, ANSWER_SECONDS_MAX * 1000)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The key pair with which the server speaks HTTPS, if it does. */
function certificate({ TLS_CERT, TLS_KEY }: Environment) {
  if (TLS_CERT === undefined || TLS_KEY === undefined) return {}
  return refusing('TLS_CERT and TLS_KEY cannot be read', () => ({
    tls: { cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) },
  }))
}

/**
 * Does what only the administrator can mend when it fails.
 * @throws RefusesToBoot `what`, and why
 */
function refusing<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new RefusesToBoot(`${what}: ${error instanceof Error ? error.message : String(error)}.`)
  }
}
