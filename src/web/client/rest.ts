import type { PendingLogin } from '../../core/errors.ts'
import type { AnswerOf, BodyOf, EndpointName, ParametersOf, ProblemShape } from './endpoints.ts'

/** Attempts per request, counting the first, when the server answers 429. */
const TRIES_MAX = 3
/** Longest `retry_after` to wait for, s. Slowmode is never waited for: the page shows it. */
const WAIT_SECONDS_MAX = 20

/** Timeout of a request, which then counts as offline. The server answers within 15 s, but later about a new file. */
const ANSWER_MS_MAX = 60_000

/** A problem that the server answered, or an unreachable server (`status` 0, code `offline`). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: ProblemShape['code'] | 'offline',
    message: string,
    /** The broken rules, by field. */
    readonly errors: { path: string; message: string }[] = [],
    readonly retry_after?: number,
    /** Only with `second_factor_required`: the pending login, for `POST /api/auth/login/second`. */
    readonly pending?: PendingLogin,
  ) {
    super(message)
  }

  /** True if a retry may soon succeed. A server without disk space needs its operator instead. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || (this.status >= 500 && this.code !== 'storage_full')
  }
}

/** True if the server was not reached. */
export const isOffline = (error: unknown): boolean => error instanceof ApiError && error.status === 0

/** The error for a problem of the server. */
export function apiError(problem: ProblemShape): ApiError {
  const { status, code, detail, errors, retry_after, pending_token, methods } = problem
  const pending = pending_token === undefined ? undefined : { pending_token, methods: methods ?? [] }
  return new ApiError(status, code, detail, errors, retry_after, pending)
}

interface RestOptions {
  /** The server's origin; empty for the page's own. */
  base: string
  /** A bearer token; absent if the browser sends the cookie. */
  token?: string | undefined
  /** The account that the page shows, once known: the server refuses the cookie of another account. */
  accountId?: () => number | undefined
  /** Called when the server refuses the token or the cookie. */
  onUnauthorized?: (() => void) | undefined
}

/** Arguments: parameters and query, unless there are none; then the body, if the endpoint takes one. */
type Arguments<K extends EndpointName> =
  BodyOf<K> extends undefined
    ? Record<never, never> extends ParametersOf<K>
      ? [parameters?: ParametersOf<K>]
      : [parameters: ParametersOf<K>]
    : [parameters: ParametersOf<K>, body: BodyOf<K>]

export type Call = <K extends EndpointName>(endpoint: K, ...inputs: Arguments<K>) => Promise<AnswerOf<K>>

/**
 * Creates a function for REST requests by the names of the endpoints:
 * `call('GET /api/channels/:channel_id', { channel_id: 42 })`.
 * The function rejects with ApiError.
 */
export function openRest({ base, token, accountId = () => undefined, onUnauthorized }: RestOptions): Call {
  async function request(method: string, url: string, body: unknown) {
    const headers: Record<string, string> = { accept: 'application/json' }
    const id = accountId()
    if (token !== undefined) headers.authorization = `Bearer ${token}`
    else if (id !== undefined) headers['x-account-id'] = String(id)
    if (body !== undefined) headers['content-type'] = 'application/json'
    const signal = AbortSignal.timeout(ANSWER_MS_MAX)
    const init = { method, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await fetch(url, init).catch(() => {
      throw new ApiError(0, 'offline', 'The server cannot be reached')
    })
    if (response.status === 204) return undefined
    const answer = await response.json().catch(() => undefined)
    if (response.ok) return answer
    if (answer === undefined) throw new ApiError(response.status, 'unavailable', response.statusText)
    if (answer.code === 'unauthorized') onUnauthorized?.()
    throw apiError(answer)
  }

  return async <K extends EndpointName>(endpoint: K, ...inputs: Arguments<K>): Promise<AnswerOf<K>> => {
    const [parameters, body] = inputs as [object?, unknown?]
    const [method = 'GET', path = ''] = endpoint.split(' ')
    const url = base + urlOf(path, parameters)
    for (let tries = 1; ; tries++) {
      try {
        return await request(method, url, body)
      } catch (error) {
        const retry_after = error instanceof ApiError && error.status === 429 ? (error.retry_after ?? 1) : undefined
        const isSlow = error instanceof ApiError && error.code === 'slowmode'
        if (retry_after === undefined || isSlow || tries >= TRIES_MAX || retry_after > WAIT_SECONDS_MAX) throw error
        await new Promise((resolve) => setTimeout(resolve, retry_after * 1000 * (1 + Math.random() / 4)))
      }
    }
  }
}

/** The path with its parameters filled in; the other parameters become the query. */
function urlOf(pattern: string, parameters: object = {}): string {
  const remaining = new Map(Object.entries(parameters).filter(([, value]) => value !== undefined))
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(remaining.get(name))
    remaining.delete(name)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams([...remaining].map(([name, value]) => [name, String(value)])).toString()
  return query ? `${path}?${query}` : path
}
