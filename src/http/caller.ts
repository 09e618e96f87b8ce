/** What the edge knows of a request before any handler runs. */
export interface Caller {
  request_id: string
  /** The client's address: the peer's, or what a trusted proxy forwards. */
  ip: string
  /** The origin that clients use, e.g. `https://chat.example.org`. */
  base: string
  user_id?: number
  /** The matched route's pattern, never the path: it goes into logs and metrics. */
  route?: string
  /** Headers that the answer gets, whatever it is. */
  headers: Record<string, string>
}

const callers = new WeakMap<Request, Caller>()

/** Attaches what the edge found out, for everything behind it. */
export function attachCaller(request: Request, caller: Caller): void {
  callers.set(request, caller)
}

/** The caller of a request that came in through the edge. */
export function callerOf(request: Request): Caller {
  const caller = callers.get(request)
  if (!caller) throw new Error('This request did not come through the edge')
  return caller
}
