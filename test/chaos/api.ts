/** Longer than the server takes to answer that its database is away. */
const ANSWER_MS_MAX = 25_000

export interface Answer {
  /** 0: no answer came. */
  status: number
  body: any
}

export type Api = ReturnType<typeof openApi>

/** Requests to a node, or through the proxy to some node, over keep-alive connections. */
export function openApi(url: string) {
  return {
    /**
     * One request: its answer, or status 0 when the connection broke or no answer came in time.
     * @param once over a new connection: if a keep-alive connection breaks, fetch repeats the request by itself
     */
    async call(
      token: string,
      method: string,
      path: string,
      body?: unknown,
      { ms_max = ANSWER_MS_MAX, once = false } = {},
    ): Promise<Answer> {
      try {
        const response = await fetch(url + path, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          body: body === undefined ? undefined : JSON.stringify(body),
          keepalive: !once,
          signal: AbortSignal.timeout(ms_max),
        })
        const text = await response.text()
        return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
      } catch {
        return { status: 0, body: undefined }
      }
    },
  }
}

/** The answer leaves the outcome of the request unknown, so it must be sent again. */
export const isUncertain = ({ status }: Answer): boolean => status === 0 || status === 503

/** The body of an answer that must be a success. */
export function must({ status, body }: Answer): any {
  if (status < 200 || status > 299) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
  return body
}
