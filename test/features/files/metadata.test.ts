import { afterAll, describe, expect, test } from 'bun:test'
import { boot, person, newServer, standard, stop } from '../../support/harness.ts'
import { pictures, picture, secretsIn, tagsOf, typeOfPicture } from '../../support/pictures.ts'
import { foreignS3 } from '../../support/object-stores.ts'
import { announce, download, put, upload } from '../../support/uploads.ts'
import type { Person } from '../../support/harness.ts'

const foreign = await foreignS3()
const elsewhere = await boot(foreign.variables)
const stores = [
  ['the directory', standard()],
  ['an S3 that is not ours', Promise.resolve(elsewhere)],
] as const

afterAll(async () => {
  await stop(elsewhere)
  await foreign.stop()
})

const recorded = async (who: Person, name: string, type: string, bytes: Uint8Array, more: object = {}) => {
  const announced = await announce(who, name, type, bytes.length)
  expect((await put(announced, bytes)).status).toBe(200)
  const answer = await who.post('/api/files', { key: announced.key, ...more })
  expect([name, answer.status, answer.body.detail]).toEqual([name, 201, undefined])
  return answer.body
}
const bytesOf = async (who: Person, id: number) => (await download(who, id)).bytes()
const pixelsOf = (bytes: Uint8Array) => new Bun.Image(bytes).png().bytes()

test('the pictures of these tests do contain a location and a maker', () => {
  for (const name of pictures.filter((each) => each !== 'animated.webp'))
    expect([name, secretsIn(picture(name)).length > 0]).toEqual([name, true])
})

describe.each(stores)('in %s', (_, started) => {
  test('a photograph or video loses its place, maker and comments when it is recorded', async () => {
    const alice = await person(await started, 'alice')
    for (const name of pictures) {
      const file = await recorded(alice, name, typeOfPicture(name), picture(name))
      const bytes = await bytesOf(alice, file.id)
      expect([name, secretsIn(bytes)]).toEqual([name, []])
      expect([name, file.content_type, file.size]).toEqual([name, typeOfPicture(name), bytes.length])
    }
  })

  test('a large video loses its place, and every byte of its pictures stays', async () => {
    const alice = await person(await started, 'alice')
    const small = picture('phone.mov')
    const body = Buffer.alloc(20 * 1024 * 1024, 7)
    const head = Buffer.from([0, 0, 0, 0, ...Buffer.from('mdat')])
    head.writeUInt32BE(8 + body.length)
    const file = await recorded(alice, 'long.mov', 'video/quicktime', Buffer.concat([small, head, body]))
    const bytes = await bytesOf(alice, file.id)
    expect(bytes.length).toBe(small.length + 8 + body.length)
    expect(secretsIn(bytes.subarray(0, small.length))).toEqual([])
    expect(body.equals(bytes.subarray(small.length + 8))).toBe(true)
  })
})

test('a photograph keeps its orientation, with the same pixels', async () => {
  const alice = await person(await standard(), 'alice')
  for (const name of ['photo-with-place.jpg', 'photo-with-place.png', 'photo-with-place.webp', 'deep.png']) {
    const file = await recorded(alice, name, typeOfPicture(name), picture(name))
    const bytes = await bytesOf(alice, file.id)
    expect([name, Buffer.from(await pixelsOf(bytes)).equals(await pixelsOf(picture(name)))]).toEqual([name, true])
  }
  const turned = await recorded(alice, 'a.jpg', 'image/jpeg', picture('photo-with-place.jpg'))
  expect([turned.width, turned.height]).toEqual([200, 400])
  expect(tagsOf(await bytesOf(alice, turned.id)).filter((tag) => !/^(Byte Order|Exif IFD)/.test(tag))).toEqual([
    'Orientation',
  ])
})

test('an uploader who wants the metadata keeps it', async () => {
  const alice = await person(await standard(), 'alice')
  const bytes = picture('photo-with-place.jpg')
  const file = await recorded(alice, 'a.jpg', 'image/jpeg', bytes, { keep_metadata: true })
  expect(bytes.equals(await bytesOf(alice, file.id))).toBe(true)
})

test('a photograph loses its location under any file name and type', async () => {
  const alice = await person(await standard(), 'alice')
  for (const name of ['photo-with-place.jpg', 'phone.heic', 'phone.mp4']) {
    const file = await recorded(alice, 'holiday.bin', 'application/octet-stream', picture(name))
    expect(secretsIn(await bytesOf(alice, file.id))).toEqual([])
  }
})

test('nobody can download an upload before its location is removed, not even from the upload URL', async () => {
  const parley = await standard()
  const alice = await person(parley, 'alice')
  const bytes = picture('photo-with-place.jpg')
  const announced = await announce(alice, 'a.jpg', 'image/jpeg', bytes.length)
  await put(announced, bytes)
  expect((await fetch(announced.upload_url)).status).toBe(403)
  const file = (await alice.post('/api/files', { key: announced.key })).body
  const [row] = await parley.parts.sql<{ key: string }[]>`select key from files where id = ${file.id}`
  expect(row?.key).not.toBe(announced.key)
  expect(await parley.parts.objects.head(announced.key)).toBeUndefined()
  // Leftovers of the raw copy are listed, and go with the next sweep.
  await parley.sweep()
  const remaining = await parley.parts.sql`select key from object_outbox where key like 'files/%' and due_at <= now()`
  for (const { key } of remaining) expect(await parley.parts.objects.head(key)).toBeUndefined()
})

test('data that a camera appends behind a picture goes: the video of a moving photograph, for instance', async () => {
  const alice = await person(await standard(), 'alice')
  for (const name of ['photo-with-place.jpg', 'photo-with-place.png', 'photo-with-place.webp', 'moving.gif']) {
    const video = Buffer.concat([picture(name), picture('phone.mp4')])
    const file = await recorded(alice, name, typeOfPicture(name), video)
    const bytes = await bytesOf(alice, file.id)
    expect([name, bytes.includes(0), Buffer.from(bytes).includes('ftyp'), secretsIn(bytes)]).toEqual([
      name,
      true,
      false,
      [],
    ])
  }
})

test('a picture with a false structure is stored as bytes of any kind', async () => {
  const alice = await person(await standard(), 'alice')
  const { channel_id } = await newServer(alice)
  const cases: [string, (bytes: Buffer) => Buffer][] = [
    ['photo-with-place.jpg', (bytes) => (bytes.writeUInt16BE(0xffff, 4), bytes.subarray(0, 500))],
    ['photo-with-place.png', (bytes) => (bytes.writeUInt32BE(0xfffffff0, 33), bytes)],
    ['photo-with-place.webp', (bytes) => (bytes.writeUInt32LE(0xfffffff0, 16), bytes)],
    ['moving.gif', (bytes) => bytes.subarray(0, bytes.length - 40)],
    ['phone.heic', (bytes) => bytes.subarray(0, bytes.length - 40)],
    ['phone.mp4', (bytes) => (bytes.writeUInt32BE(9, bytes.indexOf('trak') - 4), bytes)],
  ]
  for (const [name, change] of cases) {
    const bytes = change(picture(name))
    const file = await recorded(alice, name, typeOfPicture(name), bytes)
    expect([name, file.content_type, file.width]).toEqual([name, 'application/octet-stream', null])
    expect((await download(alice, file.id)).headers.get('content-disposition')).toStartWith('attachment')
    expect((await alice.post(`/api/channels/${channel_id}/messages`, { file_ids: [file.id] })).status).toBe(201)
  }
})

test('an avatar, an icon and an emoji contain no location', async () => {
  const alice = await person(await standard(), 'alice')
  const { server_id } = await newServer(alice)
  const face = await upload(alice, 'me.jpg', 'image/jpeg', picture('photo-with-place.jpg'))
  expect((await alice.put('/api/auth/avatar', { avatar_file_id: face.id })).status).toBe(200)
  expect((await alice.put(`/api/servers/${server_id}`, { icon_file_id: face.id })).status).toBe(200)
  for (const query of ['', '?variant=thumbnail'])
    expect(secretsIn(await (await download(alice, face.id, query)).bytes())).toEqual([])
  const drawn = await upload(alice, 'wave.png', 'image/png', picture('photo-with-place.png'))
  const emoji = await alice.post(`/api/servers/${server_id}/emoji`, { name: 'wave', file_id: drawn.id })
  expect(emoji.status).toBe(201)
  const emojiResponse = await fetch(new URL(emoji.body.url, (await standard()).url))
  expect(secretsIn(await emojiResponse.bytes())).toEqual([])
})
