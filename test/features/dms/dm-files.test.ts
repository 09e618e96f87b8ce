import { expect, test } from 'bun:test'
import { person, newServer, say, standard, until } from '../../support/harness.ts'
import { befriend, write } from '../../support/people.ts'
import { connect } from '../../support/socket.ts'
import { download, png, upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql } = parley.parts
const bytes = new TextEncoder().encode('A feather')
const [alice, bob, mallory] = await Promise.all(['alice', 'bob', 'mallory'].map((name) => person(parley, name)))
if (!alice || !bob || !mallory) throw new Error('three people')
await befriend(alice, bob)
const feather = () => upload(alice, 'feather.txt', 'text/plain', bytes)

test('only its two people see a file of a direct message', async () => {
  const { id } = await feather()
  expect((await bob.get(`/api/files/${id}`)).status).toBe(404)
  const sent = await write(alice, bob, '', { file_ids: [id] })
  expect(sent.files).toMatchObject([{ id, dm_message_id: sent.id, message_id: sent.id }])
  for (const who of [alice, bob]) expect(await (await download(who, id)).text()).toBe('A feather')
  for (const path of ['', '/download-url']) expect((await mallory.get(`/api/files/${id}${path}`)).status).toBe(404)
  expect((await mallory.post('/api/files/download-urls', { ids: [id] })).body).toEqual({})
  expect((await bob.delete(`/api/files/${id}`)).body.code).toBe('missing_permission')
  expect((await mallory.delete(`/api/files/${id}`)).status).toBe(404)
})

test('a file is attached once: to a direct message or in a channel, by its uploader', async () => {
  const { channel_id } = await newServer(alice, bob)
  const { id } = await feather()
  const dm = (who: typeof alice, to: typeof alice) =>
    who.post('/api/dm/messages', { recipient_id: to.id, content: 'Look', file_ids: [id] })
  expect((await dm(bob, alice)).body.errors).toEqual([
    { path: 'body.file_ids', message: 'There is no such file of yours' },
  ])
  const racing = await Promise.all([dm(alice, bob), dm(alice, bob), dm(alice, bob)])
  expect(racing.map((answer) => answer.status).toSorted()).toEqual([201, 409, 409])
  const inChannel = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'Look', file_ids: [id] })
  expect(inChannel.body.code).toBe('already_attached')
  const other = await feather()
  await say(alice, channel_id, 'First')
  await alice.post(`/api/channels/${channel_id}/messages`, { content: 'Look', file_ids: [other.id] })
  const late = await alice.post('/api/dm/messages', { recipient_id: bob.id, content: 'Look', file_ids: [other.id] })
  expect(late.body.code).toBe('already_attached')
})

test('deleting a file or its direct message removes it for both, and its object', async () => {
  const his = await connect(bob)
  const [one, two] = [await feather(), await feather()]
  const message = await write(alice, bob, 'Two feathers', { file_ids: [one.id, two.id] })
  const keys = (await sql<{ key: string }[]>`select key from files where id in ${sql([one.id, two.id])}`).map(
    (row) => row.key,
  )
  expect((await alice.delete(`/api/files/${one.id}`)).status).toBe(204)
  expect((await his.next('message.updated')).d.files.map((file: { id: number }) => file.id)).toEqual([two.id])
  expect((await alice.delete(`/api/dm/messages/${message.id}`)).status).toBe(204)
  for (const { id } of [one, two]) expect((await bob.get(`/api/files/${id}`)).status).toBe(404)
  await parley.sweep()
  await until(async () => !(await Promise.all(keys.map((key) => parley.parts.objects.head(key)))).some(Boolean))
  his.close()
})

test('an avatar is cleared when the direct message with its file is deleted', async () => {
  const picture = await upload(alice, 'me.png', 'image/png', await png(8, 8))
  const message = await write(alice, bob, 'Me', { file_ids: [picture.id] })
  expect((await alice.put('/api/auth/avatar', { avatar_file_id: picture.id })).body.avatar_file_id).toBe(picture.id)
  const his = await connect(bob)
  await alice.delete(`/api/dm/messages/${message.id}`)
  expect((await his.next('user.updated')).d).toMatchObject({ id: alice.id, avatar_file_id: null })
  his.close()
})
