import type { Server } from 'bun'

/** Names of the second release's files and worker: the browser takes them for other files. No name contains it. */
const MARK = 'secondrelease'

/** A text of the second release: the names of its scripts, and the version of its worker. */
const secondOf = (text: string): string =>
  text.replace(/((?:main|part)-[\w-]+)\.js/g, `$1${MARK}.js`).replace(/version:"/, `$&${MARK}`)

/** Proxies a page's connection to the gateway. */
interface Passed {
  onward: WebSocket
  /** Messages that the page sent before the connection opened. */
  early: string[]
}

/** Two releases of the web client at one address: the server's own, and one of another script and another worker. */
export class Releases {
  /** True once the second release is out. */
  isSecond = false
  /** True if pages are delayed, as by a slow network; files and requests are not. */
  isSlow = false
  /** True if the list of the client's files is that of the release that is out; else always that of the first one. */
  isListed = false
  /** A part of the paths of files that the server has changed without naming other hashes. */
  changedFile: string | undefined
  /** True if the browser may not keep files in its own cache. */
  isUncached = false
  /** True if the browser gets the second release's worker, and every page the first one's. */
  isWorkerHidden = false
  /** A part of the names of files that are held back as well. */
  slowFile: string | undefined
  readonly #waiting: (() => void)[] = []
  #madeList: Promise<string> | undefined
  readonly #server: Server<Passed>

  private constructor(private readonly to: string) {
    this.#server = Bun.serve<Passed>({
      port: 0,
      hostname: '127.0.0.1',
      // Delayed pages stay delayed, and a busy machine needs time for the first page.
      idleTimeout: 0,
      fetch: (request) => (request.headers.has('upgrade') ? this.#upgrade(request) : this.#answer(request)),
      websocket: {
        open(socket) {
          const { onward, early } = socket.data
          onward.onopen = () => early.splice(0).forEach((text) => onward.send(text))
          onward.onmessage = ({ data }) => void socket.send(data)
          onward.onclose = () => socket.close()
        },
        message({ data: { onward, early } }, text) {
          if (onward.readyState === WebSocket.OPEN) onward.send(String(text))
          else early.push(String(text))
        },
        close: ({ data: { onward } }) => onward.close(),
      },
    })
  }

  /** A file that is answered no sooner than pages that are held back. */
  static readonly HELD = '/assets/held.js'

  static of = (url: string): Releases => new Releases(url)

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  /** True if the page's script belongs to the second release. */
  static readonly isSecondScript = (src: string): boolean => src.includes(MARK)

  /** Lets through what is held back, and later ones. */
  hurry(): void {
    this.isSlow = false
    this.slowFile = undefined
    for (const go of this.#waiting.splice(0)) go()
  }

  async close(): Promise<void> {
    this.hurry()
    await this.#server.stop(true)
  }

  #upgrade(request: Request): Response | undefined {
    const { pathname, search } = new URL(request.url)
    const headers = { cookie: request.headers.get('cookie') ?? '', origin: this.to }
    const onward = new WebSocket(this.to.replace('http', 'ws') + pathname + search, { headers } as never)
    if (this.#server.upgrade(request, { data: { onward, early: [] } })) return undefined
    onward.close()
    return new Response(null, { status: 400 })
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const isPage = request.headers.get('sec-fetch-mode') === 'navigate'
    const isSlowFile = this.slowFile !== undefined && pathname.includes(this.slowFile)
    if (pathname === Releases.HELD || (this.isSlow && isPage) || isSlowFile)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    const headers = new Headers(request.headers)
    // The tag of a file is that of the first release.
    for (const name of ['host', 'origin', 'if-none-match']) headers.delete(name)
    headers.set('accept-encoding', 'identity')
    const body = request.method === 'GET' ? undefined : await request.arrayBuffer()
    const init = { method: request.method, headers, redirect: 'manual' as const, ...(body ? { body } : {}) }
    const answer = await fetch(this.to + pathname.replace(MARK, '') + search, init)
    const type = answer.headers.get('content-type') ?? ''
    if (pathname === '/client.sha256' && this.isSecond && this.isListed)
      return new Response(await this.#secondList(await answer.text()))
    const isFirstAsked = type.startsWith('text/html') || pathname === '/worker.js'
    const isHidden = this.isWorkerHidden && request.headers.get('service-worker') === 'script'
    const isChanged = pathname.includes(MARK) || (this.isSecond && isFirstAsked) || isHidden
    const responseInit = { status: answer.status, headers: new Headers(answer.headers) }
    if (this.isUncached) responseInit.headers.set('cache-control', 'no-store')
    responseInit.headers.delete('content-length')
    if (this.changedFile !== undefined && pathname.includes(this.changedFile))
      return new Response(`${await answer.text()}\n`, responseInit)
    if (!isChanged) return new Response(answer.body, responseInit)
    return new Response(secondOf(await answer.text()), responseInit)
  }

  /** Made once: it needs every file of the server, which limits requests. */
  #secondList = (list: string): Promise<string> => (this.#madeList ??= this.#makeList(list))

  /** The list of the second release's files. */
  async #makeList(list: string): Promise<string> {
    const lines = list
      .trimEnd()
      .split('\n')
      .map(async (line) => {
        const [, path = ''] = line.split('  ')
        const name = secondOf(path)
        if (name === path && path !== 'app' && path !== 'worker.js') return line
        const text = secondOf(await (await fetch(`${this.to}/${path}`)).text())
        return `${new Bun.SHA256().update(text).digest('hex')}  ${name}`
      })
    return `${(await Promise.all(lines)).join('\n')}\n`
  }
}
