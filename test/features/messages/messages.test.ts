import { expect, test } from 'bun:test'
import { newServer, say, standard } from '../../support/harness.ts'
import { persons } from '../../support/people.ts'
import { forbidEveryone, promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = await persons(parley, 'alice', 'bob', 'mallory')

test('members who see the channel get events when a message is sent, edited and deleted', async () => {
  const { channel_id } = await newServer(alice, bob)
  const live = await connect(bob)
  const sent = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'A kingfisher!' })
  expect(sent.status).toBe(201)
  expect(sent.body).toMatchObject({ channel_id, kind: 'default', content: 'A kingfisher!', files: [], mention_ids: [] })
  expect(sent.body).toMatchObject({ reply_to_id: null, nonce: null, edited_at: null })
  expect(sent.body.author).toEqual({
    id: alice.id,
    display_name: alice.display_name,
    avatar_file_id: null,
    kind: 'person',
  })
  const created = await live.next('message.created')
  expect(created.d).toEqual(sent.body)
  const path = `/api/messages/${sent.body.id}`
  const edited = await alice.put(path, { content: 'Two kingfishers!' })
  expect(edited.body).toEqual({ ...sent.body, content: 'Two kingfishers!', edited_at: edited.body.edited_at })
  expect(Date.parse(edited.body.edited_at)).toBeGreaterThanOrEqual(Date.parse(sent.body.created_at))
  const updated = await live.next('message.updated')
  expect(updated.d).toEqual(edited.body)
  expect((await bob.get(path)).body).toEqual(edited.body)
  expect((await bob.get(`/api/channels/${channel_id}/messages`)).body).toEqual([edited.body])
  expect((await alice.delete(path)).status).toBe(204)
  const deleted = await live.next('message.deleted')
  expect(deleted.d).toEqual({ id: sent.body.id, channel_id, created_at: sent.body.created_at })
  expect([created.s, updated.s, deleted.s] as unknown[]).toEqual(
    [created.s, updated.s, deleted.s].toSorted((a, b) => (a ?? 0) - (b ?? 0)),
  )
  for (const response of [await bob.get(path), await alice.put(path, { content: 'x' }), await alice.delete(path)])
    expect(response.status).toBe(404)
  live.close()
})

test('nothing of a deleted message stays in the event log', async () => {
  const { channel_id } = await newServer(alice)
  const other = await say(alice, channel_id, 'This stays')
  const { id, created_at } = await say(alice, channel_id, 'A secret nest')
  await alice.put(`/api/messages/${id}`, { content: 'A secret nest, moved' })
  expect((await alice.delete(`/api/messages/${id}`)).status).toBe(204)
  const messageEvents = await sql<{ type: string; body: object | null }[]>`
    select type, body from events where resource = ${`message:${id}`} order by id`
  expect([...messageEvents]).toEqual([
    { type: 'message.created', body: null },
    { type: 'message.updated', body: null },
    { type: 'message.deleted', body: { id, channel_id, created_at } },
  ])
  const leaks = await sql`select 1 from events where resource = ${`message:${other.id}`} and body is not null`
  expect(leaks).toHaveLength(1)
})

test('an edit racing the deletion of its message leaves no text behind', async () => {
  const { channel_id } = await newServer(alice, bob)
  for (let round = 0; round < 10; round++) {
    const { id } = await say(bob, channel_id, 'Before')
    const [edited, deleted] = await Promise.all([
      bob.put(`/api/messages/${id}`, { content: 'After' }),
      alice.delete(`/api/messages/${id}`),
    ])
    expect([200, 404]).toContain(edited.status)
    expect(deleted.status).toBe(204)
    const events = await sql`select type from events where resource = ${`message:${id}`} and body is not null`
    expect(events.map((event) => event.type)).toEqual(['message.deleted'])
  }
})

test('if deletions of one message race, exactly one succeeds', async () => {
  const { channel_id } = await newServer(alice)
  const live = await connect(alice)
  const { id } = await say(alice, channel_id, 'Once')
  const racing = await Promise.all(Array.from({ length: 6 }, () => alice.delete(`/api/messages/${id}`)))
  expect(racing.map((answer) => answer.status).toSorted()).toEqual([204, 404, 404, 404, 404, 404])
  await live.settled()
  expect(live.of('message.deleted')).toHaveLength(1)
  live.close()
})

test('only the author edits; the author and holders of manage_messages delete', async () => {
  const { server_id, channel_id } = await newServer(alice, bob, mallory)
  const mine = await say(bob, channel_id, 'Mine')
  const path = `/api/messages/${mine.id}`
  const edit = await mallory.put(path, { content: 'Hers' })
  expect([edit.status, edit.body.code]).toEqual([403, 'forbidden'])
  const removal = await mallory.delete(path)
  expect(removal.body.detail).toBe('The permission manage_messages is missing')
  expect((await alice.put(path, { content: 'The owner says' })).body.code).toBe('forbidden')
  await promote(mallory, server_id, { bits: ['manage_messages'] })
  expect((await mallory.put(path, { content: 'Hers' })).body.code).toBe('forbidden')
  expect((await mallory.delete(path)).status).toBe(204)
  const other = await say(bob, channel_id, 'Also mine')
  expect((await bob.delete(`/api/messages/${other.id}`)).status).toBe(204)
})

test('manage_messages counts in its own server only', async () => {
  const [{ channel_id }, own] = [await newServer(alice, bob, mallory), await newServer(mallory)]
  const message = await say(bob, channel_id, 'Out of reach')
  expect((await mallory.delete(`/api/messages/${message.id}`)).status).toBe(403)
  const reply = await mallory.post(`/api/channels/${own.channel_id}/messages`, {
    content: 'Look at this',
    reply_to_id: message.id,
  })
  expect([reply.status, reply.body.errors[0].path]).toEqual([422, 'body.reply_to_id'])
})

test('an account without read_history cannot reply: the mention would reveal the author', async () => {
  const { server_id, channel_id } = await newServer(alice, bob)
  const { id } = await say(alice, channel_id, 'Unread')
  const reply = () => bob.post(`/api/channels/${channel_id}/messages`, { content: 'x', reply_to_id: id })
  expect((await reply()).body.mention_ids).toEqual([alice.id])
  await forbidEveryone(alice, server_id, 'read_history')
  const { status, body } = await reply()
  expect([status, body.errors[0].path]).toEqual([422, 'body.reply_to_id'])
  expect((await say(bob, channel_id, 'To nothing')).reply_to_id).toBeNull()
})

test('sending takes send_messages, reading takes read_history, and both take view_channel', async () => {
  const { server_id, channel_id } = await newServer(alice, bob)
  const message = await say(bob, channel_id, 'Still mine')
  const list = `/api/channels/${channel_id}/messages`
  await forbidEveryone(alice, server_id, 'send_messages')
  expect((await bob.post(list, { content: 'x' })).body.detail).toBe('The permission send_messages is missing')
  expect((await bob.get(list)).status).toBe(200)
  await forbidEveryone(alice, server_id, 'read_history')
  for (const refused of [await bob.get(list), await bob.get(`/api/messages/${message.id}`)])
    expect([refused.status, refused.body.detail]).toEqual([403, 'The permission read_history is missing'])
  await forbidEveryone(alice, server_id, 'view_channel')
  const path = `/api/messages/${message.id}`
  for (const unseen of [
    await bob.get(list),
    await bob.post(list, { content: 'x' }),
    await bob.get(path),
    await bob.put(path, { content: 'x' }),
    await bob.delete(path),
  ])
    expect([unseen.status, unseen.body.code]).toEqual([404, 'not_found'])
})

test('a voice channel takes messages like any other', async () => {
  const { server_id } = await newServer(alice)
  const { body } = await alice.post(`/api/servers/${server_id}/channels`, { name: 'talk', type: 'voice' })
  expect((await say(alice, body.id, 'You are muted')).channel_id).toBe(body.id)
})

test('the newest message of a channel never moves back, whatever is deleted', async () => {
  const { channel_id } = await newServer(alice)
  const last = async () => (await alice.get(`/api/channels/${channel_id}`)).body.last_message_id
  expect(await last()).toBeNull()
  const [one, two, three] = [
    await say(alice, channel_id, '1'),
    await say(alice, channel_id, '2'),
    await say(alice, channel_id, '3'),
  ]
  for (const id of [three.id, one.id, two.id]) {
    expect((await alice.delete(`/api/messages/${id}`)).status).toBe(204)
    expect(await last()).toBe(three.id)
  }
  const four = await say(alice, channel_id, '4')
  expect(await last()).toBe(four.id)
})
