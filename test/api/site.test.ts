import { expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { languages } from '../../src/web/words/languages.ts'
import { boot, standard, stop } from '../support/harness.ts'

const parley = await standard()

/** Sends a request without decompressing the answer. */
const ask = (path: string, accept: string, base = parley.url) =>
  fetch(base + path, { headers: { 'accept-encoding': accept }, decompress: false } as RequestInit)
const page = async () => (await fetch(`${parley.url}/`)).text()
const assetsOf = (html: string) => [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path)

test('the page is served at every path of the client, and only there', async () => {
  for (const path of [
    '/',
    '/login',
    '/register',
    '/invite/abcdefghjk',
    '/app',
    '/operator',
    '/operator/accounts',
    '/app/servers/1/channels/2',
  ]) {
    const { status, headers } = await fetch(parley.url + path)
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
    expect(headers.get('cache-control')).toBe('no-cache')
  }
  for (const path of [
    '/nowhere',
    '/api/nowhere',
    '/assets/',
    '/assets/main.js',
    '/assets/..%2f..%2fmain.ts',
    '/invite',
  ])
    expect([path, (await fetch(parley.url + path)).headers.get('content-type')]).toEqual([
      path,
      'application/problem+json',
    ])
  expect((await fetch(`${parley.url}/`, { method: 'POST' })).status).toBe(405)
  expect(await (await fetch(`${parley.url}/docs`)).text()).toContain('swagger-ui')
})

test('the page loads only files of this server, named by content hash and cached for good', async () => {
  const paths = assetsOf(await page())
  expect(paths).toHaveLength(7)
  for (const path of paths.filter((one) => one !== '/manifest.webmanifest')) {
    expect(path).toMatch(
      /^\/assets\/(check|main|style|icon|any-192|inter-latin-wght-normal)-[0-9a-z]{6,}\.(js|css|svg|png|woff2)$/,
    )
    const { status, headers } = await fetch(parley.url + path)
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('browsers revalidate the worker and the manifest, and the manifest names files that exist', async () => {
  for (const [path, type] of [
    ['/worker.js', 'text/javascript; charset=utf-8'],
    ['/manifest.webmanifest', 'application/manifest+json'],
  ] as const) {
    const { status, headers } = await fetch(parley.url + path)
    expect([status, headers.get('cache-control'), headers.get('content-type')]).toEqual([200, 'no-cache', type])
  }
  const manifest: any = await (await fetch(`${parley.url}/manifest.webmanifest`)).json()
  expect(manifest.icons.map(({ purpose }: any) => purpose).toSorted()).toEqual(['any', 'any', 'maskable', 'monochrome'])
  for (const { src, type, sizes } of manifest.icons) {
    const answer = await fetch(parley.url + src)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
    const { width, height } = await new Bun.Image(await answer.arrayBuffer()).metadata()
    expect(`${width}x${height}`).toBe(sizes)
  }
  const shared = await fetch(parley.url + manifest.share_target.action, { method: 'POST', redirect: 'manual' })
  expect([shared.status, shared.headers.get('location')]).toEqual([303, '/app'])
})

test('a list names the hash of every file of the client, of its worker and of its page', async () => {
  const answer = await fetch(`${parley.url}/client.sha256`)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  const lines = (await answer.text()).trimEnd().split('\n')
  const hashes = new Map(lines.map((line) => line.split('  ').toReversed() as [string, string]))
  expect([...hashes.keys()]).toEqual([...hashes.keys()].toSorted())
  // As the page names the first ones, and these the others.
  const found = new Set(['/app', '/worker.js'])
  for (const path of found) {
    const bytes = new Uint8Array(await (await fetch(parley.url + path)).arrayBuffer())
    expect([path, hashes.get(path.slice(1))]).toEqual([path, new Bun.SHA256().update(bytes).digest('hex')])
    const text = new TextDecoder().decode(bytes)
    for (const [, name = ''] of text.matchAll(/["'(](\/assets\/[\w.-]+\.\w+)/g)) found.add(name)
    for (const [, name = ''] of text.matchAll(/["']\.\/([\w-]+\.js)["']/g)) found.add(`/assets/${name}`)
  }
  expect(found.size).toBeGreaterThan(100)
  expect([...hashes.keys()].filter((path) => !found.has(`/${path}`) && path.endsWith('.js'))).toEqual([])
})

test('the manifest speaks each language of the web client, and English for any other language', async () => {
  const ask = async (query: string): Promise<any> => (await fetch(`${parley.url}/manifest.webmanifest${query}`)).json()
  const english = await ask('')
  expect([english.lang, english.dir, english.id]).toEqual(['en', 'ltr', '/app'])
  for (const query of ['?lang=da', '?lang=constructor', '?lang=']) expect(await ask(query)).toEqual(english)
  for (const lang of Object.keys(languages).filter((each) => each !== 'en')) {
    const manifest = await ask(`?lang=${lang}`)
    expect([manifest.lang, manifest.dir, manifest.id]).toEqual([lang, lang === 'ar' ? 'rtl' : 'ltr', '/app'])
    expect(manifest.description).not.toBe(english.description)
    expect(manifest.icons).toEqual(english.icons)
  }
})

test('the page is compressed as the browser accepts it', async () => {
  for (const path of ['/', ...assetsOf(await page()).filter((name) => !/\.(woff2|png)$/.test(name))]) {
    const plain = await ask(path, 'identity')
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'accept-encoding'])
    const text = await plain.text()
    const packed = async (accept: string, encoding: string, unpack: (bytes: Uint8Array) => Buffer) => {
      const answer = await ask(path, accept)
      expect(answer.headers.get('content-encoding')).toBe(encoding)
      expect(unpack(new Uint8Array(await answer.arrayBuffer())).toString()).toBe(text)
    }
    await packed('gzip, deflate, br', 'br', brotliDecompressSync)
    await packed('gzip', 'gzip', gunzipSync)
    await packed('br;q=0, gzip;q=0.5', 'gzip', gunzipSync)
  }
})

test('the CSP allows only this server, and the origin of an external object store', async () => {
  const policy = async (url: string) => {
    const text = (await fetch(url)).headers.get('content-security-policy') ?? ''
    return new Map(text.split('; ').map((rule) => rule.split(/ (.*)/) as [string, string]))
  }
  const own = await policy(`${parley.url}/`)
  expect(own.get('default-src')).toBe("'none'")
  expect(own.get('style-src')).toBe("'self'")
  // WebAssembly is allowed, and eval is not.
  expect(own.get('script-src')).toBe("'self' 'wasm-unsafe-eval'")
  for (const name of ['base-uri', 'frame-ancestors']) expect(own.get(name)).toBe("'none'")
  expect(own.get('connect-src')).toBe(`'self' ${parley.url.replace('http', 'ws')}`)
  expect([...own.values()].join(' ')).not.toMatch(/(?<!wasm-)unsafe|\*|https?:/)
  expect(await page()).not.toMatch(/<script>|<style|style="| on\w+="/)

  const s3 = { S3_ENDPOINT: 'http://127.0.0.1:9', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
  const outside = { ...s3, S3_PUBLIC_ENDPOINT: 'https://files.example.org', PUBLIC_URL: 'https://chat.example.org' }
  const far = await boot(outside)
  const theirs = await policy(`${far.url}/`)
  expect(theirs.get('img-src')).toBe("'self' https://files.example.org blob: data:")
  expect(theirs.get('connect-src')).toBe("'self' https://files.example.org wss://chat.example.org")
  expect(theirs.get('script-src')).toBe("'self' 'wasm-unsafe-eval'")
  await stop(far)
  const hosted = await boot({ ...outside, S3_PATH_STYLE: 'off', S3_BUCKET: 'birds' })
  expect((await policy(`${hosted.url}/`)).get('media-src')).toBe("'self' https://birds.files.example.org blob:")
  await stop(hosted)
})

test('another site can neither frame the page nor get its address as a referrer', async () => {
  const { headers } = await fetch(`${parley.url}/invite/abcdefghjk`)
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('permissions-policy')).toContain('geolocation=()')
})

test('a clone shows every control at /design, and a server with a public name does not', async () => {
  const html = await (await fetch(`${parley.url}/design`)).text()
  const script = assetsOf(html).find((path) => /^\/assets\/design-.*\.js$/.test(path)) ?? 'none'
  expect((await fetch(parley.url + script)).status).toBe(200)
  const server = await boot({ PUBLIC_URL: 'https://parley.example' })
  expect((await fetch(`${server.url}/design`)).status).toBe(404)
  await stop(server)
})

test('the fonts are in files of their own, each for its letters', async () => {
  const [style = ''] = assetsOf(await page()).filter((path) => path.endsWith('.css'))
  const sheet = await (await fetch(parley.url + style)).text()
  const faces = [...sheet.matchAll(/@font-face\{[^}]*url\((\/assets\/[^)]+)\)[^}]*\}/g)]
  for (const [face, path = ''] of faces) {
    expect(face).toContain('font-display:swap')
    expect(face).toContain('unicode-range:')
    const { status, headers } = await fetch(parley.url + path)
    expect([status, headers.get('content-type'), headers.get('content-encoding')]).toEqual([200, 'font/woff2', null])
    expect(headers.get('cache-control')).toContain('immutable')
  }
  const named = faces.map(([, path = '']) => path).join()
  for (const letters of ['latin', 'latin-ext', 'cyrillic', 'greek'])
    expect(named).toContain(`/inter-${letters}-wght-normal`)
  expect(sheet).not.toContain('data:font')
  // A rule with these selectors would override the later rules.
  expect(sheet).not.toMatch(/:-(webkit|moz)-any\(/)
})
