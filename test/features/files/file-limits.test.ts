import { expect, test } from 'bun:test'
import { boot, person, standard, stop, until } from '../../support/harness.ts'
import { announce, put } from '../../support/uploads.ts'

const text = (content: string) => new TextEncoder().encode(content)

test('pending uploads, stored bytes and the size of a file are limited', async () => {
  const parley = await boot({ PENDING_UPLOADS_MAX: '2', STORED_BYTES_MAX: '1000', MAX_FILE_BYTES: '900' })
  const alice = await person(parley, 'alice')
  const ask = (size: number) => alice.post('/api/files/upload-url', { filename: 'a', content_type: 'text/plain', size })
  expect((await ask(901)).body.errors).toMatchObject([{ path: 'body.size' }])
  expect((await ask(600)).status).toBe(201)
  expect((await ask(600)).body.code).toBe('too_many_bytes')
  const racing = await Promise.all(Array.from({ length: 6 }, () => ask(10)))
  expect(racing.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409, 409])
  expect((await ask(10)).body.code).toBe('too_many_uploads')
  await stop(parley)
})

test('one account cannot use up all concurrent uploads: with eight running, another account’s succeeds', async () => {
  const parley = await standard()
  const [alice, mallory] = [await person(parley, 'alice'), await person(parley, 'mallory')]
  const endless = async (who: typeof alice) => {
    const { upload_url, headers } = await announce(who, 'slow.bin', 'application/octet-stream', 1000)
    const stream = new ReadableStream({ start: (controller) => controller.enqueue(text('a')) })
    const stop = new AbortController()
    const init = { method: 'PUT', headers: { ...headers, 'content-length': '1000' }, body: stream, signal: stop.signal }
    const answer = fetch(upload_url, init as RequestInit).then(
      ({ status }) => status,
      () => 0,
    )
    return { answer, stop: () => stop.abort() }
  }
  const held = await Promise.all(Array.from({ length: 8 }, () => endless(mallory)))
  await Bun.sleep(300)
  const bytes = text('seen')
  const ninth = await announce(mallory, 'a.txt', 'text/plain', bytes.length)
  expect((await put(ninth, bytes)).status).toBe(503)
  expect((await put(await announce(alice, 'a.txt', 'text/plain', bytes.length), bytes)).status).toBe(200)
  for (const one of held) one.stop()
  await Promise.all(held.map((one) => one.answer))
  await until(async () => (await put(ninth, bytes)).status === 200)
})
