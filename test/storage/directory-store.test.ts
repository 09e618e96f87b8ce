import { afterAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../support/harness.ts'
import { directoryStore } from '../support/object-stores.ts'

const store = await directoryStore({ objectBytesMax: 4 * 1024 ** 2 })
afterAll(store.stop)
const { objects, base } = store
const HELLO = new TextEncoder().encode('Hello, kingfisher!')
/** Temporary files, without the second links that responses are read from. */
const temporaryFiles = (directory: string) =>
  readdirSync(join(directory, 'tmp')).filter((name) => !name.startsWith('pin-'))
const pathOf = (key: string) => {
  const name = createHash('sha256').update(key).digest('hex')
  return join(store.directory, name.slice(0, 2), name)
}
const presign = async (key: string, size = HELLO.length, origin = base) =>
  (await objects.presignPut({ key, content_type: 'image/png', size, expiresS: 60, base: origin })).url
const PNG = { 'content-type': 'image/png' }
const put = (url: string, body: BodyInit = HELLO, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', headers: { ...PNG, ...headers }, body })
const read = (key: string) =>
  objects.presignGet({ key, content_type: 'image/png', disposition: 'inline', expiresS: 60, base })

/** Sends raw bytes. @returns the response */
async function sendRaw(request: string, { isDisconnecting = false, port = store.port } = {}): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (data) => (received += data))
  socket.on('error', () => {})
  socket.write(request)
  if (isDisconnecting) setTimeout(() => socket.destroy(), 100)
  const isWhole = () => {
    const [head = '', body] = received.split(/\r\n\r\n([^]*)/)
    return body !== undefined && body.length >= Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 1)
  }
  await until(() => socket.closed || isWhole())
  socket.destroy()
  return received
}
const rawRequest = (method: string, url: string, ...headers: string[]) =>
  `${[`${method} ${url.slice(base.length)} HTTP/1.1`, `Host: ${base.slice(7)}`, ...headers].join('\r\n')}\r\n\r\n`

test('every response has the security headers, and cookies are ignored', async () => {
  await objects.put('a', HELLO, 'text/html')
  const bare = `${base}/objects/a`
  const cookie = { cookie: 'session=abc' }
  const answers = {
    200: await fetch(await read('a')),
    403: await fetch(bare, { headers: cookie }),
    404: await fetch(await read('missing')),
    416: await fetch(await read('a'), { headers: { range: 'bytes=99-' } }),
    204: await fetch(bare, {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'PUT', origin: 'https://x.y' },
    }),
  }
  for (const [status, { status: answered, headers }] of Object.entries(answers)) {
    expect(answered).toBe(Number(status))
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe('sandbox')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-site')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.has('access-control-allow-credentials')).toBe(false)
    expect(headers.has('set-cookie')).toBe(false)
  }
  expect(answers[204].headers.get('access-control-allow-methods')).toBe('GET, HEAD, PUT')
  expect(answers[200].headers.get('cache-control')).toMatch(/^private, max-age=(5\d|60)$/)
  expect(answers[416].headers.get('content-range')).toBe(`bytes */${HELLO.length}`)
})

test('a key never leads to a path outside the bucket', async () => {
  const keys = ['../../../escape', '..', '.', '/etc/passwd', 'a\0b', '%2e%2e/x', 'tmp', 'ff', 'é/ü', 'x'.repeat(1024)]
  for (const key of keys) {
    const { status } = await put(await presign(key))
    // The URL parser resolves dot segments, so the path differs from the signed one.
    if (status !== 200) expect(key).toMatch(/^\./)
    expect(existsSync(pathOf(key))).toBe(status === 200)
  }
  expect(readdirSync(store.directory).filter((name) => !/^[0-9a-f]{2}$/.test(name))).toEqual(['tmp'])
  for (const way of ['/objects/../objects/a', '/objects/%2e%2e/%2e%2e/etc/passwd', '/objects/%ff'])
    expect(await sendRaw(rawRequest('GET', base + way))).toMatch(/^HTTP\/1.1 4\d\d /)
})

test('a symbolic link is never served as an object', async () => {
  symlinkSync('/etc/passwd', pathOf('link'))
  expect(await objects.head('link')).toBeUndefined()
  expect((await fetch(await read('link'))).status).toBe(404)
  expect(await objects.copy({ from: 'link', to: 'copy-of-link', etag: '"x"' })).toBe(false)
  expect((await put(await presign('link'))).status).toBe(200)
  expect(readFileSync('/etc/passwd', 'utf8')).not.toContain('kingfisher')
})

test('after a crash temporary files are removed, stored objects remain, and a damaged one is not served', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-crash-'))
  const before = await directoryStore({ directory })
  await before.objects.put('kept', HELLO, 'image/png')
  const leftover = join(directory, 'tmp/half-an-upload')
  writeFileSync(leftover, 'Hell')
  const after = await directoryStore({ directory })
  expect(existsSync(leftover)).toBe(false)
  expect(await after.objects.head('kept')).toMatchObject({ size: HELLO.length, content_type: 'image/png' })
  const { pathname } = new URL(
    await after.objects.presignGet({ key: 'kept', content_type: 'a/b', disposition: 'inline', expiresS: 9 }),
  )
  expect(pathname).toBe('/objects/kept')
  truncateSync(join(directory, pathOf('kept').slice(store.directory.length)), 4100)
  await expect(after.objects.get('kept')).rejects.toThrow()
  expect(after.failures.length).toBeGreaterThan(0)
  await before.stop()
  await after.stop()
})

test('an upload that breaks off, stalls or has no length leaves no file behind', async () => {
  // The uploads of other tests may take long: on a busy machine, nothing of them may come for a while.
  const hasty = await directoryStore({ uploadIdleMs: 200 })
  const { port } = hasty
  const grant = { key: 'broken', content_type: 'image/png', size: HELLO.length, expiresS: 60, base }
  const { url } = await hasty.objects.presignPut(grant)
  const head = (...more: string[]) => rawRequest('PUT', url, 'Content-Type: image/png', ...more)
  const length = `Content-Length: ${HELLO.length}`
  await sendRaw(`${head(length)}Hello`, { isDisconnecting: true, port })
  expect(await sendRaw(`${head(length)}Hello`, { port })).toContain('The upload took too long')
  const chunked = `${head('Transfer-Encoding: chunked')}5\r\nHello\r\n0\r\n\r\n`
  expect(await sendRaw(chunked, { port })).toMatch(/^HTTP\/1.1 4\d\d /)
  await until(() => temporaryFiles(hasty.directory).length === 0)
  expect(await hasty.objects.head('broken')).toBeUndefined()
  expect(hasty.failures).toEqual([])
  await hasty.stop()
})

test('an upload that is too large is refused before its body is read', async () => {
  const url = await presign('large', 4 * 1024 ** 2 + 1)
  const answer = await sendRaw(
    rawRequest('PUT', url, 'Content-Type: image/png', `Content-Length: ${4 * 1024 ** 2 + 1}`),
  )
  expect(answer).toContain('payload_too_large')
  expect(await objects.head('large')).toBeUndefined()
})

test('a write with a condition that does not hold changes nothing', async () => {
  const write = async (headers: Record<string, string>) =>
    (await put(await presign('condition'), HELLO, headers)).status
  expect(await write({ 'if-match': '"x"' })).toBe(412)
  expect(await objects.head('condition')).toBeUndefined()
  expect(await write({ 'if-none-match': '*' })).toBe(200)
  expect(await write({ 'if-none-match': '*' })).toBe(412)
  const { etag = '' } = (await objects.head('condition')) ?? {}
  expect(await write({ 'if-match': etag })).toBe(200)
})

test('concurrent uploads of one key leave one whole object, and too many are refused', async () => {
  const size = 300_000
  const url = await presign('raced', size)
  const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => put(url, new Uint8Array(size).fill(at))))
  const statuses = answers.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set(statuses.includes(503) ? [200, 503] : [200]))
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4)
  const bytes = new Uint8Array(await new Response(await objects.get('raced')).arrayBuffer())
  expect(bytes.length).toBe(size)
  expect(new Set(bytes).size).toBe(1)
  expect((await objects.head('raced'))?.etag).toBe(`"${createHash('md5').update(bytes).digest('hex')}"`)
  expect((await put(url, new Uint8Array(size))).status).toBe(200)
})

test('a running download continues when its object is replaced or deleted', async () => {
  const size = 4 * 1024 ** 2
  await objects.put('read', new Uint8Array(size).fill(1), 'image/png')
  const [overHttp, within] = [await fetch(await read('read')), await objects.get('read')]
  await objects.put('read', new Uint8Array(size).fill(2), 'image/png')
  await objects.delete('read')
  for (const body of [overHttp.body, within]) {
    const bytes = new Uint8Array(await new Response(body).arrayBuffer())
    expect(bytes.length).toBe(size)
    expect(new Set(bytes)).toEqual(new Set([1]))
  }
})
