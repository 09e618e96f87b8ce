import { BlockList, isIP } from 'node:net'
import type { Server as BunServer } from 'bun'
import { BODY_BYTES_MAX } from '../http/body.ts'
import { attachCaller, type Caller } from '../http/caller.ts'
import { type EmbeddedS3, OBJECTS_PATH } from '../storage/embedded-s3.ts'
import type { Parts } from '../parts.ts'
import { Problem } from '../core/errors.ts'

const PREFLIGHT_SECONDS = 600
/** The embedded store ends idle uploads itself, in S3's words; Bun's own limit only has to be larger. */
const OBJECT_IDLE_SECONDS_MAX = 90
const HSTS = 'max-age=31536000; includeSubDomains'

type Handler = (request: Request) => Promise<Response | undefined> | Response | undefined

/** The outermost layer: who calls, request id, CORS, size; then the answer's common headers, log line and metric. */
export function openEdge({ environment, log, metrics }: Parts, embeddedS3: EmbeddedS3 | undefined) {
  const clientAddress = addressReader(environment.TRUSTED_PROXIES, (peer) =>
    log('warn', 'proxy.untrusted', { peer, hint: 'X-Forwarded-For is ignored; see TRUSTED_PROXIES' }),
  )
  const scheme = environment.TLS_CERT ? 'https' : 'http'

  function arrive(request: Request, server: BunServer<unknown>): Caller {
    const given = request.headers.get('x-request-id') ?? ''
    const caller: Caller = {
      request_id: /^[\w.-]{1,64}$/.test(given) ? given : crypto.randomUUID(),
      ip: clientAddress(server.requestIP(request)?.address ?? '', request.headers.get('x-forwarded-for')),
      base: environment.PUBLIC_URL ?? `${scheme}://${URL.parse(request.url)?.host ?? ''}`,
      headers: {},
    }
    attachCaller(request, caller)
    return caller
  }

  function cors(request: Request, headers: Headers): void {
    // The embedded store answers for itself: to everyone, without credentials.
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
        'access-control-allow-headers': 'authorization, content-type, x-request-id',
        'access-control-max-age': String(PREFLIGHT_SECONDS),
      },
    })
  }

  function leave(request: Request, caller: Caller, answer: Response, started: number): Response {
    const { headers } = answer
    for (const [name, value] of Object.entries(caller.headers)) headers.set(name, value)
    headers.set('x-request-id', caller.request_id)
    headers.set('x-content-type-options', 'nosniff')
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
    if (caller.base.startsWith('https:')) headers.set('strict-transport-security', HSTS)
    cors(request, headers)
    told(request, caller, answer.status, started)
    // Of an answer to HEAD, Bun sends the headers alone, with the length that the body has.
    return answer
  }

  function told(request: Request, { request_id, user_id, route = 'none' }: Caller, status: number, started: number) {
    const ms = performance.now() - started
    metrics.requests.observe({ method: request.method, route, status }, ms / 1000)
    log('info', 'request', { request_id, user_id, method: request.method, route, status, ms: Math.round(ms * 10) / 10 })
  }

  /** Wraps what answers requests. An answer of undefined means that the request became a socket. */
  return async (request: Request, server: BunServer<unknown>, handler: Handler): Promise<Response | undefined> => {
    const started = performance.now()
    const caller = arrive(request, server)
    const objects = embeddedS3 && isObject(request) ? embeddedS3 : undefined
    const refusal = unreadable(request, objects ? Number.POSITIVE_INFINITY : BODY_BYTES_MAX)
    if (refusal) return leave(request, caller, refusal.toResponse(caller.request_id), started)
    if (objects) {
      server.timeout(request, OBJECT_IDLE_SECONDS_MAX)
      caller.route = `${OBJECTS_PATH}/*`
      return leave(request, caller, await objects.handle(request), started)
    }
    const answer = preflight(request) ?? (await handler(request.method === 'HEAD' ? asGet(request, caller) : request))
    if (answer) return leave(request, caller, answer, started)
    told(request, caller, 101, started)
    return undefined
  }
}

export type Edge = ReturnType<typeof openEdge>

const isObject = ({ url }: Request): boolean =>
  URL.canParse(url) && new URL(url).pathname.startsWith(`${OBJECTS_PATH}/`)

/** What keeps a request from being read at all. */
function unreadable(request: Request, bytes_max: number): Problem | undefined {
  // RFC 9112 §3.2: a Host that is missing or no host. It leaves a URL that nothing behind the edge could parse.
  if (!URL.canParse(request.url)) return new Problem('bad_request', 'The Host header names no host')
  const length = Number(request.headers.get('content-length') ?? 0)
  return length > bytes_max ? new Problem('payload_too_large') : undefined
}

/** HEAD is answered like GET, without the body (RFC 9110 §9.3.2). */
function asGet(request: Request, caller: Caller): Request {
  const get = new Request(request.url, { headers: request.headers })
  attachCaller(get, caller)
  return get
}

/**
 * Reads a client's address: the peer's, unless a trusted proxy forwards another; of a chain, the last that is not ours.
 * @param onUntrusted called once, when a forwarding header comes from elsewhere
 */
export function addressReader(trusted: string[], onUntrusted: (peer: string) => void) {
  const proxies = new BlockList()
  for (const entry of trusted) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(prefix), family)
  }
  const isTrusted = (ip: string) => isIP(ip) !== 0 && proxies.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
  let warned = false
  return (peer: string, forwarded: string | null): string => {
    const address = plain(peer)
    if (forwarded === null) return address
    if (!isTrusted(address)) {
      if (!warned) onUntrusted(address)
      warned = true
      return address
    }
    const chain = forwarded.split(',').map((part) => plain(part.trim()))
    const client = chain.findLast((ip) => !isTrusted(ip))
    return client !== undefined && isIP(client) !== 0 ? client : address
  }
}

/** An IPv4 address that arrived over an IPv6 socket is an IPv4 address. */
const plain = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.)/i, '')
