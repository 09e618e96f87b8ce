import { afterAll, describe, expect, test } from 'bun:test'
import type { Parley } from '../../../src/parley.ts'
import { boot, person, newServer, standard, stop, until } from '../../support/harness.ts'
import { foreignS3 } from '../../support/object-stores.ts'
import { connect } from '../../support/socket.ts'
import { announce, download, jpeg, png, put, upload } from '../../support/uploads.ts'

const text = (content: string) => new TextEncoder().encode(content)
const foreign = await foreignS3()
const stores: [string, () => Promise<Parley>][] = [
  ['the directory', standard],
  ['an S3 that is not ours', () => boot(foreign.variables)],
]

describe.each(stores)('files in %s', (_, server) => {
  const parley = server()

  test('a file is uploaded, recorded once, and downloaded unchanged', async () => {
    const alice = await person(await parley, 'alice')
    const bytes = text('Seen: one kingfisher')
    const announced = await announce(alice, 'notes.txt', 'text/plain', bytes.length)
    const early = await alice.post('/api/files', { key: announced.key })
    expect([early.status, early.body.code]).toEqual([409, 'upload_missing'])
    expect((await put(announced, bytes)).status).toBe(200)
    const record = await alice.post('/api/files', { key: announced.key })
    expect(record.status).toBe(201)
    expect(record.body).toMatchObject({ filename: 'notes.txt', content_type: 'text/plain', size: bytes.length })
    expect((await alice.post('/api/files', { key: announced.key })).status).toBe(404)
    const down = await download(alice, record.body.id)
    expect(await down.text()).toBe('Seen: one kingfisher')
    expect(down.headers.get('content-type')).toBe('application/octet-stream')
    expect(down.headers.get('content-disposition')).toStartWith('attachment')
    const part = await download(alice, record.body.id, '', { range: 'bytes=6-8' })
    expect([part.status, await part.text()]).toEqual([206, 'one'])
  })

  test('a later PUT to the still valid URL changes nothing', async () => {
    const alice = await person(await parley, 'alice')
    const bytes = text('the first')
    const announced = await announce(alice, 'a.txt', 'text/plain', bytes.length)
    await put(announced, bytes)
    const { body: file } = await alice.post('/api/files', { key: announced.key })
    await put(announced, text('the other'))
    expect(await (await download(alice, file.id)).text()).toBe('the first')
  })

  test('an image gets size and thumbnail, and bytes of another type than announced are refused', async () => {
    const alice = await person(await parley, 'alice')
    const picture = await png(800, 600)
    const file = await upload(alice, 'bird.png', 'image/png', picture)
    expect([file.width, file.height]).toEqual([800, 600])
    const thumbnail = await download(alice, file.id, '?variant=thumbnail')
    expect(thumbnail.headers.get('content-type')).toBe('image/webp')
    const { width, height } = await new Bun.Image(await thumbnail.arrayBuffer()).metadata()
    expect([width, height]).toEqual([512, 384])
    expect((await download(alice, file.id)).headers.get('content-disposition')).toStartWith('inline')
    const note = await upload(alice, 'note.txt', 'text/plain', text('no picture'))
    const both = { ids: [file.id, note.id], variant: 'thumbnail' }
    const small = (await alice.post('/api/files/download-urls', both)).body
    expect(Object.keys(small)).toEqual([String(file.id)])
    expect((await fetch(small[file.id].download_url)).headers.get('content-type')).toBe('image/webp')

    expect((await upload(alice, 'bird.jpg', 'image/jpeg', jpeg(20))).width).toBe(8)
    const refused: [string, Uint8Array][] = [
      ['image/png', text('<html>not a picture at all</html>')],
      ['image/jpeg', picture],
      ['text/plain', picture],
    ]
    for (const [type, bytes] of refused) {
      const announced = await announce(alice, 'x', type, bytes.length)
      await put(announced, bytes)
      const answer = await alice.post('/api/files', { key: announced.key })
      expect([type, answer.status, answer.body.code]).toEqual([type, 422, 'upload_mismatch'])
    }
  })

  test('a sound keeps its length and waveform, also forwarded; no other file has one', async () => {
    const alice = await person(await parley, 'alice')
    const { channel_id } = await newServer(alice)
    const sound = { duration_ms: 1500, waveform: 'AEj/yDI=' }
    const bytes = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(40)])
    const announced = await announce(alice, 'a.wav', 'audio/wav', bytes.length)
    await put(announced, bytes)
    const record = (sound: object) => alice.post('/api/files', { key: announced.key, sound: sound })
    for (const wrong of [
      { ...sound, waveform: 'AEj/yDI' },
      { ...sound, waveform: 'A'.repeat(348) },
      { ...sound, waveform: '' },
      { ...sound, duration_ms: 0 },
      { ...sound, duration_ms: 86_400_001 },
      { ...sound, title: 'more' },
      { duration_ms: 1 },
    ])
      expect((await record(wrong)).body.code).toBe('validation_failed')
    const { body: file } = await record(sound)
    expect(file).toMatchObject(sound)
    const response = await alice.post(`/api/channels/${channel_id}/messages`, { content: '', file_ids: [file.id] })
    expect(response.body.files[0]).toMatchObject(sound)
    const forward = { content: '', forward_message_id: response.body.id }
    const copy = await alice.post(`/api/channels/${channel_id}/messages`, forward)
    const fileView = copy.body.files[0] ?? copy.body.forwarded?.files?.[0]
    expect(fileView).toMatchObject(sound)

    const note = await announce(alice, 'a.txt', 'text/plain', 4)
    await put(note, text('note'))
    const refused = await alice.post('/api/files', { key: note.key, sound })
    expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'body.sound'])
    expect((await alice.post('/api/files', { key: note.key })).body).toMatchObject({
      duration_ms: null,
      waveform: null,
      alt: null,
    })
  })

  test('a file that is deleted with its message leaves no object behind', async () => {
    const alice = await person(await parley, 'alice')
    const { channel_id, server_id } = await newServer(alice)
    const file = await upload(alice, 'a.png', 'image/png', await png(40, 30))
    const sent = await alice.post(`/api/channels/${channel_id}/messages`, { file_ids: [file.id] })
    expect(sent.status).toBe(201)
    expect(sent.body.files).toMatchObject([{ id: file.id, message_id: sent.body.id, width: 40 }])
    const { download_url } = (await alice.get(`/api/files/${file.id}/download-url`)).body
    expect((await fetch(download_url)).status).toBe(200)
    await alice.delete(`/api/servers/${server_id}`)
    expect((await alice.get(`/api/files/${file.id}`)).status).toBe(404)
    const { sweep } = await parley
    await until(async () => {
      await sweep()
      return (await fetch(download_url)).status === 404
    })
  })

  afterAll(async () => {
    const started = await parley
    if (started === (await standard())) return
    await stop(started)
    await foreign.stop()
  })
})

test('a file of a message is visible to those who see the message, and nobody else', async () => {
  const parley = await standard()
  const [alice, bob, mallory] = [
    await person(parley, 'alice'),
    await person(parley, 'bob'),
    await person(parley, 'mallory'),
  ]
  const { channel_id } = await newServer(alice, bob)
  const file = await upload(alice, 'a.txt', 'text/plain', text('for bob'))
  expect((await bob.get(`/api/files/${file.id}`)).status).toBe(404)
  expect((await mallory.post(`/api/channels/${channel_id}/messages`, { file_ids: [file.id] })).status).toBe(404)
  const stolen = await bob.post(`/api/channels/${channel_id}/messages`, { file_ids: [file.id] })
  expect([stolen.status, stolen.body.code]).toEqual([422, 'validation_failed'])
  const live = await connect(bob)
  const sent = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'look', file_ids: [file.id] })
  expect((await live.next('message.created')).d).toEqual(sent.body)
  expect((await bob.get(`/api/files/${file.id}`)).status).toBe(200)
  expect((await bob.get(`/api/messages/${sent.body.id}/files`)).body).toMatchObject([{ id: file.id }])
  expect((await mallory.get(`/api/files/${file.id}`)).status).toBe(404)
  expect((await mallory.get(`/api/messages/${sent.body.id}/files`)).status).toBe(404)
  const many = await bob.post('/api/files/download-urls', { ids: [file.id, 999_999] })
  expect(Object.keys(many.body)).toEqual([String(file.id)])
  const again = await alice.post(`/api/channels/${channel_id}/messages`, { file_ids: [file.id] })
  expect([again.status, again.body.code]).toEqual([409, 'already_attached'])

  expect((await bob.delete(`/api/files/${file.id}`)).body.code).toBe('missing_permission')
  expect((await alice.delete(`/api/files/${file.id}`)).status).toBe(204)
  expect((await live.next('message.updated')).d.files).toEqual([])
  expect((await bob.get(`/api/files/${file.id}`)).status).toBe(404)
  live.close()
})

test('an avatar is visible to everyone and never deleted as an orphan; an unused file is', async () => {
  const parley = await standard()
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id } = await newServer(alice, bob)
  const live = await connect(bob)
  const picture = await upload(alice, 'me.png', 'image/png', await png(64, 64))
  const note = await upload(alice, 'note.txt', 'text/plain', text('nothing'))
  expect((await alice.put('/api/auth/avatar', { avatar_file_id: note.id })).status).toBe(422)
  expect((await bob.put('/api/auth/avatar', { avatar_file_id: picture.id })).status).toBe(404)
  expect((await alice.put('/api/auth/avatar', { avatar_file_id: picture.id })).body.avatar_file_id).toBe(picture.id)
  expect((await live.next('user.updated')).d).toMatchObject({ id: alice.id, avatar_file_id: picture.id })
  expect((await bob.get(`/api/files/${picture.id}`)).status).toBe(200)
  expect((await alice.put(`/api/servers/${server_id}`, { icon_file_id: picture.id })).status).toBe(200)
  await parley.parts.sql`update files set created_at = now() - interval '2 days' where uploader_id = ${alice.id}`
  await parley.sweep()
  expect((await alice.get(`/api/files/${note.id}`)).status).toBe(404)
  expect((await bob.get(`/api/files/${picture.id}`)).status).toBe(200)
  expect((await alice.delete(`/api/files/${picture.id}`)).status).toBe(204)
  await live.next('user.updated', (frame) => frame.d.avatar_file_id === null)
  await live.next('server.updated', (frame) => frame.d.icon_file_id === null)
  live.close()
})

test('an avatar or icon that is deleted with its message, channel or server is cleared, with an event', async () => {
  const parley = await standard()
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const [home, away] = [await newServer(alice, bob), await newServer(alice, bob)]
  const live = await connect(bob)
  const show = async (channel_id: number) => {
    const { id } = await upload(alice, 'me.png', 'image/png', await png(8, 8))
    const sent = await alice.post(`/api/channels/${channel_id}/messages`, { file_ids: [id] })
    await alice.put('/api/auth/avatar', { avatar_file_id: id })
    await alice.put(`/api/servers/${home.server_id}`, { icon_file_id: id })
    await live.next('server.updated', (frame) => frame.d.icon_file_id === id)
    return sent.body.id as number
  }
  const remove = async (path: string) => {
    expect((await alice.delete(path)).status).toBe(204)
    await live.next('user.updated', (frame) => frame.d.id === alice.id && frame.d.avatar_file_id === null)
    await live.next('server.updated', (frame) => frame.d.icon_file_id === null)
    // The content of a server goes after the answer.
    await until(async () => (await alice.get('/api/auth/me')).body.avatar_file_id === null)
  }
  await remove(`/api/messages/${await show(home.channel_id)}`)
  await show(home.channel_id)
  await remove(`/api/channels/${home.channel_id}`)
  await show(away.channel_id)
  await remove(`/api/servers/${away.server_id}`)
  live.close()
})

test('a failing object store answers 503, not 500', async () => {
  const failing = Bun.serve({ port: 0, fetch: () => new Response(null, { status: 503 }) })
  const keys = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
  const parley = await boot({ S3_ENDPOINT: failing.url.origin, ...keys })
  const alice = await person(parley, 'alice')
  const record = async () => {
    const { key } = await announce(alice, 'a', 'text/plain', 1)
    const { status, body, headers } = await alice.post('/api/files', { key })
    return [status, body.code, body.detail, headers.get('retry-after')]
  }
  const away = [503, 'unavailable', 'The object store is away', '5']
  expect(await record()).toEqual(away)
  await failing.stop(true)
  expect(await record()).toEqual(away)
  await stop(parley)
})

test('filenames come back unchanged, whatever characters they have but controls of direction', async () => {
  const parley = await standard()
  const alice = await person(parley, 'alice')
  for (const name of [
    'bird "one"; a=b.txt',
    'a/b\\c%2f.txt',
    'Eisvögel 🐦 \u202e.txt',
    "it's (1)*.txt",
    'a\nb\x07.txt',
    '🐦'.repeat(255),
  ]) {
    const file = await upload(alice, name, 'text/plain', text('x'))
    const disposition = (await download(alice, file.id)).headers.get('content-disposition') ?? ''
    const [, encoded = ''] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? []
    const [, plain = ''] = /filename="((?:[^"\\]|\\.)*)"/.exec(disposition) ?? []
    const filename = encoded ? decodeURIComponent(encoded) : plain.replace(/\\(.)/g, '$1')
    expect(filename).toBe(name.normalize('NFC').replace('\u202e', ''))
  }
  for (const filename of ['a\0b', 'a\ud800b', '', 'x'.repeat(256)])
    expect((await alice.post('/api/files/upload-url', { filename, content_type: 'text/plain', size: 1 })).status).toBe(
      422,
    )
})
