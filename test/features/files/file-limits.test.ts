import { expect, test } from 'bun:test'
import { pictureInTurn } from '../../../src/features/files/upload.ts'
import { boot, person, standard, stop, until } from '../../support/harness.ts'
import { botOf } from '../../support/bots.ts'
import { foreignS3 } from '../../support/object-stores.ts'
import { announce, jpeg, png, put, upload } from '../../support/uploads.ts'

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

test('uploads and storage of bots count for their owner, whichever of the bots asks', async () => {
  const parley = await boot({ PENDING_UPLOADS_MAX: '3', STORED_BYTES_MAX: '1000' })
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const bots = [await botOf(alice, 'One'), await botOf(alice, 'Two')] as const
  const ask = async (who: typeof alice, size: number) => {
    const draft = { filename: 'a', content_type: 'text/plain', size }
    return (await who.post('/api/files/upload-url', draft)).body.code as string | undefined
  }
  await upload(bots[0], 'a.txt', 'text/plain', text('x'.repeat(600)))
  for (const who of [alice, ...bots]) expect(await ask(who, 401)).toBe('too_many_bytes')
  const racing = await Promise.all(Array.from({ length: 12 }, (_, at) => ask([alice, ...bots][at % 3] ?? alice, 100)))
  expect(racing.filter((code) => code === undefined)).toHaveLength(3)
  for (const who of [alice, ...bots]) expect(await ask(who, 1)).toBe('too_many_uploads')
  expect(await ask(bob, 1000)).toBeUndefined()
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
  const uploads = await Promise.all(Array.from({ length: 8 }, () => endless(mallory)))
  const bytes = text('seen')
  // Until all eight have begun, another upload finds a slot.
  const another = () => announce(mallory, 'a.txt', 'text/plain', bytes.length)
  let ninth = await another()
  for (; (await put(ninth, bytes)).status !== 503; ninth = await another()) await Bun.sleep(10)
  expect((await put(await announce(alice, 'a.txt', 'text/plain', bytes.length), bytes)).status).toBe(200)
  for (const one of uploads) one.stop()
  await Promise.all(uploads.map((one) => one.answer))
  await until(async () => (await put(ninth, bytes)).status === 200)
})

test('twenty pictures of one account delay another account’s by one, and twenty fill its queue', async () => {
  const parley = await standard()
  const [alice, mallory] = [await person(parley, 'alice'), await person(parley, 'mallory')]
  const [large, small] = [await png(350, 350), await png(1, 1)]
  const recorded = async (who: typeof alice) => {
    const announced = await announce(who, 'a.png', 'image/png', small.length)
    expect((await put(announced, small)).status).toBe(200)
    return who.post('/api/files', { key: announced.key })
  }
  const began: number[] = []
  const hold = Promise.withResolvers<Uint8Array>()
  const turnOf = ({ id }: typeof alice, bytes: Uint8Array | Promise<Uint8Array>) =>
    pictureInTurn(id, async () => (began.push(id), bytes), 30_000)
  const pile = [hold.promise, ...Array<Uint8Array>(20).fill(large)].map((bytes) => turnOf(mallory, bytes))
  expect((await recorded(mallory)).body.code).toBe('unavailable')
  const pictures = [turnOf(alice, small), recorded(alice).then(({ body }) => body)]
  hold.resolve(large)
  for (const picture of pictures) expect(await picture).toMatchObject({ width: 1, height: 1 })
  for (const picture of pile) expect(await picture).toMatchObject({ width: 350 })
  expect(began).toEqual([mallory.id, alice.id, ...Array<number>(20).fill(mallory.id)])
})

test('a picture of too many pixels or scans is stored at once, with its size and without a thumbnail', async () => {
  const alice = await person(await standard(), 'alice')
  const bomb = await png(800, 600)
  new DataView(bomb.buffer).setUint32(16, 60_000)
  new DataView(bomb.buffer).setUint32(20, 60_000)
  const cases: [string, Uint8Array, number, boolean][] = [
    ['image/png', await png(5001, 5001), 5001, false],
    ['image/png', bomb, 60_000, false],
    ['image/jpeg', jpeg(100, 5000), 5000, false],
    ['image/jpeg', jpeg(101), 8, false],
    // Photographs are larger, but cheap to decode.
    ['image/jpeg', jpeg(10, 7000), 7000, true],
    ['image/jpeg', jpeg(1, 7072), 7072, false],
  ]
  for (const [type, bytes, width, isDecoded] of cases) {
    const started = performance.now()
    const file = await upload(alice, 'large', type, bytes)
    expect([file.width, performance.now() - started < 10_000]).toEqual([width, true])
    const thumbnail = await alice.get(`/api/files/${file.id}/download-url?variant=thumbnail`)
    expect(thumbnail.status).toBe(isDecoded ? 200 : 404)
    // It cannot be an avatar either: everyone would have to load all of it.
    const avatar = await alice.put('/api/auth/avatar', { avatar_file_id: file.id })
    expect(avatar.status).toBe(isDecoded ? 200 : 422)
  }
})

test('a picture that takes too long is stored without a thumbnail, and others wait until it is decoded', async () => {
  const hold = Promise.withResolvers<Uint8Array>()
  const began: number[] = []
  const turnOf = (userId: number, bytes: Promise<Uint8Array>) =>
    pictureInTurn(userId, () => (began.push(userId), bytes), 100)
  const [slow, next] = [turnOf(1, hold.promise), turnOf(2, png(1, 1))]
  expect(await slow).toEqual({ width: null, height: null, thumbnail: undefined })
  // Nothing can interrupt the decoding: two at once would take twice the memory.
  expect(began).toEqual([1])
  hold.resolve(await png(2, 2))
  expect((await next).width).toBe(1)
  expect(began).toEqual([1, 2])
})

test('the directory takes no bytes for an upload that is recorded, withdrawn or expired', async () => {
  const parley = await boot({ STORED_BYTES_MAX: '1000' })
  const { sql, objects } = parley.parts
  const alice = await person(parley, 'alice')
  const bytes = new Uint8Array(1000)
  const denied = async (one: Awaited<ReturnType<typeof announce>>) => {
    const answer = await put(one, bytes)
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('forbidden')])
    expect(await objects.head(one.key)).toBeUndefined()
  }
  const recorded = await announce(alice, 'a.bin', 'application/octet-stream', 1000)
  // A pending upload accepts repeated PUTs.
  expect([(await put(recorded, bytes)).status, (await put(recorded, bytes)).status]).toEqual([200, 200])
  const { body: file } = await alice.post('/api/files', { key: recorded.key })
  await denied(recorded)
  expect((await alice.delete(`/api/files/${file.id}`)).status).toBe(204)
  await denied(recorded)
  const expired = await announce(alice, 'a.bin', 'application/octet-stream', 1000)
  await sql`update uploads set expires_at = now() where key = ${expired.key}`
  await denied(expired)
  // The upload is withdrawn while its bytes arrive.
  const crossing = await announce(alice, 'a.bin', 'application/octet-stream', 1000)
  let send: (half: Uint8Array) => void = () => {}
  const stream = new ReadableStream({ start: (controller) => void (send = (half) => controller.enqueue(half)) })
  const headers = { ...crossing.headers, 'content-length': '1000' }
  const answer = fetch(crossing.upload_url, { method: 'PUT', headers, body: stream } as RequestInit)
  send(bytes.subarray(0, 500))
  await Bun.sleep(200)
  await sql`delete from uploads where key = ${crossing.key}`
  send(bytes.subarray(0, 500))
  expect((await answer).status).toBe(403)
  expect(await objects.head(crossing.key)).toBeUndefined()
  await stop(parley)
})

test('in another S3 a recorded upload counts until its URL expires, in addition to the stored files', async () => {
  const s3 = await foreignS3()
  const parley = await boot({ ...s3.variables, STORED_BYTES_MAX: '1000', PENDING_UPLOADS_MAX: '2' })
  const { sql, objects } = parley.parts
  const alice = await person(parley, 'alice')
  const ask = async (size: number) => {
    const draft = { filename: 'a', content_type: 'application/octet-stream', size }
    return (await alice.post('/api/files/upload-url', draft)).body.code as string | undefined
  }
  const first = await announce(alice, 'a.bin', 'application/octet-stream', 600)
  expect((await put(first, new Uint8Array(600))).status).toBe(200)
  const { body: file } = await alice.post('/api/files', { key: first.key })
  expect((await alice.post('/api/files', { key: first.key })).status).toBe(404)
  expect((await alice.post('/api/files', { key: `recorded/${first.key}` })).status).toBe(422)
  await alice.delete(`/api/files/${file.id}`)
  // S3 accepts the bytes again; the sweep deletes them when the URL has expired.
  expect((await put(first, new Uint8Array(600))).status).toBe(200)
  expect(await ask(401)).toBe('too_many_bytes')
  expect(await ask(400)).toBeUndefined()
  await sql`update uploads set expires_at = now() - interval '2 minutes'`
  await sql`update object_outbox set due_at = now()`
  expect(await ask(1000)).toBeUndefined()
  await until(async () => {
    await parley.sweep()
    return (await objects.head(first.key)) === undefined
  })
  expect(await sql`select key from uploads where key not like 'incoming/%'`).toHaveLength(0)
  await stop(parley)
  await s3.stop()
})
