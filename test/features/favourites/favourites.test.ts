import { expect, test } from 'bun:test'
import { boot, newServer, type Person, person, standard, stop } from '../../support/harness.ts'
import { noise } from '../../support/noise.ts'
import { deleteAccountOf, passersBy, peopleWithPassword } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'
import { download, png, upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')

async function post(who: Person, channel_id: number, bytes?: Uint8Array): Promise<{ message_id: number; id: number }> {
  const { id } = await upload(who, 'otter.png', 'image/png', bytes ?? (await png(60, 40)))
  const sent = await who.post(`/api/channels/${channel_id}/messages`, { file_ids: [id] })
  expect(sent.status).toBe(201)
  return { message_id: sent.body.id, id }
}
const keep = (who: Person, file_id: number) => who.post('/api/favourites', { file_id })
const list = async (who: Person) => (await who.get('/api/favourites')).body

test('a kept picture is a copy of one’s own, on all devices, that can be sent again', async () => {
  const { channel_id } = await place(alice, bob)
  const original = await post(alice, channel_id)
  await alice.put(`/api/files/${original.id}`, { alt: 'An otter' })
  const live = await connect(bob)
  const favourite = await keep(bob, original.id)
  expect(favourite.status).toBe(201)
  expect(favourite.body).toMatchObject({
    source_id: original.id,
    file: { uploader_id: bob.id, message_id: null, width: 60, height: 40, alt: 'An otter' },
  })
  expect((await live.next('favourite.created')).d).toEqual(favourite.body)
  const again = await keep(bob, original.id)
  expect([again.status, again.body]).toEqual([200, favourite.body])
  expect(await list(bob)).toEqual([favourite.body])
  expect(await list(alice)).toEqual([])
  const itself = await bob.post(`/api/channels/${channel_id}/messages`, { file_ids: [favourite.body.file.id] })
  expect([itself.status, itself.body.code]).toEqual([409, 'already_attached'])
  // It stays when the original goes, and a sent one is another copy.
  await alice.delete(`/api/messages/${original.message_id}`)
  const file = await bob.post(`/api/favourites/${favourite.body.id}/file`, {})
  expect(file.status).toBe(201)
  const sent = await bob.post(`/api/channels/${channel_id}/messages`, { file_ids: [file.body.id] })
  expect(sent.body.files).toMatchObject([{ id: file.body.id, filename: 'otter.png', alt: 'An otter' }])
  expect((await download(alice, file.body.id)).status).toBe(200)
  await bob.delete(`/api/messages/${sent.body.id}`)
  await sql`update files set created_at = now() - interval '3 days' where uploader_id = ${bob.id}`
  await parley.sweep()
  expect(await list(bob)).toHaveLength(1)
  expect((await bob.delete(`/api/favourites/${favourite.body.id}`)).status).toBe(204)
  expect((await live.next('favourite.deleted')).d).toEqual({ id: favourite.body.id })
  expect(await list(bob)).toEqual([])
  const [row] = await sql`select stored_bytes from users where id = ${bob.id}`
  expect(row?.stored_bytes).toBe(0)
  live.close()
})

test('only pictures that one may read are kept, and nobody uses another’s favourite', async () => {
  const { channel_id } = await place(alice, bob)
  const original = await post(alice, channel_id)
  expect((await keep(mallory, original.id)).body.code).toBe('not_found')
  expect((await keep(bob, 999_999_999)).body.code).toBe('not_found')
  const text = await upload(alice, 'a.txt', 'text/plain', new TextEncoder().encode('text'))
  await alice.post(`/api/channels/${channel_id}/messages`, { file_ids: [text.id] })
  expect((await keep(bob, text.id)).body.code).toBe('picture_unreadable')
  const unsent = await upload(bob, 'b.png', 'image/png', await png(8, 8))
  expect((await keep(bob, unsent.id)).body.code).toBe('not_found')
  const { body } = await keep(bob, original.id)
  for (const who of [alice, mallory]) {
    expect((await who.post(`/api/favourites/${body.id}/file`, {})).status).toBe(404)
    expect((await who.delete(`/api/favourites/${body.id}`)).status).toBe(404)
    expect((await who.get(`/api/files/${body.file.id}`)).status).toBe(404)
  }
})

test('an account keeps at most 50 pictures, which count as its uploads', async () => {
  const own = await boot({ STORED_BYTES_MAX: '100000' })
  const [ann, ben] = [await person(own, 'ann'), await person(own, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  expect(server_id).toBeGreaterThan(0)
  const heavy = await post(ann, channel_id, await noise(140))
  expect((await keep(ben, heavy.id)).status).toBe(201)
  const second = await post(ben, channel_id, await png(8, 8))
  expect((await keep(ann, second.id)).status).toBe(201)
  const favourite = (await list(ben))[0]
  expect((await ben.post(`/api/favourites/${favourite.id}/file`, {})).body.code).toBe('too_many_bytes')
  await own.parts.sql`insert into files (uploader_id, filename, content_type, size, key)
    select ${ann.id}, 'a.png', 'image/png', 1, 'files/' || n from generate_series(1, 49) n`
  await own.parts.sql`insert into favourites (user_id, file_id, source_id)
    select ${ann.id}, id, id + 1000000 from files where key ~ '^files/[0-9]{1,2}$'`
  const third = await post(ben, channel_id, await png(9, 9))
  expect((await keep(ann, third.id)).body.code).toBe('too_many_favourites')
  expect(await list(ann)).toHaveLength(50)
  await stop(own)
})

test('favourites go with the account', async () => {
  const [dan] = await peopleWithPassword(parley, 'dan')
  const { channel_id } = await place(alice, dan)
  const { id } = await post(alice, channel_id)
  const { body } = await keep(dan, id)
  expect((await deleteAccountOf(dan)).status).toBe(204)
  expect(await sql`select from favourites where user_id = ${dan.id}`).toHaveLength(0)
  await parley.sweep()
  expect(await sql`select from files where id = ${body.file.id}`).toHaveLength(0)
})
