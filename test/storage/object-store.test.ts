import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash, randomBytes } from 'node:crypto'
import { contentDisposition } from '../../src/storage/object-store.ts'
import { directoryStore, s3rver, type TestStore } from '../support/object-stores.ts'

const HELLO = new TextEncoder().encode('Hello, kingfisher!')
const md5 = (bytes: Uint8Array) => `"${createHash('md5').update(bytes).digest('hex')}"`
const text = async (stream: ReadableStream<Uint8Array> | undefined) => stream && new Response(stream).text()

const STORES: [name: string, start: () => Promise<TestStore>][] = [
  ['a directory', directoryStore],
  ['an S3 (s3rver)', s3rver],
]

describe.each(STORES)('%s', (_, start) => {
  let store: TestStore
  let count = 0
  const newKey = () => `incoming/${++count}/${crypto.randomUUID()}`
  const presign = (key: string, size = HELLO.length, expiresS = 60) =>
    store.objects.presignPut({ key, content_type: 'image/png', size, expiresS, base: store.base })
  const put = (url: string, headers: Record<string, string>, body: Uint8Array = HELLO, method = 'PUT') =>
    fetch(url, { method, headers, body: body as Uint8Array<ArrayBuffer> })
  const read = (key: string, more: Partial<Parameters<TestStore['objects']['presignGet']>[0]> = {}) =>
    store.objects.presignGet({
      key,
      content_type: 'image/webp',
      disposition: 'inline; filename="a.webp"',
      expiresS: 60,
      base: store.base,
      ...more,
    })

  let brief: { url: string; headers: Record<string, string>; since: number }
  beforeAll(async () => {
    store = await start()
    brief = { ...(await presign('incoming/brief', HELLO.length, 1)), since: Date.now() }
  })
  afterAll(() => store.stop())

  test('an announced upload is stored with its size, type and ETag', async () => {
    const key = newKey()
    const { url, headers } = await presign(key)
    expect(headers).toEqual({ 'content-type': 'image/png' })
    const answer = await put(url, headers)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).toBe(md5(HELLO))
    expect(await store.objects.head(key)).toEqual({ size: HELLO.length, content_type: 'image/png', etag: md5(HELLO) })
    expect(await text(await store.objects.get(key))).toBe('Hello, kingfisher!')
  })

  test('an upload URL is refused for another size, type, method or key, and with a changed signature', async () => {
    const key = newKey()
    const { url, headers } = await presign(key)
    const refused = async (answer: Promise<Response>) => {
      const { status } = await answer
      expect(status).toBeWithin(400, 500)
      expect(await store.objects.head(key)).toBeUndefined()
    }
    await refused(put(url, headers, HELLO.subarray(1)))
    await refused(put(url, headers, new Uint8Array(HELLO.length + 1)))
    await refused(put(url, { 'content-type': 'text/html' }))
    await refused(put(url, headers, HELLO, 'POST'))
    await refused(fetch(url))
    await refused(fetch(url, { method: 'DELETE' }))
    await refused(put(url.replace('incoming', 'outgoing'), headers))
    await refused(
      put(
        url.replace(/[Ss]ignature=./, (start) => start.slice(0, -1) + (start.endsWith('0') ? '1' : '0')),
        headers,
      ),
    )
    await refused(put(url.replace(/xpires=\d+/, 'xpires=9999999999'), headers))
    expect((await put(url, headers)).status).toBe(200)
  })

  test('a download has the type and file name of its signed URL', async () => {
    const key = newKey()
    await store.objects.put(key, HELLO, 'text/plain')
    const { disposition } = store
    const answer = await fetch(await read(key, { disposition }))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(answer.headers.get('content-disposition')).toBe(disposition)
    expect(answer.headers.get('content-length')).toBe(String(HELLO.length))
    expect(await answer.text()).toBe('Hello, kingfisher!')
    const url = await read(key)
    expect((await fetch(url.replace('image%2Fwebp', 'text%2Fhtml'))).status).toBe(403)
    expect((await fetch(await read(newKey()))).status).toBe(404)
  })

  test('ranges are served', async () => {
    const key = newKey()
    await store.objects.put(key, HELLO, 'text/plain')
    expect(await text(await store.objects.get(key, { start: 7, end: 16 }))).toBe('kingfisher')
    expect(await text(await store.objects.get(key, { start: 7, end: 9999 }))).toBe('kingfisher!')
    const answer = await fetch(await read(key), { headers: { range: 'bytes=0-4' } })
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(`bytes 0-4/${HELLO.length}`)
    expect(await answer.text()).toBe('Hello')
  })

  test('an object is copied only while it has the given ETag', async () => {
    const [from, to] = [newKey(), `files/${newKey()}`]
    await store.objects.put(from, HELLO, 'text/plain')
    expect(await store.objects.copy({ from, to, etag: md5(HELLO.subarray(1)) })).toBe(false)
    expect(await store.objects.copy({ from: newKey(), to, etag: md5(HELLO) })).toBe(false)
    expect(await store.objects.head(to)).toBeUndefined()
    expect(await store.objects.copy({ from, to, etag: md5(HELLO) })).toBe(true)
    await store.objects.put(from, HELLO.subarray(1), 'text/html')
    expect(await store.objects.head(to)).toEqual({ size: HELLO.length, content_type: 'text/plain', etag: md5(HELLO) })
    expect(await store.objects.copy({ from, to, etag: md5(HELLO) })).toBe(false)
    await store.objects.delete(from)
    expect(await text(await store.objects.get(to))).toBe('Hello, kingfisher!')
  })

  test('a deleted object is gone, and a second delete succeeds', async () => {
    const key = newKey()
    await store.objects.put(key, HELLO, 'text/plain')
    await store.objects.delete(key)
    await store.objects.delete(key)
    expect(await store.objects.head(key)).toBeUndefined()
    expect(await store.objects.get(key)).toBeUndefined()
  })

  test('empty objects and keys with special characters are stored', async () => {
    for (const key of [newKey(), `files/Grünspecht & Co (1)'s+*~!.png`, 'files/100%25/?#']) {
      await store.objects.put(key, new Uint8Array(0), 'text/plain')
      expect(await store.objects.head(key)).toEqual({
        size: 0,
        content_type: 'text/plain',
        etag: md5(new Uint8Array(0)),
      })
      expect(await (await fetch(await read(key))).text()).toBe('')
      await store.objects.delete(key)
    }
  })

  test('20 MiB are uploaded, copied and streamed back', async () => {
    const bytes = new Uint8Array(20 * 1024 * 1024).map((_, at) => (at * 31) >> 7)
    const key = newKey()
    const { url, headers } = await presign(key, bytes.length)
    expect((await put(url, headers, bytes)).status).toBe(200)
    expect(await store.objects.copy({ from: key, to: `${key}-kept`, etag: md5(bytes) })).toBe(true)
    const hash = createHash('md5')
    for await (const chunk of (await store.objects.get(`${key}-kept`)) ?? []) hash.update(chunk)
    expect(`"${hash.digest('hex')}"`).toBe(md5(bytes))
    const begun = (await store.objects.get(key))?.getReader()
    expect((await begun?.read())?.value?.length).toBeGreaterThan(0)
    await begun?.cancel()
  })

  test('an expired URL is refused', async () => {
    await Bun.sleep(Math.max(0, brief.since + 2100 - Date.now()))
    expect((await put(brief.url, brief.headers)).status).toBe(403)
    expect(await store.objects.head('incoming/brief')).toBeUndefined()
  })
})

test('the methods of an unreachable store throw', async () => {
  const { objects, stop } = await s3rver()
  expect(await objects.head('a')).toBeUndefined()
  await stop()
  await expect(objects.head('a')).rejects.toThrow()
})

test('a Content-Disposition carries the file name in ASCII and UTF-8', () => {
  const cases: [string, string][] = [
    ['cat.png', 'inline; filename="cat.png"'],
    ['a "b".png', `inline; filename="a _b_.png"; filename*=UTF-8''a%20%22b%22.png`],
    ['../../etc/passwd', `inline; filename=".._.._etc_passwd"; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd`],
    ['a\r\nSet-Cookie: x', `inline; filename="a__Set-Cookie: x"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x`],
    ['Zürich 😀.txt', `inline; filename="Z_rich _.txt"; filename*=UTF-8''Z%C3%BCrich%20%F0%9F%98%80.txt`],
    ["it's (100%)*.txt", `inline; filename="it's (100_)*.txt"; filename*=UTF-8''it%27s%20%28100%25%29%2A.txt`],
    ['\ud800.txt', `inline; filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
  ]
  for (const [name, header] of cases) expect(contentDisposition('inline', name)).toBe(header)
})

test('an object larger than a part is stored in parts, whole, and one that breaks off is not stored', async () => {
  const { objects, stop } = await s3rver()
  const bytes = randomBytes(16 * 1024 * 1024 + 5_000_001)
  const inPieces = async function* (length: number) {
    for (let at = 0; at < length; at += 300_000) yield bytes.subarray(at, Math.min(length, at + 300_000))
  }
  const put = { key: 'files/large', content_type: 'text/plain', size: bytes.length }
  await objects.putStream({ ...put, bytes: inPieces(bytes.length) })
  const stored = await new Response(await objects.get('files/large')).bytes()
  expect(Buffer.compare(bytes, stored)).toBe(0)
  const breaking = async function* () {
    yield* inPieces(17_000_000)
    throw new Error('broken off')
  }
  const broken = objects.putStream({ ...put, key: 'files/broken', bytes: breaking() })
  await expect(broken).rejects.toThrow('broken off')
  expect(await objects.head('files/broken')).toBeUndefined()
  await stop()
})
