import { afterAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectTaggingCommand,
  GetObjectAclCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  PutObjectTaggingCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { embedded, sdkClient } from '../support/s3-stores.ts'

const store = await embedded({ publicHost: 'chat.example.org' })
afterAll(store.stop)
const { objects, base } = store
const client = sdkClient(base)
const [Bucket, Key] = ['parley', 'kept']
const HELLO = new TextEncoder().encode('Hello, kingfisher!')
await objects.put(Key, HELLO, 'text/plain')
const { etag } = (await objects.head(Key)) as { etag: string }

const codeOf = async (answer: Response | Promise<Response>) => /<Code>(\w+)</.exec(await (await answer).text())?.[1]
const read = (origin = base) =>
  objects.presignGet({ key: Key, content_type: 'image/png', disposition: 'inline', expiresS: 60, base: origin })
const putUrl = async (key: string) =>
  (await objects.presignPut({ key, content_type: 'image/png', size: HELLO.length, expiresS: 60, base })).url
const get = async (headers: Record<string, string>) => fetch(await read(), { headers })
/** The result of an SDK call: the status, or the name of the error. */
const outcome = (answer: Promise<{ $metadata: { httpStatusCode?: number } }>) =>
  answer.then(
    ({ $metadata }) => $metadata.httpStatusCode,
    (error: Error) => error.name,
  )

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

test('a write with a condition that does not hold changes nothing', async () => {
  const put = (more: object) =>
    outcome(client.send(new PutObjectCommand({ Bucket, Key: 'condition', Body: 'a', ...more })))
  expect(await put({ IfMatch: '"x"' })).toBe('PreconditionFailed')
  expect(await put({ IfNoneMatch: '*' })).toBe(200)
  expect(await put({ IfNoneMatch: '*' })).toBe('PreconditionFailed')
  const { etag: stored = '' } = (await objects.head('condition')) ?? {}
  const remove = (IfMatch: string) =>
    outcome(client.send(new DeleteObjectCommand({ Bucket, Key: 'condition', IfMatch })))
  expect(await remove('"x"')).toBe('PreconditionFailed')
  expect(await put({ IfMatch: stored })).toBe(200)
  expect(await remove(stored)).toBe(204)
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

test('a presigned PUT cannot be turned into a copy or another operation', async () => {
  const url = await putUrl('stolen')
  const headers = { 'content-type': 'image/png' }
  const put = (to: string, more: Record<string, string> = {}) =>
    codeOf(fetch(to, { method: 'PUT', headers: { ...headers, ...more }, body: HELLO }))
  expect(await put(url, { 'x-amz-copy-source': '/parley/kept' })).toBe('AccessDenied')
  expect(await put(url, { 'x-amz-tagging': 'a=b' })).toBe('AccessDenied')
  expect(await put(`${url}&x-id=PutObject`)).toBe('InvalidArgument')
  expect(await put(`${url}&acl`)).toBe('SignatureDoesNotMatch')
  expect(await put(`${url}&x-amz-copy-source=%2Fparley%2Fkept`)).toBe('SignatureDoesNotMatch')
  expect(await put(url, { authorization: 'Bearer x' })).toBe('InvalidArgument')
  expect(await put(url.replace('/parley/', '/parley//'))).toBe('SignatureDoesNotMatch')
  expect(await put(url.replace('/stolen', '/%zz'))).toBe('InvalidURI')
  expect(await objects.head('stolen')).toBeUndefined()
})

test('an operation that is not implemented is refused', async () => {
  const Tagging = { TagSet: [] }
  expect(await outcome(client.send(new GetObjectAclCommand({ Bucket, Key })))).toBe('NotImplemented')
  expect(await outcome(client.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging })))).toBe('NotImplemented')
  expect(await outcome(client.send(new DeleteObjectTaggingCommand({ Bucket, Key })))).toBe('NotImplemented')
  expect(await outcome(client.send(new CreateMultipartUploadCommand({ Bucket, Key })))).toBe('NotImplemented')
  const part = { Bucket, Key, UploadId: 'a', PartNumber: 1, Body: HELLO }
  expect(await outcome(client.send(new UploadPartCommand(part)))).toBe('NotImplemented')
  const guarded = { Bucket, Key, Body: HELLO, ChecksumSHA256: 'x' }
  expect(await outcome(client.send(new PutObjectCommand(guarded)))).toBe('NotImplemented')
  expect(await outcome(client.send(new DeleteObjectCommand({ Bucket, Key, VersionId: 'a' })))).toBe('NotImplemented')
  expect(await outcome(client.send(new ListObjectsV2Command({ Bucket })))).toBe('NotImplemented')
  expect(await codeOf(fetch(`${base}/objects/parley`, { method: 'POST', body: new FormData() }))).toBe('AccessDenied')
  expect(new TextDecoder().decode(HELLO)).toBe(await new Response(await objects.get(Key)).text())
})

test('other buckets do not exist, and requests without a signature learn nothing about buckets', async () => {
  expect(await outcome(client.send(new HeadBucketCommand({ Bucket })))).toBe(200)
  expect(await outcome(client.send(new HeadBucketCommand({ Bucket: 'other' })))).toBe('NotFound')
  expect(await outcome(client.send(new GetObjectCommand({ Bucket: '..', Key })))).not.toBe(200)
  const across = new CopyObjectCommand({ Bucket, Key: 'stolen', CopySource: '../secrets.json' })
  expect(await outcome(client.send(across))).toBe('NoSuchBucket')
  for (const path of ['/objects/parley/kept', '/objects/other/kept', '/objects/', '/objects//'])
    expect(await codeOf(fetch(base + path))).toBe('AccessDenied')
})

test('a URL is valid for its signed host, and behind a proxy for the public host', async () => {
  expect((await fetch(await read())).status).toBe(200)
  const elsewhere = (await read('https://evil.example')).replace('https://evil.example', base)
  expect(await codeOf(fetch(elsewhere))).toBe('SignatureDoesNotMatch')
  // A proxy sends another Host header than the client.
  const published = (await read('https://chat.example.org')).replace('https://chat.example.org', base)
  expect((await fetch(published)).status).toBe(200)
})

test('copying an object onto itself or an equal copy changes nothing and leaves no temporary file', async () => {
  for (const to of [Key, 'twin', 'twin']) {
    const copy = new CopyObjectCommand({ Bucket, Key: to, CopySource: `/parley/${Key}` })
    const { CopyObjectResult } = await client.send(copy)
    expect(CopyObjectResult?.ETag).toBe(etag)
  }
  const guarded = new CopyObjectCommand({ Bucket, Key: 'twin', CopySource: `parley/${Key}`, CopySourceIfMatch: '"x"' })
  expect(await outcome(client.send(guarded))).toBe('PreconditionFailed')
  const leftovers = readdirSync(join(store.directory, 'parley/tmp')).filter((name) => !name.startsWith('pin-'))
  expect(leftovers).toEqual([])
  await objects.delete('twin')
  expect(await objects.head(Key)).toEqual({ size: HELLO.length, content_type: 'text/plain', etag })
})
