/** Facts about a request that are known before a handler runs. */
export interface Caller {
  request_id: string
  /** The client's IP address: the peer's, or the one forwarded by a trusted proxy. */
  ip: string
  /**
   * How the request arrived: `direct`; through a trusted proxy, which names the client (`named`) or does not
   * (`silent`); or through a proxy missing from TRUSTED_PROXIES (`untrusted`). With PUBLIC_URL set, a request from
   * loopback without X-Forwarded-For is `silent`: a proxy on this machine may have sent it.
   */
  way: 'direct' | 'named' | 'silent' | 'untrusted'
  /** The origin that clients use, e.g. `https://chat.example.org`. */
  base: string
  /** The path of the request's URL; undefined if the Host header or the URL is malformed. */
  path: string | undefined
  user_id?: number
  /** The pattern of the matched route, for logs and metrics; never the path itself. */
  route?: string
  /** Size of the body, once it has been read. */
  bodyBytes?: number
  /** Processor time spent parsing the body, in ms; absent for short bodies. */
  parseMs?: number
  /** This thread's processor usage when validation of an anonymous request began; cleared once it is counted. */
  validatedFrom?: NodeJS.CpuUsage | undefined
  /** Tokens that this request took from the general limit, by key. */
  taken?: Map<string, number>
  /** Headers added to every response to this request. */
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
