import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Serve } from 'bun'
import type { Elysia } from 'elysia'
import { openDatabase, reach } from './database/database.ts'
import { startEmbeddedPostgres } from './database/embedded-postgres.ts'
import { type EmbeddedS3, OBJECTS_PATH, openEmbeddedS3 } from './storage/embedded-s3.ts'
import { openLimits } from './http/limits/limits.ts'
import { errorFields, type Log, openLog } from './core/log.ts'
import { openMetrics } from './core/metrics.ts'
import { migrate } from './database/migrate.ts'
import { openObjectStore } from './storage/object-store.ts'
import type { Parts } from './parts.ts'
import { openSweeper } from './database/sweeper.ts'
import { fileSecrets, type Secrets, sharedSecrets } from './database/secrets.ts'
import { renewLogOrigin } from './events/log-origin.ts'
import { openWrite } from './events/write.ts'
import { announce } from './turn/announced-address.ts'
import { openApp } from './api/app.ts'
import { type Calls, openCalls } from './voice/open-calls.ts'
import { events } from './api/asyncapi.ts'
import { Problem, RefusesToBoot } from './core/errors.ts'
import { openEdge } from './api/edge.ts'
import type { Environment } from './environment.ts'
import { openErasure } from './features/accounts/erasure.ts'
import { openOutbox } from './features/files/outbox.ts'
import type { Client } from './gateway/client.ts'
import { openCommands } from './gateway/commands.ts'
import { type Hub, openHub } from './gateway/hub.ts'
import { upgrade } from './gateway/routes.ts'
import { socketHandlers } from './gateway/sockets.ts'
import { openSessions } from './features/sessions/store.ts'
import { openShared, type Shared } from './cluster/cluster.ts'

/** How long requests in flight may take to end when the server stops. */
const DRAIN_SECONDS_MAX = 5
const IDLE_SECONDS_MAX = 30
/** Within this time a request is answered, though the database stand still. */
const ANSWER_SECONDS_MAX = 15

export interface Parley {
  /** Where it listens, e.g. `http://127.0.0.1:3000`. */
  url: string
  parts: Parts
  turn: Calls['turn']
  media: Calls['media']
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
export async function startParley(configured: Environment): Promise<Parley> {
  const log = openLog(configured.LOG_LEVEL)
  const environment = await announce(configured, log)
  await mkdir(environment.DATA_DIR, { recursive: true, mode: 0o700 }).catch(refuse('DATA_DIR'))
  const embedded = environment.DATABASE_URL ? undefined : await startEmbeddedPostgres(environment.DATA_DIR, log)
  const address = { url: environment.DATABASE_URL, socket: embedded?.socket }
  const sql = openDatabase(address, environment.DATABASE_CONNECTIONS)
  let calls: Calls | undefined
  let shared: Shared | undefined
  const closeDatabase = async () => {
    await calls?.stop()
    await shared?.stop()
    await sql.end({ timeout: 2 })
    await embedded?.stop()
  }
  try {
    await reach(sql)
    await migrate(sql)
    await renewLogOrigin(sql, log)
    const secrets = environment.DATABASE_URL ? await sharedSecrets(sql) : fileSecrets(environment.DATA_DIR)
    shared = openShared(environment, secrets, address, sql, () => hub.closeAll(), log)
    const { bus, nodes, leases, limiter, uncertain, leave } = shared
    const { objects, embeddedS3 } = await openObjects(environment, secrets, log)
    const parts: Parts = {
      environment,
      sql,
      bus,
      nodes,
      leases,
      secrets,
      objects,
      log,
      write: openWrite(sql, bus, events, uncertain, leave),
      limits: openLimits(limiter, environment.RATE_LIMITS === 'on'),
      metrics: openMetrics(),
    }
    const { voice, turn, media, start } = (calls = openCalls(parts))
    const hub = openHub(parts, voice)
    await shared.start()
    const { RESUME_WINDOW } = environment
    const jobs = [openSweeper(sql, RESUME_WINDOW, log), openErasure(parts), openOutbox(parts)]
    const { server, routes } = listen(parts, hub, calls, embeddedS3)
    await start()
    return {
      url: server.url.origin,
      parts,
      turn,
      media,
      routes,
      async sweep() {
        for (const job of jobs) await job.run()
      },
      async stop() {
        for (const job of jobs) job.stop()
        hub.closeAll()
        await Promise.race([server.stop(), Bun.sleep(DRAIN_SECONDS_MAX * 1000)])
        await server.stop(true)
        embeddedS3?.close()
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

/** The store of files: a real S3 when one is given, else our own under DATA_DIR, without a network between. */
async function openObjects(environment: Environment, secrets: Secrets, log: Log) {
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION, S3_BUCKET, PUBLIC_URL } = environment
  const place = { region: S3_REGION, bucket: S3_BUCKET, public_endpoint: environment.S3_PUBLIC_ENDPOINT }
  if (S3_ENDPOINT && S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY) {
    const credentials = { access_key_id: S3_ACCESS_KEY_ID, secret_access_key: S3_SECRET_ACCESS_KEY }
    const path_style = environment.S3_PATH_STYLE === 'on'
    return { objects: await openObjectStore({ endpoint: S3_ENDPOINT, path_style, ...place, ...credentials }) }
  }
  const credentials = { access_key_id: secrets.objects_key_id, secret_access_key: secrets.objects_secret }
  const embeddedS3 = openEmbeddedS3(
    join(environment.DATA_DIR, 'objects'),
    { ...place, ...credentials },
    {
      object_bytes_max: environment.MAX_FILE_BYTES,
      public_host: PUBLIC_URL && new URL(PUBLIC_URL).host,
      onFailure: (error) => log('error', 'objects.failed', errorFields(error)),
    },
  )
  const endpoint = `${PUBLIC_URL ?? 'http://localhost'}${OBJECTS_PATH}`
  const address = { endpoint, path_style: true, ...place, public_endpoint: undefined, ...credentials }
  return { objects: await openObjectStore(address, { handle: embeddedS3.handle, path: OBJECTS_PATH }), embeddedS3 }
}

/** Says of what was configured why the system does not take it. */
const refuse =
  (what: string) =>
  (error: unknown): never => {
    throw new RefusesToBoot(`${what} is not usable: ${error instanceof Error ? error.message : String(error)}.`)
  }

function listen(parts: Parts, hub: Hub, calls: Calls, embeddedS3: EmbeddedS3 | undefined) {
  const { environment, log } = parts
  const sessions = openSessions(parts)
  const app = openApp(parts, sessions, hub, calls)
  const edge = openEdge(parts, embeddedS3)
  const options: Serve.Options<Client> = {
    port: environment.PORT,
    hostname: environment.HOST,
    reusePort: false,
    development: false,
    idleTimeout: IDLE_SECONDS_MAX,
    // Bodies are bounded by the edge and the object store: they answer in words, where Bun answers with a bare 413.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    ...(environment.TLS_CERT && environment.TLS_KEY
      ? { tls: { cert: Bun.file(environment.TLS_CERT), key: Bun.file(environment.TLS_KEY) } }
      : {}),
    websocket: socketHandlers(parts, hub, openCommands(parts, hub.presence, calls.voice)),
    fetch: (request, server) =>
      edge(request, server, (arrived) => {
        const { pathname } = new URL(arrived.url)
        // Recording a file waits for the object store, which has limits of its own.
        const waits = pathname === '/ws' || (pathname.startsWith('/api/') && pathname !== '/api/files')
        if (!waits) return app.fetch(arrived)
        const answer = pathname === '/ws' ? upgrade(parts, sessions, request, server) : app.fetch(arrived)
        return inTime(answer).catch((error: unknown) => app.refuse(error, arrived))
      }),
    error(error) {
      log('error', 'edge.failed', { error: error.name })
      return new Problem('internal').toResponse(crypto.randomUUID())
    },
  }
  try {
    const server = Bun.serve(options)
    hub.attach(server)
    return { server, routes: app.routes }
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    const { HOST, PORT, TLS_CERT } = environment
    if (code === 'EADDRINUSE') throw new RefusesToBoot(`PORT ${PORT} is in use on ${HOST}.`)
    if (syscall === 'listen' || syscall === 'getaddrinfo') return refuse(`HOST ${HOST} with PORT ${PORT}`)(error)
    if (TLS_CERT) return refuse('TLS_CERT with TLS_KEY')(error)
    throw error
  }
}

/** @throws Problem `unavailable` when the answer takes too long: what it was for may still be done */
async function inTime<T>(answer: T | Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const refuseLate = () => late.reject(new Problem('unavailable', 'The database does not answer', { retry_after: 1 }))
  const timer = setTimeout(refuseLate, ANSWER_SECONDS_MAX * 1000)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
