import { mkdtempSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Happened, installAgent } from './agent.ts'

const DRIVER = 'WebKitWebDriver'
const BROWSER = '/usr/lib/*/webkit2gtk-4.*/MiniBrowser'
/** Time for the driver to listen, ms. */
const START_MS_MAX = 60_000
/** A driver that has not answered by then will not. */
const ANSWER_MS_MAX = 120_000

interface Cookie {
  name: string
  value: string
  httpOnly?: boolean
  secure?: boolean
  domain: string
  path?: string
}

/** An error of WebDriver. Its name is the code. */
export class DriverError extends Error {}

/** A browser with its windows, driven by W3C WebDriver. It does one thing after another. */
export class Session {
  #id = ''
  #window = ''
  #url = ''
  #turn: Promise<unknown> = Promise.resolve()
  #process: Bun.Subprocess | undefined
  /** The browser downloads into its home. */
  readonly #home = mkdtempSync(join(homedir(), 'home-'))
  readonly #downloads = new Set<string>()
  readonly #cookies: Cookie[] = []
  readonly #origins = new Set<string>()

  /** Starts a browser, whose language is English. */
  static async open(): Promise<Session> {
    const session = new Session()
    const port = freePort()
    session.#url = `http://127.0.0.1:${port}`
    session.#process = Bun.spawn([DRIVER, `--port=${port}`, '--host=127.0.0.1'], {
      env: { ...process.env, HOME: session.#home, LC_ALL: 'C', GIO_USE_PROXY_RESOLVER: 'dummy' },
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const [binary = ''] = [...new Bun.Glob(BROWSER.slice(1)).scanSync({ cwd: '/', absolute: true, onlyFiles: true })]
    const options = { binary, args: ['--automation'] }
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options, pageLoadStrategy: 'normal' } }
    for (const deadline = performance.now() + START_MS_MAX; ; await Bun.sleep(50))
      try {
        const { sessionId } = await session.#fetch('POST', '/session', { capabilities })
        session.#id = sessionId
        session.#window = await session.#fetch('GET', `/session/${sessionId}/window`)
        return session
      } catch (error) {
        if (error instanceof DriverError || performance.now() > deadline) throw error
      }
  }

  async #fetch(method: string, path: string, body?: object): Promise<any> {
    const init = { method, ...(body ? { body: JSON.stringify(body) } : {}), signal: AbortSignal.timeout(ANSWER_MS_MAX) }
    const { value } = (await (await fetch(this.#url + path, init)).json()) as { value: any }
    if (value?.error) throw Object.assign(new DriverError(value.message), { name: value.error })
    return value
  }

  /** Sends a command to a window, after those before it. */
  do(window: string, method: string, path: string, body?: object): Promise<any> {
    const work = this.#turn.then(async () => {
      if (window !== this.#window) await this.#fetch('POST', `/session/${this.#id}/window`, { handle: window })
      this.#window = window
      return this.#fetch(method, `/session/${this.#id}${path}`, body)
    })
    this.#turn = work.catch(() => {})
    return work
  }

  /** The window that the browser has begun with. */
  get first(): string {
    return this.#window
  }

  /** Opens a window for a further page: a tab behind another one could not be brought to the front. */
  async openWindow(): Promise<string> {
    return (await this.do(this.#window, 'POST', '/window/new', { type: 'window' })).handle
  }

  /** For the sites that are opened from now on. */
  keepCookie(cookie: Cookie): void {
    this.#cookies.push(cookie)
    this.#origins.clear()
  }

  async goto(window: string, url: string): Promise<void> {
    const { origin, hostname } = new URL(url)
    const cookies = this.#cookies.filter(({ domain }) => domain === hostname)
    if (cookies.length > 0 && !this.#origins.has(origin)) {
      // WebDriver sets cookies only for the site that is open.
      this.#origins.add(origin)
      await this.do(window, 'POST', '/url', { url: `${origin}/healthz` })
      for (const cookie of cookies) await this.do(window, 'POST', '/cookie', { cookie })
    }
    await this.do(window, 'POST', '/url', { url })
  }

  /** Runs an async function body, of which `agent` is the agent of the document. @returns undefined without one */
  run<T>(window: string, body: string, ...args: unknown[]): Promise<T | undefined> {
    const script = `
      const [input, done] = [[...arguments].slice(0, -1), arguments[arguments.length - 1]];
      const agent = window.parleyAgent;
      if (!agent) return done(null);
      (async () => {${body}})().then(done, (error) => done({ failed: String(error) }));`
    return this.do(window, 'POST', '/execute/async', { script, args })
  }

  async install(window: string, realm: string): Promise<void> {
    const script = `(${installAgent})(arguments[0])`
    await this.do(window, 'POST', '/execute/sync', { script, args: [realm] })
  }

  happened = (window: string): Promise<Happened | undefined> => this.run(window, 'return agent.happened()')

  /** Names of files whose download has begun since the last question. */
  newDownloads(): string[] {
    const names = [...new Bun.Glob('*').scanSync({ cwd: this.#home })].filter((name) => !this.#downloads.has(name))
    for (const name of names) this.#downloads.add(name)
    return names
  }

  async end(): Promise<void> {
    await this.#fetch('DELETE', `/session/${this.#id}`).catch(() => {})
    this.#process?.kill()
  }
}

function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  return port
}
