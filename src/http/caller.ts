/** What the edge knows about a request before a handler runs. */
export interface Caller {
  request_id: string
  /** The client's IP address: the peer's, or the one that a trusted proxy forwards. */
  ip: string
  /**
   * How the request came: `direct`, through a trusted proxy (`named` when it names the client, else `silent`),
   * or through a proxy that TRUSTED_PROXIES does not name. With PUBLIC_URL, what comes from loopback without
   * X-Forwarded-For is `silent`: it may be from a proxy on this machine.
   */
  way: 'direct' | 'named' | 'silent' | 'untrusted'
  /** The origin that clients use, e.g. `https://chat.example.org`. */
  base: string
  /** The path of the request's URL; undefined where the Host header names no host, or the URL is none. */
  path: string | undefined
  user_id?: number
  /** The pattern of the matched route, for logs and metrics; never the path. */
  route?: string
  /** Bytes of the body, once it is read. */
  body_bytes?: number
  /** Milliseconds for which this thread was at work to parse the body, unless that is short. */
  parse_ms?: number
  /** The processor time of this thread when an anonymous request's validation began; unset once that is counted. */
  validated_from?: NodeJS.CpuUsage | undefined
  /** The tokens of the general limit that this request has taken, by key. */
  taken?: Map<string, number>
  /** Headers that every response to this request gets. */
  headers: Record<string, string>
}

const callers = new WeakMap<Request, Caller>()

/** Attaches the caller to a request, for callerOf(). */
export function attachCaller(request: Request, caller: Caller): void {
  callers.set(request, caller)
}

/** The caller of a request. @throws Error for a request that did not pass the edge */
export function callerOf(request: Request): Caller {
  const caller = callers.get(request)
  if (!caller) throw new Error('This request did not pass the edge')
  return caller
}
