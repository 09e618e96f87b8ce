import { expect, spyOn, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileSecrets } from '../../src/database/secrets.ts'
import { readEnvironment } from '../../src/environment.ts'
import { boot, call, standard, stop, until } from '../support/harness.ts'
import { foreignS3 } from '../support/object-stores.ts'

const SIZE = 1024 * 1024
const bytes = new Uint8Array(SIZE).fill(7)

test('a directory answers under the origin that the client uses, with bodies above the JSON limit', async () => {
  const { parts, url: base } = await standard()
  const put = await parts.objects.presignPut({
    key: 'files/a',
    content_type: 'image/png',
    size: SIZE,
    expiresS: 60,
    base,
  })
  expect(put.url).toStartWith(`${base}/objects/files/a?`)
  const stored = await fetch(put.url, {
    method: 'PUT',
    headers: { ...put.headers, 'x-request-id': 'mine' },
    body: bytes,
  })
  expect([stored.status, stored.headers.get('x-request-id')]).toEqual([200, 'mine'])
  const get = { key: 'files/a', content_type: 'image/png', disposition: 'inline', expiresS: 60, base }
  const got = await fetch(await parts.objects.presignGet(get))
  expect(got.headers.get('content-length')).toBe(String(SIZE))
  expect(got.headers.get('cache-control')).toStartWith('private, max-age=')
  expect(new Uint8Array(await got.arrayBuffer())).toEqual(bytes)
  const head = await fetch(`${base}/objects/files/a`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([403, ''])
  expect((await call(await standard(), 'GET', '/objects')).status).toBe(404)
})

test('a request for an object is logged without its query, counted, and allowed from every origin', async () => {
  const written = spyOn(process.stdout, 'write').mockReturnValue(true)
  const parley = await boot({ LOG_LEVEL: 'info', CORS_ORIGINS: 'https://app.example.org' })
  const headers = { origin: 'https://app.example.org', 'access-control-request-method': 'PUT' }
  const url = await parley.parts.objects.presignGet({
    key: 'secret-name',
    content_type: 'image/png',
    disposition: 'inline',
    expiresS: 60,
    base: parley.url,
  })
  const missing = await fetch(url, { headers })
  const preflight = await fetch(url, { method: 'OPTIONS', headers })
  const lines = written.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('"/objects/*"'))
  expect(lines.length).toBe(2)
  expect(lines[0]).toContain('"status":404')
  expect(lines.join()).not.toMatch(/secret-name|signature|expires=/i)
  for (const answer of [missing, preflight]) {
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
  }
  const { body } = await call(parley, 'GET', '/metrics')
  expect(body).toContain('parley_http_request_seconds_count{method="GET",route="/objects/*",status="404"} 1')
  await stop(parley)
  written.mockRestore()
})

test('with S3_ENDPOINT files are stored there, /objects answers 404, and /readyz shows the store', async () => {
  const s3 = await foreignS3()
  const parley = await boot({ ...s3.variables, S3_PUBLIC_ENDPOINT: 'https://files.example.org/s3' })
  await parley.parts.objects.put('a', bytes, 'image/png')
  expect(await parley.parts.objects.head('a')).toMatchObject({ size: SIZE })
  const put = { key: 'a', content_type: 'a/b', size: 1, expiresS: 60, base: parley.url }
  expect((await parley.parts.objects.presignPut(put)).url).toStartWith('https://files.example.org/s3/parley/a?')
  expect((await call(parley, 'GET', '/objects/parley/a')).status).toBe(404)
  const state = async () => (await call(parley, 'GET', '/readyz')).body.parts.object_store
  expect(await state()).toBe('ok')
  await s3.stop()
  // An operation that fails is followed by a probe.
  await until(async () => {
    await expect(parley.parts.objects.head('a')).rejects.toThrow()
    return (await state()) === 'away'
  })
  await stop(parley)
})

test('S3 variables are only valid together, and the secrets are removed from the environment', () => {
  const source: Record<string, string> = {
    S3_ENDPOINT: 'https://s3.example.org',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  const variables = { ...source }
  expect(readEnvironment(variables)).toMatchObject({ ...source, S3_PATH_STYLE: 'on', MAX_FILE_BYTES: 104_857_600 })
  expect(variables).toEqual({ S3_ENDPOINT: 'https://s3.example.org' })
  expect(() => readEnvironment({ ...source, S3_ACCESS_KEY_ID: '' })).toThrow('only usable together')
  expect(() => readEnvironment({ S3_BUCKET: '../..' })).toThrow('S3_BUCKET is not usable')
})

test('secrets of an older version are kept, and missing ones are added', () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-secrets-'))
  const path = join(directory, 'secrets.json')
  const jwt = 'j'.repeat(43)
  writeFileSync(path, JSON.stringify({ jwt }), { mode: 0o600 })
  const secrets = fileSecrets(directory)
  const some = expect.any(String)
  const names = ['objects_key_id', 'objects_secret', 'turn', 'factors', 'push', 'interactions']
  expect<object>(secrets).toEqual({ jwt, ...Object.fromEntries(names.map((name) => [name, some])) })
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(secrets)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(fileSecrets(directory)).toEqual(secrets)
  writeFileSync(path, '{}')
  expect(() => fileSecrets(directory)).toThrow('is damaged')
  rmSync(directory, { recursive: true })
})
