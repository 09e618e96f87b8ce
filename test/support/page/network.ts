import type { Parley } from '../../../src/parley.ts'

/** The browser that a page names to the server, which lists it among the account's sessions. */
export const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Ends a connection at once, as Bun can. */
const cut = (socket: WebSocket) => (socket as unknown as Bun.WebSocket).terminate()

/** A request of the page, which a test decides on before the server gets it. */
export interface Route {
  request: () => { url: () => string; method: () => string; postDataJSON: () => any }
  /** Sends the request to the server. */
  continue(): void
  /** Fails the request as a lost network does. */
  abort(): void
  /** Asks the server, and leaves it to the test to hand its answer on, changed or not. */
  fetch(): Promise<Response>
  /** Answers in the server's place. */
  fulfill(answer: { status?: number; json?: unknown; body?: string; contentType?: string; response?: Response }): void
}
/** Nothing listens there. */
const NOWHERE = 'ws://127.0.0.1:1'
type Handler = (route: Route) => unknown

/** Pattern of an address, in which `*` stands for a segment and `**` for any text. */
function patternOf(pattern: string | RegExp): RegExp {
  if (pattern instanceof RegExp) return pattern
  const source = pattern
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, (stars) => (stars.length > 1 ? '.*' : '[^/]*'))
  return new RegExp(`^${source}$`)
}

/**
 * The connections of a page to the server: real requests and sockets with the page's own cookies. After `close`,
 * nothing that they bring reaches the page.
 */
export class Network {
  readonly #routes: { pattern: RegExp; handler: Handler }[] = []
  readonly #waiting = new Set<{ pattern: RegExp; resolve: () => void }>()
  readonly #sockets = new Set<WebSocket>()
  readonly #synced = new WeakSet<WebSocket>()
  /** Requests that the server has not answered. */
  #requests = 0
  #ending = new AbortController()
  #isOffline = false

  /** @param cookies of the browser, which several tabs may share */
  constructor(
    private readonly parley: Pick<Parley, 'url'>,
    readonly cookies = new Map<string, string>(),
  ) {}

  get isOffline(): boolean {
    return this.#isOffline
  }

  set isOffline(isOffline: boolean) {
    this.#isOffline = isOffline
    if (isOffline) for (const socket of this.#sockets) cut(socket)
  }

  /** Hands the page's requests to matching addresses to a handler. */
  route(pattern: string | RegExp, handler: Handler): void {
    this.#routes.unshift({ pattern: patternOf(pattern), handler })
  }

  /** True if no request waits for its answer, and every socket has brought what the account sees. */
  get isQuiet(): boolean {
    return this.#requests === 0 && [...this.#sockets].every((socket) => this.#synced.has(socket))
  }

  /** Resolves once the page has the answer to its next request to a matching address, or its failure. */
  answered(pattern: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add({ pattern: patternOf(pattern), resolve })
    return promise
  }

  #tellWaiting(url: string): void {
    for (const waiting of this.#waiting) {
      if (!waiting.pattern.test(url)) continue
      this.#waiting.delete(waiting)
      waiting.resolve()
    }
  }

  unroute(): void {
    this.#routes.length = 0
  }

  /** Ends what the page that is left has open. Its requests are never answered. */
  close(): void {
    this.#ending.abort()
    this.#ending = new AbortController()
    for (const socket of this.#sockets) {
      socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null
      cut(socket)
    }
    this.#sockets.clear()
  }

  /** `fetch` for a page. @param here returns the page's address */
  fetchFor(here: () => string): typeof fetch {
    const ending = this.#ending.signal
    const send = (input: string | URL | Request, init: RequestInit = {}) => {
      const { promise, resolve, reject } = Promise.withResolvers<Response>()
      const url = new URL(input instanceof Request ? input.url : input, here())
      void this.#send(url, init, ending)
        .then(
          (response) => ending.aborted || resolve(response),
          (error: unknown) => ending.aborted || reject(error),
        )
        .finally(() => this.#tellWaiting(url.href))
      return promise
    }
    return send as typeof fetch
  }

  async #send(url: URL, init: RequestInit, ending: AbortSignal): Promise<Response> {
    const route = this.#routes.find(({ pattern }) => pattern.test(url.href))
    const answer = route && (await this.#ask(route.handler, url, init, ending))
    return answer ?? this.#ofServer(url, init, ending)
  }

  async #ofServer(url: URL, init: RequestInit, ending: AbortSignal): Promise<Response> {
    const method = init.method ?? 'GET'
    if (this.#isOffline) throw new TypeError('Failed to fetch')
    const headers = new Headers(init.headers)
    const isOwn = url.origin === new URL(this.parley.url).origin
    headers.set('user-agent', USER_AGENT)
    if (method !== 'GET') headers.set('origin', new URL(this.parley.url).origin)
    if (isOwn) headers.set('sec-fetch-site', 'same-origin')
    if (isOwn && this.cookies.size > 0) headers.set('cookie', this.#cookieHeader())
    const signals = [ending, ...(init.signal ? [init.signal] : [])]
    this.#requests++
    const answer = fetch(url, { ...init, headers, signal: AbortSignal.any(signals) })
    const response = await answer.finally(() => this.#requests--)
    if (isOwn) for (const line of response.headers.getSetCookie()) this.#setCookie(line)
    return response
  }

  /** Lets the handler decide on a request. @returns its answer, or undefined for the server's */
  #ask(handler: Handler, url: URL, init: RequestInit, ending: AbortSignal): Promise<Response | undefined> {
    const { method = 'GET', body } = init
    const { promise, resolve, reject } = Promise.withResolvers<Response | undefined>()
    const route: Route = {
      request: () => ({ url: () => url.href, method: () => method, postDataJSON: () => JSON.parse(String(body)) }),
      continue: () => resolve(undefined),
      abort: () => reject(new TypeError('Failed to fetch')),
      fetch: () => this.#ofServer(url, init, ending),
      fulfill: ({ response, status = response?.status ?? 200, json, body: text, contentType = 'application/json' }) =>
        resolve(new Response(text ?? JSON.stringify(json), { status, headers: { 'content-type': contentType } })),
    }
    void Promise.resolve(handler(route)).catch(reject)
    return promise
  }

  #cookieHeader = () => [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  #setCookie(line: string): void {
    const { name, value, maxAge, expires } = Bun.Cookie.parse(line)
    const isGone = maxAge === 0 || (expires !== undefined && Number(expires) < Date.now())
    if (isGone) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }

  /** `WebSocket` for a page. */
  socketClass(): typeof WebSocket {
    const [sockets, synced, origin] = [this.#sockets, this.#synced, new URL(this.parley.url).origin]
    const addressOf = (url: string | URL) => (this.#isOffline ? NOWHERE : url)
    const headers = () => ({ cookie: this.#cookieHeader(), origin, 'user-agent': USER_AGENT })
    return class extends WebSocket {
      constructor(url: string | URL) {
        super(addressOf(url), { headers: headers() } as never)
        sockets.add(this)
        this.addEventListener('message', ({ data }) => String(data).includes('"t":"synced"') && synced.add(this))
        this.addEventListener('close', () => sockets.delete(this))
      }
    } as typeof WebSocket
  }
}

/** The part of XMLHttpRequest that the client's uploads use, over `fetch`. */
export const requestClass = (send: typeof fetch) =>
  class {
    status = 0
    onload?: () => void
    onerror?: () => void
    onabort?: () => void
    readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
    readonly #headers = new Headers()
    readonly #aborting = new AbortController()
    #target = { method: '', url: '' }

    open(method: string, url: string): void {
      this.#target = { method, url }
    }

    setRequestHeader(name: string, value: string): void {
      this.#headers.set(name, value)
    }

    abort(): void {
      this.#aborting.abort()
    }

    send(body: Blob): void {
      const { method, url } = this.#target
      this.upload.onprogress?.({ loaded: 0, total: body.size })
      void send(url, { method, headers: this.#headers, body, signal: this.#aborting.signal }).then(
        (response) => {
          this.status = response.status
          this.upload.onprogress?.({ loaded: body.size, total: body.size })
          this.onload?.()
        },
        () => (this.#aborting.signal.aborted ? this.onabort : this.onerror)?.(),
      )
    }
  }
