import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Parley } from '../../src/parley.ts'
import { debianProgram } from '../support/debian.ts'
import { boot, PASSWORD, type Person, person, newServer, stop, until } from '../support/harness.ts'
import { freePort } from '../support/ports.ts'
import { caddy, haproxy, nginx, type Site } from '../support/proxy-commands.ts'
import { Gateway } from '../support/socket.ts'

const START_MS = 60_000
/** For 100 MiB there and back through TLS, by a machine that also runs other tests. */
const FILE_MS = 300_000
const IDLE_MS = 20_000
/** The default of MAX_FILE_BYTES. */
const FILE_BYTES = 104_857_600
const NAME = 'chat.example.org'
const METRICS_TOKEN = 'a-token-for-the-metrics'

interface Asked {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** The client's loopback address. */
  from?: string
}

interface Answered {
  status: number
  headers: IncomingHttpHeaders
  text: string
  bytes: Buffer
}

class Proxy {
  readonly site: Site
  readonly origin: string
  readonly ca: string
  private child: Bun.Subprocess | undefined
  parley!: Parley
  /** An account that only the test of silence uses, and its socket. */
  silence!: { carol: Person; channel_id: number; live: Gateway; lastFrameAt: () => number }

  constructor(directory: string, http: number, https: number, port: number) {
    this.site = { directory, http, https, port }
    this.origin = `https://${NAME}:${https}`
    const result = Bun.spawnSync([
      ...'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' '),
      '-subj',
      `/CN=${NAME}`,
      '-addext',
      `subjectAltName=DNS:${NAME},IP:127.0.0.1`,
      '-keyout',
      join(directory, 'key.pem'),
      '-out',
      join(directory, 'cert.pem'),
    ])
    expect(result.exitCode).toBe(0)
    this.ca = readFileSync(join(directory, 'cert.pem'), 'utf8')
  }

  async start(command: string[]): Promise<void> {
    const { directory, port } = this.site
    this.parley = await boot({
      PORT: `${port}`,
      PUBLIC_URL: this.origin,
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMITS: 'on',
      METRICS_TOKEN,
    })
    const env = { PATH: process.env.PATH, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }
    this.child = Bun.spawn(command, { env, stdio: ['ignore', 'ignore', Bun.file(join(directory, 'stderr'))] })
    const answers = () => this.ask('/healthz').then(({ status }) => status === 200)
    await until(() => answers().catch(() => false), START_MS / 2).catch((error: Error) => {
      throw new Error(`${error.message}: ${readFileSync(join(directory, 'stderr'), 'utf8')}`)
    })
    const carol = await person(this.parley, 'carol')
    const { channel_id } = await newServer(carol)
    const live = this.connect(`?token=${carol.token}`)
    let lastFrameAt = 0
    live.socket.addEventListener('message', () => (lastFrameAt = performance.now()))
    await live.next('synced')
    await this.say(carol, channel_id, live, 'At once')
    this.silence = { carol, channel_id, live, lastFrameAt: () => lastFrameAt }
  }

  /** Sends a message, which the socket has to receive. */
  async say(author: Person, channelId: number, live: Gateway, content: string): Promise<void> {
    expect((await this.json(`/api/channels/${channelId}/messages`, author, { content })).status).toBe(201)
    await live.next('message.created', ({ d }) => d.content === content)
  }

  async stop(): Promise<void> {
    this.child?.kill('SIGTERM')
    await this.child?.exited
    await stop(this.parley)
  }

  /** Sends a request over TLS, as a client of the public name. */
  ask(path: string, { method = 'GET', headers = {}, body, from = '127.0.0.1' }: Asked = {}): Promise<Answered> {
    const { promise, resolve, reject } = Promise.withResolvers<Answered>()
    const asking = request(
      {
        host: from.includes(':') ? '::1' : '127.0.0.1',
        port: this.site.https,
        servername: NAME,
        ca: this.ca,
        localAddress: from,
        agent: false,
        path,
        method,
        headers: { host: `${NAME}:${this.site.https}`, ...headers },
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => {
          const bytes = Buffer.concat(parts)
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString(), bytes })
        })
      },
    )
    asking.on('error', reject)
    asking.end(body)
    return promise
  }

  json(path: string, { token }: { token?: string }, body: unknown, from?: string): Promise<Answered> {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (token !== undefined) headers.authorization = `Bearer ${token}`
    return this.ask(path, { method: 'POST', headers, body: JSON.stringify(body), from })
  }

  /** Opens a gateway socket through the proxy, with these headers. */
  connect(query: string, headers: Record<string, string> = {}): Gateway {
    const options = { headers: { host: `${NAME}:${this.site.https}`, ...headers }, tls: { ca: this.ca } }
    return new Gateway(`wss://127.0.0.1:${this.site.https}/ws${query}`, options)
  }
}

const found = {
  nginx: debianProgram('nginx', 'nginx'),
  caddy: debianProgram('caddy', 'caddy'),
  haproxy: debianProgram('haproxy', 'haproxy'),
}
const proxies = [
  { name: 'nginx', program: found.nginx, command: nginx },
  { name: 'Caddy', program: found.caddy, command: caddy },
  { name: 'HAProxy', program: found.haproxy, command: haproxy },
]

async function start(program: string, command: (program: string, site: Site) => string[]): Promise<Proxy> {
  const directory = mkdtempSync(join(tmpdir(), 'proxy-'))
  const proxy = new Proxy(directory, freePort(), freePort(), freePort())
  await proxy.start(command(program, proxy.site))
  return proxy
}

// All at once, so that their sockets are silent at the same time.
const starts = new Map(
  proxies.flatMap(({ name, program, command }) => (program ? [[name, start(program, command)]] : [])),
)
for (const starting of starts.values()) starting.catch(() => {})

for (const { name, program = '' } of proxies)
  describe.if(program !== '')(`behind ${name} as docs/install.md sets it up`, () => {
    let proxy: Proxy
    let alice: Person

    beforeAll(async () => {
      proxy = (await starts.get(name)) as Proxy
      alice = await person(proxy.parley, 'alice')
    }, START_MS)
    afterAll(async () => {
      await proxy.stop()
      rmSync(proxy.site.directory, { recursive: true, force: true })
    }, START_MS)

    test('the web client, its script and REST are served, with HSTS', async () => {
      const page = await proxy.ask('/')
      expect(page.status).toBe(200)
      expect(page.headers['strict-transport-security']).toStartWith('max-age=')
      const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(page.text) ?? []
      expect((await proxy.ask(new URL(script, `${proxy.origin}/`).pathname)).status).toBe(200)
      const headers = { authorization: `Bearer ${alice.token}` }
      expect(JSON.parse((await proxy.ask('/api/auth/me', { headers })).text).id).toBe(alice.id)
      const redirected = (host: string) =>
        fetch(`http://${host}:${proxy.site.http}/c/1?x=y`, { headers: { host: NAME }, redirect: 'manual' })
      // Caddy 2.6 redirects on one of the addresses that default_bind names.
      const response = await Promise.any(['127.0.0.1', '[::1]'].map(redirected))
      expect([301, 308]).toContain(response.status)
      expect(response.headers.get('location')).toMatch(/^https:\/\/chat\.example\.org(:\d+)?\/c\/1\?x=y$/)
    })

    test('a login gives a Secure __Host- cookie, which opens a socket only from the public origin', async () => {
      const login = await proxy.json('/api/auth/login', {}, { username: alice.username, password: PASSWORD })
      const [cookie = ''] = login.headers['set-cookie'] ?? []
      expect(cookie).toMatch(/^__Host-session=.*; Secure; /)
      const headers = { cookie: cookie.split(';')[0] ?? '' }
      const live = proxy.connect('', { ...headers, origin: proxy.origin })
      await live.next('ready')
      live.socket.close()
      const foreign = proxy.connect('', { ...headers, origin: 'https://evil.example.org' })
      await foreign.closed
      expect(foreign.frames).toEqual([])
    })

    test('rate limits count the address of the client, whatever it writes into X-Forwarded-For', async () => {
      const guess = (from: string, headers: Record<string, string> = {}) =>
        proxy.ask('/api/auth/login', {
          method: 'POST',
          from,
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ username: 'nobody-at-all', password: PASSWORD }),
        })
      let status = 0
      for (let tries = 0; tries < 100 && status !== 429; tries++) ({ status } = await guess('127.0.0.5'))
      expect(status).toBe(429)
      for (const forged of ['203.0.113.7', '127.0.0.1', '203.0.113.7, 127.0.0.1', ''])
        expect([forged, (await guess('127.0.0.5', { 'x-forwarded-for': forged })).status]).toEqual([forged, 429])
      expect((await guess('127.0.0.5', { forwarded: 'for=203.0.113.7' })).status).toBe(429)
      expect((await guess('127.0.0.5', { connection: 'close, x-forwarded-for' })).status).toBe(429)
      expect((await guess('127.0.0.6')).status).toBe(401)
      expect((await guess('::1')).status).toBe(401)
    })

    test('/metrics and the details of /readyz are closed to the world, and open for the token', async () => {
      const attempts: Record<string, string>[] = [
        {},
        { 'x-forwarded-for': '127.0.0.1' },
        { 'x-forwarded-for': '' },
        { connection: 'close, x-forwarded-for' },
        { host: `127.0.0.1:${proxy.site.https}` },
        { authorization: 'Bearer a-guess-at-the-metrics' },
      ]
      for (const headers of attempts) {
        for (const from of ['127.0.0.1', '127.0.0.9']) {
          const metrics = await proxy.ask('/metrics', { headers, from })
          expect([headers, metrics.text.includes('parley_')]).toEqual([headers, false])
          expect((await proxy.ask('/readyz', { headers, from })).text).not.toContain('parts')
        }
      }
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
      expect((await proxy.ask('/metrics', { headers })).text).toContain('parley_build_info')
    })

    test(
      'a file of 100 MiB is uploaded and downloaded by its pre-signed URLs',
      async () => {
        const content = Buffer.alloc(FILE_BYTES, crypto.getRandomValues(Buffer.alloc(65_537)))
        const announcement = { filename: 'large.bin', content_type: 'application/octet-stream', size: content.length }
        const announced = await proxy.json('/api/files/upload-url', alice, announcement)
        expect(announced.status).toBe(201)
        const { upload_url, headers, key } = JSON.parse(announced.text)
        expect(upload_url).toStartWith(`${proxy.origin}/`)
        const put = await proxy.ask(upload_url.slice(proxy.origin.length), { method: 'PUT', headers, body: content })
        expect([put.status, put.text]).toEqual([200, ''])
        const file = await proxy.json('/api/files', alice, { key })
        expect(file.status).toBe(201)
        const authorization = `Bearer ${alice.token}`
        const url = await proxy.ask(`/api/files/${JSON.parse(file.text).id}/download-url`, {
          headers: { authorization },
        })
        const { download_url } = JSON.parse(url.text)
        const { status, bytes: got } = await proxy.ask(download_url.slice(proxy.origin.length))
        expect([status, got.equals(content)]).toEqual([200, true])
        const part = await proxy.ask(download_url.slice(proxy.origin.length), { headers: { range: 'bytes=5-9' } })
        expect([part.status, part.bytes.equals(content.subarray(5, 10))]).toEqual([206, true])
        const otherUrl = download_url.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A'))
        const tampered = await proxy.ask(otherUrl.slice(proxy.origin.length))
        expect(tampered.status).toBe(403)
        const large = await proxy.json('/api/files/upload-url', alice, { ...announcement, size: FILE_BYTES + 1 })
        expect([large.status, JSON.parse(large.text).code]).toEqual([422, 'validation_failed'])
      },
      FILE_MS,
    )

    test(
      'a socket receives an event at once, and after 20 s of silence',
      async () => {
        const { carol, channel_id, live, lastFrameAt } = proxy.silence
        const remainingMs = () => IDLE_MS - (performance.now() - lastFrameAt())
        // Events may come twice.
        while (remainingMs() > 0) await Bun.sleep(remainingMs())
        await proxy.say(carol, channel_id, live, 'After a while')
        live.socket.close()
      },
      START_MS,
    )
  })
