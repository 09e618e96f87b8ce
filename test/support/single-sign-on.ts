import { expect } from 'bun:test'
import { errorCodes } from '../../src/core/errors.ts'
import type { Parley } from '../../src/parley.ts'
import { hit } from './coverage.ts'
import { judge, Person } from './harness.ts'

/** The PUBLIC_URL of a server whose port is free: nobody is there, so a Visitor goes to the server itself. */
export const BASE = 'http://localhost:3999'
export const REDIRECT = `${BASE}/api/auth/oidc/callback`

const HOPS_MAX = 10
const PAGE = 'text/html,application/xhtml+xml'

/** A browser without pages: it keeps cookies of each host, and goes where it is sent. */
export class Visitor {
  readonly #jars = new Map<string, Map<string, string>>()

  constructor(
    readonly parley: Parley,
    /** The Accept header: a page, as browsers ask, or anything. */
    readonly accept = PAGE,
  ) {}

  /** Takes a page of the server; its answer is checked against the contract. */
  async get(path: string, headers: Record<string, string> = {}) {
    const answer = await this.#fetch(this.parley.url + path, { headers })
    return judge(this.parley, 'GET', path, answer)
  }

  async post(path: string, token: string, body: object = {}) {
    const answer = await this.#fetch(this.parley.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return judge(this.parley, 'POST', path, answer)
  }

  /** Begins a login. @returns the provider's address */
  async start(query = ''): Promise<string> {
    const answer = await this.get(`/api/auth/oidc/start${query}`)
    expect(answer.status).toBe(302)
    return answer.headers.get('location') ?? ''
  }

  /** Logs in at the provider. @returns the path that it sends the browser back to */
  async atProvider(url: string): Promise<string> {
    for (let hop = 0; hop < HOPS_MAX; hop++) {
      const answer = await this.#fetch(url)
      const location = answer.headers.get('location')
      if (location === null) throw new Error(`The provider answers ${answer.status}: ${await answer.text()}`)
      url = new URL(location, url).href
      if (url.startsWith(BASE)) return url.slice(BASE.length)
    }
    throw new Error('The provider sends in circles')
  }

  /** The whole way. @returns where the browser ends up, without the host */
  async logIn(query = ''): Promise<string> {
    return this.land(await this.atProvider(await this.start(query)))
  }

  /** Comes back to the server. @returns where the browser is sent, without the host */
  async land(path: string): Promise<string> {
    const answer = await this.get(path)
    expect(answer.status).toBe(302)
    const location = answer.headers.get('location') ?? ''
    expect(location.startsWith(`${BASE}/`)).toBe(true)
    // A page receives only the code of an error.
    const [, code = ''] = /#sso=(\w+)$/.exec(location) ?? []
    if (Object.hasOwn(errorCodes, code)) hit(`error ${code as keyof typeof errorCodes}`)
    return location.slice(BASE.length)
  }

  /** Forgets the cookies of the provider, as somebody else at this browser would. */
  forgetProvider({ issuer }: { issuer: string }): void {
    this.#jar(issuer).clear()
  }

  /** A cookie that the server has set. */
  cookie(name: string): string | undefined {
    return this.#jar(this.parley.url).get(name)
  }

  setCookie(name: string, value: string): void {
    this.#jar(this.parley.url).set(name, value)
  }

  /** Account of the browser's session. */
  async who(): Promise<Person> {
    const token = this.cookie('session') ?? ''
    const { status, body } = await this.get('/api/auth/me')
    expect(status).toBe(200)
    return new Person(this.parley, body.id, body.username, body.email, body.display_name, token)
  }

  #jar(url: string): Map<string, string> {
    const { host } = new URL(url)
    const jar = this.#jars.get(host) ?? new Map<string, string>()
    this.#jars.set(host, jar)
    return jar
  }

  async #fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const jar = this.#jar(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: this.accept, ...(cookie === '' ? {} : { cookie }), ...init.headers }
    const answer = await fetch(url, { redirect: 'manual', ...init, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    return answer
  }
}
