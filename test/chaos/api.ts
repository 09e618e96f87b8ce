/** Longer than the server takes to say that its database is away. */
const ANSWER_MS_MAX = 25_000

export interface Answer {
  /** 0: none came. */
  status: number
  body: any
}

export type Api = ReturnType<typeof openApi>

/** Requests to a node, or by the proxy to some node, over connections that are kept. */
export function openApi(url: string) {
  return {
    /**
     * One request: its answer, or status 0 when the connection broke or no answer came in time.
     * @param once over a connection of its own: on one that was kept and broke, fetch asks a second time by itself
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

/** Whether it says nothing about what became of the request: ask again. */
export const isUncertain = ({ status }: Answer): boolean => status === 0 || status === 503

/** The body of an answer that has to be a good one. */
export function must({ status, body }: Answer): any {
  if (status < 200 || status > 299) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
  return body
}
