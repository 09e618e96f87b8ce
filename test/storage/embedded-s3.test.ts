import { afterAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GetObjectCommand, PutObjectCommand, type PutObjectCommandInput } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { until } from '../support/harness.ts'
import { embedded, sdkClient } from '../support/s3-stores.ts'

const store = await embedded({ objectBytesMax: 4 * 1024 ** 2, uploadIdleMs: 200, publicHost: 'chat.example.org' })
afterAll(store.stop)
const { objects, base } = store
const client = sdkClient(base)
const HELLO = new TextEncoder().encode('Hello, kingfisher!')
const bucket = join(store.directory, 'parley')
/** Temporary files, without the second links that responses are read from. */
const temporaryFiles = () => readdirSync(join(bucket, 'tmp')).filter((name) => !name.startsWith('pin-'))
const pathOf = (key: string) => {
  const name = createHash('sha256').update(key).digest('hex')
  return join(bucket, name.slice(0, 2), name)
}
const presign = async (key: string, size = HELLO.length, origin = base) =>
  (await objects.presignPut({ key, content_type: 'image/png', size, expiresS: 60, base: origin })).url
const PNG = { 'content-type': 'image/png' }
const put = (url: string, body: BodyInit = HELLO, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', headers: { ...PNG, ...headers }, body })
const read = (key: string) =>
  objects.presignGet({ key, content_type: 'image/png', disposition: 'inline', expiresS: 60, base })
const codeOf = async (answer: Response | Promise<Response>) => /<Code>(\w+)</.exec(await (await answer).text())?.[1]

/** Sends raw bytes. @returns the response */
async function sendRaw(request: string, isDisconnecting = false): Promise<string> {
  const socket = connect(store.port, '127.0.0.1')
  let received = ''
  socket.on('data', (data) => (received += data))
  socket.on('error', () => {})
  socket.write(request)
  if (isDisconnecting) setTimeout(() => socket.destroy(), 100)
  await until(() => socket.closed || /\r\n\r\n[^]*(<\/Error>|^0\r\n|.$)/.test(received), 4000).catch(() => {})
  socket.destroy()
  return received
}
const rawRequest = (method: string, url: string, ...headers: string[]) =>
  `${[`${method} ${url.slice(base.length)} HTTP/1.1`, `Host: ${base.slice(7)}`, ...headers].join('\r\n')}\r\n\r\n`

test('every response has the security headers, and cookies are ignored', async () => {
  await objects.put('a', HELLO, 'text/html')
  const bare = `${base}/objects/parley/a`
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
  // Without an override in the URL the disposition is attachment.
  const plain = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'parley', Key: 'a' }))
  expect((await fetch(plain)).headers.get('content-disposition')).toBe('attachment')
})

test('a key never leads to a path outside the bucket', async () => {
  const keys = ['../../../escape', '..', '.', '/etc/passwd', 'a\0b', '%2e%2e/x', 'tmp', 'ff', 'é/ü', 'x'.repeat(1024)]
  for (const key of keys) {
    const { status } = await put(await presign(key))
    // The URL parser resolves dot segments, so the path differs from the signed one.
    if (status !== 200) expect(key).toMatch(/^\.|^\//)
    expect(existsSync(pathOf(key))).toBe(status === 200)
  }
  expect(await codeOf(put(await presign('x'.repeat(1025))))).toBe('KeyTooLongError')
  expect(readdirSync(store.directory)).toEqual(['parley'])
  expect(readdirSync(bucket).filter((name) => !/^[0-9a-f]{2}$/.test(name))).toEqual(['tmp'])
  for (const way of ['/objects/../objects/parley/a', '/objects/parley/%2e%2e/%2e%2e/etc/passwd', '/objects/parley/%ff'])
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
  const before = await embedded({ directory })
  await before.objects.put('kept', HELLO, 'image/png')
  const leftover = join(directory, 'parley/tmp/half-an-upload')
  writeFileSync(leftover, 'Hell')
  const after = await embedded({ directory })
  expect(existsSync(leftover)).toBe(false)
  expect(await after.objects.head('kept')).toMatchObject({ size: HELLO.length, content_type: 'image/png' })
  const { pathname } = new URL(
    await after.objects.presignGet({ key: 'kept', content_type: 'a/b', disposition: 'inline', expiresS: 9 }),
  )
  expect(pathname).toBe('/objects/parley/kept')
  truncateSync(join(directory, 'parley', pathOf('kept').slice(bucket.length)), 4100)
  await expect(after.objects.get('kept')).rejects.toThrow()
  expect(after.failures.length).toBeGreaterThan(0)
  await before.stop()
  await after.stop()
})

test('an upload that breaks off, stalls or has no length leaves no file behind', async () => {
  const url = await presign('broken')
  const head = (...more: string[]) => rawRequest('PUT', url, 'Content-Type: image/png', ...more)
  const length = `Content-Length: ${HELLO.length}`
  await sendRaw(`${head(length)}Hello`, true)
  expect(await sendRaw(`${head(length)}Hello`)).toContain('<Code>RequestTimeout</Code>')
  expect(await sendRaw(`${head('Transfer-Encoding: chunked')}5\r\nHello\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1.1 4\d\d /)
  const unsized = await getSignedUrl(client, new PutObjectCommand({ Bucket: 'parley', Key: 'broken' }))
  const chunked = rawRequest('PUT', unsized, 'Transfer-Encoding: chunked')
  expect(await sendRaw(`${chunked}5\r\nHello\r\n0\r\n\r\n`)).toContain('<Code>MissingContentLength</Code>')
  await until(() => temporaryFiles().length === 0)
  expect(await objects.head('broken')).toBeUndefined()
  expect(store.failures).toEqual([])
})

test('an upload that is too large is refused before its body is read', async () => {
  const url = await presign('large', 4 * 1024 ** 2 + 1)
  const answer = await sendRaw(
    rawRequest('PUT', url, 'Content-Type: image/png', `Content-Length: ${4 * 1024 ** 2 + 1}`),
  )
  expect(answer).toContain('<Code>EntityTooLarge</Code>')
  expect(await objects.head('large')).toBeUndefined()
})

test('a body that differs from its signature or digest is not stored', async () => {
  const exchange = (input: Partial<PutObjectCommandInput>, body: Uint8Array) => {
    const handle = async (sent: { headers: Record<string, string>; path: string }) => {
      const answer = await store.store.handle(
        new Request(base + sent.path, { method: 'PUT', headers: sent.headers, body: body as Uint8Array<ArrayBuffer> }),
      )
      return { response: { statusCode: answer.status, headers: {}, body: answer.body ?? undefined } }
    }
    const command = new PutObjectCommand({ Bucket: 'parley', Key: 'forged', Body: HELLO, ...input })
    // The parameter that the SDK adds to the URL is not in `path`.
    const client = sdkClient(base, {
      handle: (sent: Parameters<typeof handle>[0]) => handle({ ...sent, path: `${sent.path}?x-id=PutObject` }),
    })
    return client.send(command).then(
      () => 'accepted',
      (error: Error) => error.name,
    )
  }
  const forged = new TextEncoder().encode('Hello, king cobra!')
  expect(await exchange({}, forged)).toBe('XAmzContentSHA256Mismatch')
  expect(await exchange({}, HELLO.subarray(1))).toBe('IncompleteBody')
  expect(await exchange({}, new Uint8Array(99))).toBe('IncompleteBody')
  expect(await exchange({ ContentMD5: createHash('md5').update(forged).digest('base64') }, HELLO)).toBe('BadDigest')
  expect(await objects.head('forged')).toBeUndefined()
  expect(await exchange({ ContentMD5: createHash('md5').update(HELLO).digest('base64') }, HELLO)).toBe('accepted')
  await until(() => temporaryFiles().length === 0)
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
