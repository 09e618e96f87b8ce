import { onTestFinished } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../until.ts'
import { CHROMIUM, FLAGS } from './chromium.ts'

interface Answer {
  id?: number
  error?: { message: string }
  result?: { exceptionDetails?: { exception?: { description?: string } }; result?: { value: unknown } }
}

/**
 * A Chromium page with a debugger on the page only. playwright also debugs the workers. Chromium then loses a
 * navigation that it gave to a worker while it replaced that worker, and the navigation never ends: 24 of 134 reloads
 * were lost, but none of 339 without a debugger on the workers.
 */
export class Undebugged {
  #last = 0
  readonly #pending = new Map<number, (answer: Answer) => void>()

  private constructor(private readonly socket: WebSocket) {
    socket.onmessage = ({ data }) => {
      const answer = JSON.parse(String(data)) as Answer
      if (answer.id !== undefined) this.#pending.get(answer.id)?.(answer)
    }
  }

  /** Starts a browser, which ends with the test. */
  static async open(): Promise<Undebugged> {
    const profile = mkdtempSync(join(tmpdir(), 'parley-undebugged-'))
    const flags = [...FLAGS, '--headless', '--remote-debugging-port=0', '--lang=en-GB', `--user-data-dir=${profile}`]
    const browser = Bun.spawn([CHROMIUM, ...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore'] })
    onTestFinished(async () => {
      browser.kill()
      await browser.exited
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    })
    const file = join(profile, 'DevToolsActivePort')
    await until(() => existsSync(file) && readFileSync(file, 'utf8').includes('\n'))
    const list = `http://127.0.0.1:${readFileSync(file, 'utf8').split('\n')[0]}/json/list`
    const pages: { type: string; webSocketDebuggerUrl: string }[] = []
    await until(async () => {
      pages.push(...((await (await fetch(list)).json()) as typeof pages).filter(({ type }) => type === 'page'))
      return pages.length > 0
    })
    const socket = new WebSocket(pages[0]?.webSocketDebuggerUrl ?? '')
    await new Promise((resolve) => (socket.onopen = resolve))
    return new Undebugged(socket)
  }

  async #call(method: string, params: object): Promise<Answer> {
    const id = ++this.#last
    const { promise, resolve } = Promise.withResolvers<Answer>()
    this.#pending.set(id, resolve)
    this.socket.send(JSON.stringify({ id, method, params }))
    const answer = await promise
    this.#pending.delete(id)
    return answer
  }

  async logIn(token: string, url: string): Promise<void> {
    await this.#call('Network.setCookie', { name: 'session', value: token, url, httpOnly: true })
  }

  /** @throws Error when the function throws, or when the page goes away meanwhile */
  async evaluate<A, T>(run: (input: A) => T | Promise<T>, input: A): Promise<T>
  async evaluate<T>(run: () => T | Promise<T>): Promise<T>
  async evaluate<A, T>(run: (input: A) => T | Promise<T>, input?: A): Promise<T> {
    const expression = `(${run})(${JSON.stringify(input)})`
    const answer = await this.#call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    const fault = answer.error?.message ?? answer.result?.exceptionDetails?.exception?.description
    if (fault !== undefined) throw new Error(fault)
    return answer.result?.result?.value as T
  }

  /** Resolves once a condition holds in the page, or in the one that follows. */
  until = <A>(condition: (input: A) => boolean | Promise<boolean>, input?: A): Promise<void> =>
    until(() => this.evaluate(condition, input as A).catch(() => false))

  async goto(url: string): Promise<void> {
    await this.#call('Page.navigate', { url })
    await this.#next()
  }

  /** Resolves once there is the next page's script. */
  async reload(): Promise<void> {
    await this.evaluate(() => void Object.assign(window, { isLeft: true }))
    await this.#call('Page.reload', {})
    await this.#next()
  }

  #next = (): Promise<void> => this.until(() => !('isLeft' in window) && document.querySelector('script[src]') !== null)
}
