import type { Serve, WebSocketHandler } from 'bun'
import { CertificateFiles } from '../core/certificate-files.ts'
import { codeOf, Problem, RefusesToBoot, refuseToBoot } from '../core/errors.ts'
import type { AnyData, SocketServer } from '../gateway/socket.ts'
import { upgrade } from '../gateway/routes.ts'
import type { Sessions } from '../features/sessions/store.ts'
import type { Parts } from '../parts.ts'
import type { App } from './app.ts'
import { callerOf } from '../http/caller.ts'
import type { Edge } from './edge.ts'
import { Listener } from './listener.ts'

const IDLE_SECONDS_MAX = 30
/** Every request is answered within this time, even if the database hangs. */
const ANSWER_SECONDS_MAX = 15

/** A part of the paths that has its own routes and protocol. */
interface Door {
  takes(path: string): boolean
  /** @returns undefined when the request became a socket */
  fetch(request: Request, server: SocketServer): Promise<Response | undefined>
}

/**
 * Starts the HTTP server: requests pass the edge, then become a socket or go to the app.
 * @throws RefusesToBoot if HOST, PORT, TLS_CERT or TLS_KEY is unusable
 */
export function listen(
  parts: Parts,
  edge: Edge,
  app: App,
  sessions: Sessions,
  websocket: WebSocketHandler<AnyData>,
  door?: Door,
): Listener {
  const { environment, log } = parts
  const { PORT, HOST, TLS_CERT, TLS_KEY } = environment
  let isFirst = true
  const files = CertificateFiles.open(TLS_CERT, TLS_KEY, 'TLS_CERT with TLS_KEY')
  const options = (more: object): Serve.Options<AnyData> => ({
    port: PORT,
    hostname: HOST,
    reusePort: false,
    development: false,
    idleTimeout: IDLE_SECONDS_MAX,
    // The edge and the object store limit bodies with a proper error; Bun would send an empty 413.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    websocket,
    fetch: (request, server) => {
      // Code that runs after the first request is worth compiling: see src/core/start-interpreted.ts.
      if (isFirst) Bun.unsafe.setJITPolicy?.(1)
      isFirst = false
      return edge(request, server, (arrived) => {
        const { path = '' } = callerOf(arrived)
        if (door?.takes(path))
          return inTime(door.fetch(arrived, server)).catch((error: unknown) => app.refuse(error, arrived))
        // Recording a file waits for the object store, which has its own timeouts.
        const waits = path === '/ws' || (path.startsWith('/api/') && path !== '/api/files')
        if (!waits) return app.fetch(arrived)
        const answer = path === '/ws' ? upgrade(parts, sessions, request, server) : app.fetch(arrived)
        return inTime(answer).catch((error: unknown) => app.refuse(error, arrived))
      })
    },
    error(error) {
      log('error', 'edge.failed', { error: error.name })
      return new Problem('internal').toResponse(crypto.randomUUID())
    },
    ...more,
  })
  try {
    return new Listener(options, files, log)
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw new RefusesToBoot(`PORT ${PORT} is in use on ${HOST}.`)
    const syscall = error instanceof Error && 'syscall' in error ? error.syscall : undefined
    if (syscall === 'listen' || syscall === 'getaddrinfo') return refuseToBoot(`HOST ${HOST} with PORT ${PORT}`)(error)
    if (TLS_CERT) return refuseToBoot('TLS_CERT with TLS_KEY')(error)
    throw error
  }
}

/** @throws Problem `unavailable` if the answer takes too long; the requested change may still happen */
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
