import type { AnswerOf, BodyOf, EndpointName, ParametersOf, ProblemShape } from './endpoints.ts'

/** How often a refusal for too many requests is waited out before it is passed on. */
const PATIENCE = 3
const WAIT_SECONDS_MAX = 20

/** What the server refused, or that it could not be reached (`status` 0, code `offline`). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: ProblemShape['code'] | 'offline',
    message: string,
    /** The rules that were broken, by field. */
    readonly errors: { path: string; message: string }[] = [],
    readonly retry_after?: number,
  ) {
    super(message)
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

/** The error that a problem means. */
export const apiError = (problem: ProblemShape): ApiError =>
  new ApiError(problem.status, problem.code, problem.detail, problem.errors, problem.retry_after)

interface Reach {
  /** The origin of the server; empty for the own one. */
  base: string
  /** A bearer token; without it the cookie speaks. */
  token?: string | undefined
}

/** Arguments: parameters and query, unless there are none; then the body, if the endpoint takes one. */
type Given<K extends EndpointName> =
  BodyOf<K> extends undefined
    ? Record<never, never> extends ParametersOf<K>
      ? [parameters?: ParametersOf<K>]
      : [parameters: ParametersOf<K>]
    : [parameters: ParametersOf<K>, body: BodyOf<K>]

export type Call = <K extends EndpointName>(endpoint: K, ...given: Given<K>) => Promise<AnswerOf<K>>

/**
 * The REST side of the contract, by the names of its endpoints:
 * `call('GET /api/channels/:channel_id', { channel_id: 42 })`.
 * @returns a function that throws ApiError
 */
export function openApi({ base, token }: Reach): Call {
  async function once(method: string, url: string, body: unknown): Promise<unknown> {
    const headers: Record<string, string> = { accept: 'application/json' }
    if (token !== undefined) headers.authorization = `Bearer ${token}`
    if (body !== undefined) headers['content-type'] = 'application/json'
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await fetch(url, init).catch(() => {
      throw new ApiError(0, 'offline', 'The server cannot be reached')
    })
    if (response.status === 204) return undefined
    const answer: unknown = await response.json().catch(() => undefined)
    if (response.ok) return answer
    if (answer === undefined) throw new ApiError(response.status, 'unavailable', response.statusText)
    throw apiError(answer as ProblemShape)
  }

  return async <K extends EndpointName>(endpoint: K, ...given: Given<K>): Promise<AnswerOf<K>> => {
    const [parameters, body] = given as [object?, unknown?]
    const [method = 'GET', path = ''] = endpoint.split(' ')
    const url = base + addressOf(path, parameters)
    for (let tries = 1; ; tries++) {
      try {
        return (await once(method, url, body)) as AnswerOf<K>
      } catch (error) {
        const { status, retry_after = 1 } = error as ApiError
        if (status !== 429 || tries >= PATIENCE || retry_after > WAIT_SECONDS_MAX) throw error
        await new Promise((resolve) => setTimeout(resolve, retry_after * 1000 * (1 + Math.random() / 4)))
      }
    }
  }
}

/** The path with its parameters filled in; what is left of them is the query. */
function addressOf(pattern: string, parameters: object = {}): string {
  const left = new Map(Object.entries(parameters).filter(([, value]) => value !== undefined))
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(left.get(name))
    left.delete(name)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams([...left].map(([name, value]) => [name, String(value)])).toString()
  return query ? `${path}?${query}` : path
}
