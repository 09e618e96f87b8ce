import { expect, spyOn, test } from 'bun:test'
import { boot, call, person, stop, until } from '../support/harness.ts'
import { foreignS3 } from '../support/object-stores.ts'
import { announce, upload } from '../support/uploads.ts'

/** An S3 behind a listener that refuses some requests, as S3 does without a permission. */
async function guardedStore() {
  const s3 = await foreignS3()
  const seen: string[] = []
  const state = { refuse: (_method: string, _path: string): number | undefined => undefined }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      seen.push(`${request.method} ${pathname}`)
      const status = state.refuse(request.method, pathname)
      const code = status === 403 ? 'AccessDenied' : 'ServiceUnavailable'
      if (status !== undefined)
        return new Response(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`, { status })
      const { method, headers, url } = request
      const body = method === 'PUT' ? await request.arrayBuffer() : null
      const answer = await fetch(url.replace(/^http:\/\/[^/]+/, s3.endpoint), { method, headers, body })
      // Without ListBucket, S3 does not reveal that an object is missing.
      return answer.status === 404 ? new Response(null, { status: 403 }) : answer
    },
  })
  const stopAll = async () => {
    await server.stop(true)
    await s3.stop()
  }
  return { variables: { ...s3.variables, S3_ENDPOINT: server.url.origin }, seen, state, stop: stopAll }
}

const isBucket = (path: string) => /^\/[^/]*\/?$/.test(path)

test('with a key that may not list the bucket, the server is ready and files work', async () => {
  const store = await guardedStore()
  store.state.refuse = (method, path) => (method === 'HEAD' && isBucket(path) ? 403 : undefined)
  const parley = await boot(store.variables)
  expect(await call(parley, 'GET', '/readyz')).toMatchObject({ status: 200, body: { parts: { object_store: 'ok' } } })
  const alice = await person(parley, 'alice')
  await upload(alice, 'a.txt', 'text/plain', new TextEncoder().encode('bytes'))
  const { key } = await announce(alice, 'b.txt', 'text/plain', 5)
  expect((await alice.post('/api/files', { key })).body.code).toBe('upload_missing')
  // Frequent requests cause no more frequent probes.
  const probes = () => store.seen.filter((line) => line.includes('/probe/'))
  for (let nth = 0; nth < 50; nth++) await call(parley, 'GET', '/readyz')
  expect(probes().map((line) => line.split(' ')[0])).toEqual(['PUT', 'GET', 'DELETE'])
  await stop(parley)
  await store.stop()
})

test('a store that starts to fail makes the server unready, and the log says why, once a cause', async () => {
  const store = await guardedStore()
  store.state.refuse = (method) => (method === 'PUT' ? 503 : undefined)
  const written = spyOn(process.stdout, 'write').mockReturnValue(true)
  const lines = () =>
    written.mock.calls.map(([line]) => JSON.parse(String(line))).filter(({ event }) => event.startsWith('objects.'))
  try {
    // A store that is away may come back: the server starts without it.
    const parley = await boot({ ...store.variables, LOG_LEVEL: 'info' })
    const state = async () => (await call(parley, 'GET', '/readyz')).body.parts.object_store
    expect(await state()).toBe('away')
    await until(() => store.seen.filter((line) => line.startsWith('PUT')).length > 5)
    store.state.refuse = (method, path) => (method === 'DELETE' && path.includes('/probe/') ? 403 : undefined)
    await until(() => lines().length === 2)
    expect(await state()).toBe('away')
    store.state.refuse = () => undefined
    await until(async () => (await state()) === 'ok')
    expect(lines()).toMatchObject([
      { level: 'error', event: 'objects.away', operation: 'put', status: 503 },
      { level: 'error', event: 'objects.away', operation: 'delete', status: 403, error: 'AccessDenied' },
      { level: 'info', event: 'objects.ready' },
    ])
    expect(JSON.stringify(lines())).not.toMatch(/Signature=|Credential=|wJalr/)
    await stop(parley)
  } finally {
    written.mockRestore()
    await store.stop()
  }
})

test('a wrong key, secret or bucket keeps the server from starting, in one sentence', async () => {
  const [ours, theirs] = [await guardedStore(), await foreignS3()]
  const refusal = async (variables: Record<string, string>) => {
    const parley = await boot(variables).catch((error: Error) => error)
    if (!(parley instanceof Error)) await stop(parley)
    return parley instanceof Error ? [parley.constructor.name, parley.message] : ['started']
  }
  const cases: [string, Record<string, string>][] = [
    ['S3_SECRET_ACCESS_KEY', { ...ours.variables, S3_SECRET_ACCESS_KEY: 'wrong' }],
    ['S3_ACCESS_KEY_ID', { ...ours.variables, S3_ACCESS_KEY_ID: 'wrong' }],
    ['S3_SECRET_ACCESS_KEY', { ...theirs.variables, S3_SECRET_ACCESS_KEY: 'wrong' }],
    ['S3_BUCKET', { ...theirs.variables, S3_BUCKET: 'missing' }],
  ]
  for (const [name, variables] of cases)
    expect(await refusal(variables)).toEqual([
      'RefusesToBoot',
      expect.stringMatching(new RegExp(`^${name} is not usable: [^\\n]{10,200}\\.$`)),
    ])
  ours.state.refuse = (method) => (method === 'PUT' ? 403 : undefined)
  expect(await refusal(ours.variables)).toEqual([
    'RefusesToBoot',
    'S3_ACCESS_KEY_ID is not usable: it may not put objects in the bucket parley (AccessDenied).',
  ])
  await ours.stop()
  await theirs.stop()
})
