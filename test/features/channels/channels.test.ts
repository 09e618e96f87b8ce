import { expect, test } from 'bun:test'
import { newServer, say, standard } from '../../support/harness.ts'
import { persons } from '../../support/people.ts'
import { race } from '../../support/races.ts'
import { forbidEveryone, promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = await persons(parley, 'alice', 'bob', 'mallory')

const create = (server_id: number, name: string, type = 'text') =>
  alice.post(`/api/servers/${server_id}/channels`, { name, type })

test('members get events when a channel is created, updated and deleted', async () => {
  const { server_id } = await newServer(alice, bob)
  const live = await connect(bob)
  const created = await create(server_id, 'field-notes')
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ server_id, type: 'text', topic: '', position: 1, last_message_id: null })
  expect((await live.next('channel.created')).d).toEqual(created.body)
  const updated = await alice.put(`/api/channels/${created.body.id}`, { topic: 'What we saw' })
  expect(updated.body.topic).toBe('What we saw')
  expect((await live.next('channel.updated')).d).toEqual(updated.body)
  expect((await bob.get(`/api/channels/${created.body.id}`)).body).toEqual(updated.body)
  expect((await alice.delete(`/api/channels/${created.body.id}`)).status).toBe(204)
  expect((await live.next('channel.deleted')).d).toEqual({
    id: created.body.id,
    server_id,
    created_at: created.body.created_at,
  })
  expect((await alice.get(`/api/channels/${created.body.id}`)).status).toBe(404)
  live.close()
})

test('a channel is text or voice, and its type never changes', async () => {
  const { server_id } = await newServer(alice)
  const voice = await create(server_id, 'dawn-chorus', 'voice')
  expect([voice.status, voice.body.type]).toEqual([201, 'voice'])
  for (const type of ['video', 'Text', '', null, 1])
    expect((await alice.post(`/api/servers/${server_id}/channels`, { name: 'x', type })).status).toBe(422)
  expect((await alice.post(`/api/servers/${server_id}/channels`, { name: 'x' })).status).toBe(422)
  for (const body of [{ type: 'text' }, { name: 'quiet', type: 'voice' }, {}, { server_id }, { last_message_id: 1 }])
    expect((await alice.put(`/api/channels/${voice.body.id}`, body)).status).toBe(422)
  expect((await alice.get(`/api/channels/${voice.body.id}`)).body).toEqual(voice.body)
})

test('a channel name is unique in its server, and free again when its channel is gone', async () => {
  const [{ server_id }, other] = [await newServer(alice), await newServer(alice)]
  const first = await create(server_id, 'café')
  const again = await create(server_id, 'cafe\u0301', 'voice')
  expect([again.status, again.body.code]).toEqual([409, 'channel_name_taken'])
  expect((await create(other.server_id, 'café')).status).toBe(201)
  const second = await create(server_id, 'marsh')
  expect((await alice.put(`/api/channels/${second.body.id}`, { name: 'café' })).body.code).toBe('channel_name_taken')
  expect((await alice.put(`/api/channels/${second.body.id}`, { name: 'marsh' })).status).toBe(200)
  expect((await alice.delete(`/api/channels/${first.body.id}`)).status).toBe(204)
  expect((await alice.put(`/api/channels/${second.body.id}`, { name: 'café' })).status).toBe(200)
  const racing = await Promise.all(Array.from({ length: 5 }, () => create(server_id, 'reed-bed')))
  expect(racing.map((answer) => answer.status).toSorted()).toEqual([201, 409, 409, 409, 409])
})

test('a name has up to 100 code points, a topic up to 1,024', async () => {
  const { server_id, channel_id } = await newServer(alice)
  expect((await create(server_id, '🦜'.repeat(100))).status).toBe(201)
  for (const name of ['🦜'.repeat(101), '', ' ', 'a\nb', 'nul\0', '\ud83e'])
    expect([name, (await create(server_id, name)).status]).toEqual([name, 422])
  const topic = (topic: unknown) => alice.put(`/api/channels/${channel_id}`, { topic })
  expect((await topic('🪶'.repeat(1024))).status).toBe(200)
  expect((await topic('🪶'.repeat(1025))).status).toBe(422)
  expect((await topic(null)).status).toBe(422)
  expect((await topic('')).body.topic).toBe('')
})

test('changing a channel takes manage_channels in its own server', async () => {
  const [{ server_id, channel_id }, own] = [await newServer(alice, mallory), await newServer(mallory)]
  await promote(mallory, server_id, { bits: ['manage_server', 'manage_messages'] })
  for (const refused of [
    await mallory.post(`/api/servers/${server_id}/channels`, { name: 'x', type: 'text' }),
    await mallory.put(`/api/channels/${channel_id}`, { name: 'x' }),
    await mallory.delete(`/api/channels/${channel_id}`),
  ])
    expect([refused.status, refused.body.code]).toEqual([403, 'missing_permission'])
  await promote(mallory, server_id, { bits: ['manage_channels'] })
  expect((await mallory.put(`/api/channels/${channel_id}`, { name: 'x' })).status).toBe(200)
  expect((await mallory.delete(`/api/channels/${own.channel_id}`)).status).toBe(204)
})

test('a channel that a member does not see answers 404 and is in no list', async () => {
  const { server_id, channel_id } = await newServer(alice, bob)
  await forbidEveryone(alice, server_id, 'view_channel')
  await promote(bob, server_id, { bits: ['manage_channels', 'read_history', 'send_messages'] })
  expect((await bob.get(`/api/servers/${server_id}/channels`)).body).toEqual([])
  const path = `/api/channels/${channel_id}`
  for (const refused of [
    await bob.get(path),
    await bob.put(path, { name: 'mine' }),
    await bob.delete(path),
    await bob.get(`${path}/messages`),
    await bob.post(`${path}/messages`, { content: 'Anyone?' }),
  ])
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
  expect((await alice.get(`/api/servers/${server_id}/channels`)).body).toHaveLength(1)
})

test('the deletion of a channel deletes its messages, also in the event log', async () => {
  const { server_id, channel_id } = await newServer(alice, bob)
  const message = await say(bob, channel_id, 'A secret nest')
  expect((await alice.delete(`/api/channels/${channel_id}`)).status).toBe(204)
  for (const path of [`/api/channels/${channel_id}`, `/api/channels/${channel_id}/messages`])
    expect((await bob.get(path)).status).toBe(404)
  expect((await bob.get(`/api/messages/${message.id}`)).status).toBe(404)
  const events = await sql`select type from events where channel_id = ${channel_id} and body is not null`
  expect(events.map((event) => event.type)).toEqual(['channel.deleted'])
  expect((await alice.get(`/api/servers/${server_id}/channels`)).body).toEqual([])
})

test('requests for a channel that is being deleted answer 404, without a deadlock', async () => {
  const { channel_id } = await newServer(alice, bob)
  const [first, second] = [await say(bob, channel_id, 'First'), await say(bob, channel_id, 'Second')]
  const path = `/api/channels/${channel_id}`
  const answers = await race(parley, (tx) => tx`select 1 from messages where id = ${first.id} for update`, [
    () => alice.delete(path),
    () => bob.delete(`/api/messages/${second.id}`),
    () => bob.post(`${path}/messages`, { content: 'Third' }),
    () => alice.put(path, { topic: 'Still there?' }),
    () => alice.put(path, { position: 7 }),
    () => alice.delete(path),
  ])
  expect(answers.map((answer) => answer.status)).toEqual([204, 404, 404, 404, 404, 404])
})

test('a read mark for a channel that is being deleted is refused as unknown', async () => {
  const { channel_id } = await newServer(alice, bob)
  const { id: message_id } = await say(alice, channel_id, 'Read this')
  const live = await connect(bob)
  const acks: Promise<any>[] = []
  await race(parley, (tx) => tx`select 1 from messages where id = ${message_id} for update`, [
    () => alice.delete(`/api/channels/${channel_id}`),
    () => {
      acks.push(live.command('channel.ack', { channel_id, message_id }))
      return alice.get(`/api/channels/${channel_id}`)
    },
  ])
  expect((await acks[0]).error.code).toBe('not_found')
  live.close()
})
