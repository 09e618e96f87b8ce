import { afterAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { directoryStore } from '../support/object-stores.ts'

const store = await directoryStore()
afterAll(store.stop)
const { objects, base } = store
const Key = 'kept'
const HELLO = new TextEncoder().encode('Hello, kingfisher!')
await objects.put(Key, HELLO, 'text/plain')
const { etag } = (await objects.head(Key)) as { etag: string }

const read = (origin = base) =>
  objects.presignGet({ key: Key, content_type: 'image/png', disposition: 'inline', expiresS: 60, base: origin })
const putUrl = async (key: string) =>
  (await objects.presignPut({ key, content_type: 'image/png', size: HELLO.length, expiresS: 60, base })).url
const get = async (headers: Record<string, string>) => fetch(await read(), { headers })
test('If-None-Match and If-Range are honoured', async () => {
  const unchanged = await get({ 'if-none-match': `"x", ${etag}` })
  expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
  expect((await get({ 'if-none-match': '"x"' })).status).toBe(200)
  const resumed = await get({ range: 'bytes=7-', 'if-range': etag })
  expect([resumed.status, await resumed.text()]).toEqual([206, 'kingfisher!'])
  const changed = await get({ range: 'bytes=7-', 'if-range': '"x"' })
  expect([changed.status, await changed.text()]).toEqual([200, 'Hello, kingfisher!'])
})

test('conditions of a read are judged in the order of RFC 9110, and before Range', async () => {
  const modified = (await get({})).headers.get('last-modified') ?? ''
  const [before, after] = [-1000, 1000].map((ms) => new Date(Date.parse(modified) + ms).toUTCString()) as [
    string,
    string,
  ]
  const range = { range: 'bytes=7-' }
  const cases: [Record<string, string>, number][] = [
    [{ 'if-match': `"x", ${etag}` }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-match': `W/${etag}` }, 412],
    [{ 'if-match': '"x"', ...range }, 412],
    [{ 'if-match': etag, ...range }, 206],
    [{ 'if-unmodified-since': modified }, 200],
    [{ 'if-unmodified-since': before }, 412],
    [{ 'if-match': etag, 'if-unmodified-since': before }, 200],
    [{ 'if-unmodified-since': 'yesterday' }, 200],
    [{ 'if-none-match': `W/${etag}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': etag, 'if-match': '"x"' }, 412],
    [{ 'if-none-match': etag, ...range }, 304],
    [{ 'if-modified-since': modified }, 304],
    [{ 'if-modified-since': after }, 304],
    [{ 'if-modified-since': before }, 200],
    [{ 'if-modified-since': before, ...range }, 206],
    [{ 'if-modified-since': '2026' }, 200],
    [{ 'if-none-match': '"x"', 'if-modified-since': modified }, 200],
    [{ 'if-range': etag, ...range }, 206],
    [{ 'if-range': `W/${etag}`, ...range }, 200],
    [{ 'if-range': modified, ...range }, 206],
    [{ 'if-range': after, ...range }, 200],
    [{ 'if-range': before, range: 'bytes=99-' }, 200],
    [{ 'if-range': etag, range: 'bytes=99-' }, 416],
    [{ 'if-match': '"x"', range: 'bytes=99-' }, 412],
  ]
  for (const [headers, status] of cases) expect([headers, (await get(headers)).status]).toEqual([headers, status])
  const missing = await objects.presignGet({
    key: 'none',
    content_type: 'a/b',
    disposition: 'inline',
    expiresS: 60,
    base,
  })
  expect((await fetch(missing, { headers: { 'if-match': '"x"' } })).status).toBe(404)
})

test('open and suffix ranges are served, several are ignored, and an unsatisfiable one gets 416', async () => {
  const answers = async (range: string) => {
    const answer = await get({ range })
    const { headers } = answer
    return [answer.status, headers.get('content-range'), headers.get('content-length'), await answer.text()]
  }
  expect(await answers('bytes=7-')).toEqual([206, 'bytes 7-17/18', '11', 'kingfisher!'])
  expect(await answers('bytes=-1')).toEqual([206, 'bytes 17-17/18', '1', '!'])
  expect(await answers('bytes=0-17')).toEqual([206, 'bytes 0-17/18', '18', 'Hello, kingfisher!'])
  expect(await answers('bytes=0-1,3-4')).toEqual([200, null, '18', 'Hello, kingfisher!'])
  expect((await answers('bytes=18-')).slice(0, 2)).toEqual([416, 'bytes */18'])
})

test('a signed URL allows one method, key and set of headers until it expires', async () => {
  const [get, put] = [await read(), await putUrl('stolen')]
  const refused = async (url: string, init: RequestInit = {}) => {
    const answer = await fetch(url, init)
    expect([url, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([url, 403, 'forbidden'])
  }
  const upload = { method: 'PUT', headers: { 'content-type': 'image/png' }, body: HELLO }
  for (const change of [
    (url: string) => url.replace('/kept?', '/other?').replace('/stolen?', '/kept?'),
    (url: string) => url.replace(/expires=\d+/, 'expires=99999999999'),
    (url: string) => url.replace(/expires=\d+/, 'expires=1e9'),
    (url: string) => url.replace('type=image%2Fpng', 'type=text%2Fhtml'),
    (url: string) => url.replace('disposition=inline', 'disposition=attachment').replace('size=18', 'size=19'),
    (url: string) => url.replace(/&signature=.*/, ''),
    (url: string) => url.replace(/signature=.{10}/, 'signature='),
    // Two bits of the last letter of a base64url text of 32 bytes mean nothing.
    (url: string) => url.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
    (url: string) => url.replace(/\?.*/, ''),
  ]) {
    await refused(change(get))
    await refused(change(put), upload)
  }
  await refused(put)
  await refused(get, upload)
  // Neither parts of an S3 nor its headers mean anything here.
  const copying = { ...upload, headers: { ...upload.headers, 'x-amz-copy-source': '/kept' } }
  expect((await fetch(put, copying)).status).toBe(200)
  expect(await new Response(await objects.get('stolen')).text()).toBe('Hello, kingfisher!')
  for (const method of ['POST', 'DELETE', 'PATCH']) expect((await fetch(get, { method })).status).toBe(405)
  const foreign = await directoryStore({ secret: 't'.repeat(43) })
  await refused(get.replace(base, foreign.base))
  await foreign.stop()
})

test('copying an object onto itself or an equal copy changes nothing and leaves no temporary file', async () => {
  for (const to of [Key, 'twin', 'twin']) expect(await objects.copy({ from: Key, to, etag })).toBe(true)
  expect(await objects.copy({ from: Key, to: 'twin', etag: '"x"' })).toBe(false)
  const leftovers = readdirSync(join(store.directory, 'tmp')).filter((name) => !name.startsWith('pin-'))
  expect(leftovers).toEqual([])
  await objects.delete('twin')
  expect(await objects.head(Key)).toEqual({ size: HELLO.length, content_type: 'text/plain', etag })
})
