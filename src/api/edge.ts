import type { Server as BunServer } from 'bun'
import { bodyBytesMax } from '../http/body.ts'
import { attachCaller, type Caller } from '../http/caller.ts'
import { type DirectoryStore, OBJECTS_PATH } from '../storage/directory-store.ts'
import type { Parts } from '../parts.ts'
import type { BucketPolicy } from '../http/limits/limiter.ts'
import { addressKey } from '../features/sessions/address.ts'
import { Problem } from '../core/errors.ts'
import { ClientAddresses } from './client-address.ts'

const PREFLIGHT_SECONDS = 600
/** Must exceed the idle timeout of the object store, which ends uploads itself with a problem. */
const OBJECT_IDLE_SECONDS_MAX = 90
const HSTS = 'max-age=31536000; includeSubDomains'

/** Limits preflights, and requests refused before routing. Hundreds of browsers may share an address. */
const UNROUTED: BucketPolicy = { name: 'unrouted', burst: 1_000, refillPerS: 100 }

type Handler = (request: Request) => Promise<Response | undefined> | Response | undefined

/** The outermost layer: caller, request id, CORS and size limit; then the response headers, log line and metric. */
export function openEdge(parts: Parts, directory: DirectoryStore | undefined) {
  const { environment, log, metrics } = parts
  const addresses = new ClientAddresses(environment, log)
  const scheme = environment.TLS_CERT ? 'https' : 'http'

  function callerFrom(request: Request, server: BunServer<unknown>): Caller {
    const requestIdHeader = request.headers.get('x-request-id') ?? ''
    const url = urlOf(request)
    const caller: Caller = {
      request_id: /^[\w.-]{1,64}$/.test(requestIdHeader) ? requestIdHeader : crypto.randomUUID(),
      ...addresses.read(request, server.requestIP(request)?.address ?? ''),
      base: environment.PUBLIC_URL ?? `${scheme}://${url?.host ?? ''}`,
      path: url?.pathname,
      headers: {},
    }
    attachCaller(request, caller)
    return caller
  }

  function cors(request: Request, headers: Headers): void {
    // The object store sets its own CORS headers: every origin, without credentials.
    if (headers.has('access-control-allow-origin') || environment.CORS_ORIGINS.length === 0) return
    headers.append('vary', 'origin')
    const origin = request.headers.get('origin')
    if (origin === null || !environment.CORS_ORIGINS.includes(origin)) return
    headers.set('access-control-allow-origin', origin)
    headers.set('access-control-allow-credentials', 'true')
    headers.set('access-control-expose-headers', 'link, x-request-id, retry-after, ratelimit, ratelimit-policy')
  }

  function preflight(request: Request): Response | undefined {
    if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return undefined
    if (!environment.CORS_ORIGINS.includes(request.headers.get('origin') ?? '')) return undefined
    return new Response(null, {
      status: 204,
      headers: {
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
        'access-control-allow-headers': 'authorization, content-type, x-account-id, x-request-id',
        'access-control-max-age': String(PREFLIGHT_SECONDS),
      },
    })
  }

  /** Counts a response that no route produced, by address. @returns the response, or 429 over the limit */
  async function charge(caller: Caller, answer: Response): Promise<Response> {
    try {
      await parts.limits.take(caller, UNROUTED, addressKey(caller.ip))
      return answer
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return error.toResponse(caller.request_id)
    }
  }

  function finish(request: Request, caller: Caller, answer: Response, startMs: number): Response {
    const { headers } = answer
    for (const [name, value] of Object.entries(caller.headers)) headers.set(name, value)
    headers.set('x-request-id', caller.request_id)
    headers.set('x-content-type-options', 'nosniff')
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
    if (caller.base.startsWith('https:')) headers.set('strict-transport-security', HSTS)
    cors(request, headers)
    record(request, caller, answer.status, startMs)
    // For HEAD, Bun sends only the headers, with the body's length.
    return answer
  }

  function record(request: Request, { request_id, user_id, route = 'none' }: Caller, status: number, startMs: number) {
    const ms = performance.now() - startMs
    metrics.requests.observe({ method: request.method, route, status }, ms / 1000)
    log('info', 'request', { request_id, user_id, method: request.method, route, status, ms: Math.round(ms * 10) / 10 })
  }

  /** Passes a request to the handler. An undefined response means that the request became a socket. */
  return async (request: Request, server: BunServer<unknown>, handler: Handler): Promise<Response | undefined> => {
    const startMs = performance.now()
    const caller = callerFrom(request, server)
    const objects = caller.path?.startsWith(`${OBJECTS_PATH}/`) ? directory : undefined
    const refusal = refusalOf(request, caller.path, objects !== undefined)
    if (refusal) return finish(request, caller, await charge(caller, refusal.toResponse(caller.request_id)), startMs)
    if (objects) {
      server.timeout(request, OBJECT_IDLE_SECONDS_MAX)
      caller.route = `${OBJECTS_PATH}/*`
      const objectResponse = await objects.handle(request, caller.request_id)
      // A signed URL is as secret as a token.
      const isSigned = objectResponse.status < 400 && request.method !== 'OPTIONS'
      return finish(request, caller, isSigned ? objectResponse : await charge(caller, objectResponse), startMs)
    }
    // Recording a large file rewrites it first, which takes time.
    if (caller.path === '/api/files') server.timeout(request, OBJECT_IDLE_SECONDS_MAX)
    const preflighted = preflight(request)
    if (preflighted) return finish(request, caller, await charge(caller, preflighted), startMs)
    const answer = await handler(routed(request, caller))
    if (answer) return finish(request, caller, answer, startMs)
    record(request, caller, 101, startMs)
    return undefined
  }
}

export type Edge = ReturnType<typeof openEdge>

/**
 * RFC 9112 §3.2: exactly one Host header, which names a host. Bun joins several with a comma. Allows a name, an IPv4
 * or an IPv6 address, and a port. RFC 3986 §3.2.2 also allows `;` and `'`, which would end a CSP.
 */
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{0,5})?$/

/** Health checks of load balancers use HTTP/1.0, which needs no Host. Bun refuses HTTP/1.1 without one. */
const PROBED = /^\/(?:healthz|readyz)(?:\?|$)/

/** The URL of a request; null if its Host header is invalid, or missing on anything but a health check. */
function urlOf(request: Request): URL | null {
  const host = request.headers.get('host')
  // Without a host, Bun puts only the path into the URL.
  if (host === null) return PROBED.test(request.url) ? new URL(request.url, 'http://localhost') : null
  return HOST.test(host) ? URL.parse(request.url) : null
}

/** The problem of a request that is refused before its body is read, if any. */
function refusalOf(request: Request, path: string | undefined, isObject: boolean): Problem | undefined {
  if (path === undefined) return new Problem('bad_request', 'The Host header names no host')
  const length = Number(request.headers.get('content-length') ?? 0)
  // The object store limits uploads itself.
  return !isObject && length > bodyBytesMax(path) ? new Problem('payload_too_large') : undefined
}

/** The request as routes expect it. RFC 9110 §9.3.2: HEAD is answered like GET, without the body. */
function routed(request: Request, caller: Caller): Request {
  const hasHost = request.headers.has('host')
  if (request.method !== 'HEAD' && hasHost) return request
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const routedRequest = new Request(hasHost ? request.url : new URL(request.url, caller.base), {
    method,
    headers: request.headers,
  })
  attachCaller(routedRequest, caller)
  return routedRequest
}
