import { expect, test } from 'bun:test'
import { person, newServer, standard } from '../../support/harness.ts'
import { befriend, passersBy, write } from '../../support/people.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const people = <N extends string[]>(...names: N) => passersBy(parley, ...names)
const dm = (from: { post: Function }, recipient_id: number, content = 'Hello', more: object = {}) =>
  from.post('/api/dm/messages', { recipient_id, content, ...more })

test('a direct message reaches both people, and nobody else', async () => {
  const [alice, bob, mallory] = await people('alice', 'bob', 'mallory')
  await befriend(alice, bob)
  const lives = await Promise.all([connect(alice), connect(bob), connect(mallory)])
  const sent = await write(alice, bob, 'Psst <b>you</b>')
  expect(sent).toMatchObject({ sender_id: alice.id, recipient_id: bob.id, files: [], nonce: null, read_at: null })
  const [hers, his] = await Promise.all(lives.slice(0, 2).map((live) => live.next('message.created')))
  expect(hers?.d).toEqual({ ...sent, unread_count: 0 })
  expect(his?.d).toEqual({ ...sent, unread_count: 1 })
  await lives[2]?.settled()
  expect(lives[2]?.of('message.created')).toEqual([])
  for (const who of [alice, bob]) {
    const other = who === alice ? bob : alice
    expect((await who.get(`/api/dm/${other.id}/messages`)).body).toEqual([sent])
  }
  expect((await mallory.get(`/api/dm/${bob.id}/messages`)).body).toEqual([])
  for (const live of lives) live.close()
})

test('only its two people can change a direct message, each only their part', async () => {
  const [alice, bob, mallory] = await people('alice', 'bob', 'mallory')
  await befriend(alice, bob)
  const { id } = await write(alice, bob, 'Ours')
  for (const answer of [
    await mallory.put(`/api/dm/messages/${id}`, { content: 'Mine' }),
    await mallory.delete(`/api/dm/messages/${id}`),
    await mallory.post(`/api/dm/messages/${id}/read`),
  ])
    expect(answer.status).toBe(404)
  expect((await bob.put(`/api/dm/messages/${id}`, { content: 'His' })).body.code).toBe('forbidden')
  expect((await bob.delete(`/api/dm/messages/${id}`)).body.code).toBe('forbidden')
  expect((await alice.post(`/api/dm/messages/${id}/read`)).body.code).toBe('forbidden')
  expect((await bob.get(`/api/dm/${alice.id}/messages`)).body[0]).toMatchObject({ content: 'Ours', read_at: null })
})

test('an edit reaches the other; a deleted message is gone for both and from the event log', async () => {
  const [alice, bob] = await people('alice', 'bob')
  await befriend(alice, bob)
  const his = await connect(bob)
  const [first, second] = [await write(alice, bob, 'First'), await write(alice, bob, 'Secnod')]
  const edited = await alice.put(`/api/dm/messages/${second.id}`, { content: 'Second' })
  expect([edited.status, edited.body.content]).toEqual([200, 'Second'])
  expect(edited.body.edited_at).toBeString()
  expect((await his.next('message.updated')).d).toEqual(edited.body)
  expect((await alice.put(`/api/dm/messages/${second.id}`, { content: '' })).status).toBe(422)
  expect((await alice.delete(`/api/dm/messages/${second.id}`)).status).toBe(204)
  const { id, channel_id, created_at } = second
  const deletion = { id, channel_id, created_at, last_message_id: first.id, unread_count: 1 }
  expect((await his.next('message.deleted')).d).toEqual(deletion)
  expect((await alice.delete(`/api/dm/messages/${second.id}`)).status).toBe(404)
  expect((await bob.get(`/api/dm/${alice.id}/messages`)).body.map((row: { id: number }) => row.id)).toEqual([first.id])
  const bodies = await sql<{ body: string }[]>`select body::text as body from events
    where resource = ${`message:${second.id}`} and body is not null`
  for (const { body } of bodies) expect(body).not.toContain('Sec')
  his.close()
})

test('a direct message to the sender, to an unknown account, or without content is refused', async () => {
  const [alice, bob] = await people('alice', 'bob')
  expect((await dm(alice, alice.id)).body.code).toBe('cannot_target_self')
  expect((await dm(alice, 2 ** 50)).body.code).toBe('not_found')
  await befriend(alice, bob)
  for (const content of ['', 'x'.repeat(4001), 'a\0b', '\ud800'])
    expect((await dm(alice, bob.id, content)).status).toBe(422)
  expect((await dm(alice, bob.id, 'x', { more: 1 })).status).toBe(422)
  for (const path of ['messages', 'read-all', 'hide']) {
    const method = path === 'messages' ? 'get' : path === 'hide' ? 'delete' : 'post'
    expect((await alice[method](`/api/dm/${alice.id}/${path}`)).body.code).toBe('cannot_target_self')
    expect((await alice[method](`/api/dm/${2 ** 50}/${path}`)).body.code).toBe('not_found')
    if (path !== 'messages') expect((await alice[method](`/api/dm/${bob.id}/${path}`)).body.code).toBe('not_found')
  }
  expect((await alice.get('/api/dm/conversations')).body).toEqual([])
})

test('the setting decides whose direct messages pass: everyone’s, those of shared servers, friends’', async () => {
  const [alice, carol, dave] = await people('alice', 'carol', 'dave')
  const bob = await person(parley, 'bob')
  await newServer(bob, carol)
  await befriend(dave, bob)
  const wish = (dmsFrom: string) => sql`update users set dms_from = ${dmsFrom} where id = ${bob.id}`
  const statuses = async () => [
    (await dm(alice, bob.id)).status,
    (await dm(carol, bob.id)).status,
    (await dm(dave, bob.id)).status,
  ]
  expect(await statuses()).toEqual([403, 201, 201])
  await wish('friends')
  expect(await statuses()).toEqual([403, 403, 201])
  await wish('everyone')
  expect(await statuses()).toEqual([201, 201, 201])
})

test('one nonce sends one message, under repeated and concurrent requests', async () => {
  const [alice, bob, carol] = await people('alice', 'bob', 'carol')
  await befriend(alice, bob)
  await befriend(alice, carol)
  const his = await connect(bob)
  const racing = await Promise.all(Array.from({ length: 8 }, () => dm(alice, bob.id, 'Once', { nonce: 'n' })))
  expect(racing.map((answer) => answer.status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
  for (const answer of racing) expect(answer.body).toEqual(racing[0].body)
  expect((await dm(alice, bob.id, 'Other', { nonce: 'n' })).body.code).toBe('nonce_conflict')
  // Nonces of another conversation, and of the other side, are independent.
  expect((await dm(alice, carol.id, 'Other', { nonce: 'n' })).status).toBe(201)
  expect((await dm(bob, alice.id, 'Other', { nonce: 'n' })).status).toBe(201)
  await his.settled()
  expect(his.of('message.created').filter((frame) => frame.d.content === 'Once')).toHaveLength(1)
  await alice.delete(`/api/dm/messages/${racing[0].body.id}`)
  expect((await dm(alice, bob.id, 'Once', { nonce: 'n' })).body.code).toBe('nonce_conflict')
  await sql`update message_nonces set created_at = now() - interval '25 hours' where author_id = ${alice.id}`
  expect((await dm(alice, bob.id, 'Once', { nonce: 'n' })).status).toBe(201)
  await sql`update message_nonces set created_at = now() - interval '25 hours' where author_id = ${alice.id}`
  await parley.sweep()
  expect(await sql`select 1 from message_nonces where author_id = ${alice.id}`).toHaveLength(0)
  his.close()
})

test('two people who first write to each other at the same time have one conversation', async () => {
  for (let n = 0; n < 5; n++) {
    const [alice, bob] = await people('alice', 'bob')
    await befriend(alice, bob)
    await Promise.all([write(alice, bob, 'Hi'), write(bob, alice, 'Hi'), write(alice, bob, 'You there?')])
    expect((await bob.get('/api/dm/conversations')).body).toMatchObject([{ unread_count: 2 }])
    expect((await alice.get('/api/dm/conversations')).body).toMatchObject([{ unread_count: 1 }])
    expect((await bob.get(`/api/dm/${alice.id}/messages`)).body).toHaveLength(3)
  }
})

test('history pages by cursors and by offset, newest first', async () => {
  const [alice, bob] = await people('alice', 'bob')
  await befriend(alice, bob)
  const ids: number[] = []
  for (let n = 0; n < 5; n++) ids.unshift((await write(n % 2 ? alice : bob, n % 2 ? bob : alice, `Message ${n}`)).id)
  const page = async (query: string) =>
    (await alice.get(`/api/dm/${bob.id}/messages?${query}`)).body.map((row: { id: number }) => row.id)
  expect(await page('limit=2')).toEqual(ids.slice(0, 2))
  expect(await page(`limit=2&before=${ids[1]}`)).toEqual(ids.slice(2, 4))
  expect(await page(`limit=2&after=${ids[3]}`)).toEqual(ids.slice(1, 3))
  expect(await page(`limit=3&around=${ids[2]}`)).toEqual(ids.slice(1, 4))
  expect(await page('limit=2&offset=3')).toEqual(ids.slice(3))
  const first = await alice.get(`/api/dm/${bob.id}/messages?limit=4`)
  expect(first.headers.get('link')).toContain('rel="next"')
})

test('typing reaches only the partner of the conversation, and only a partner who takes messages', async () => {
  const [alice, bob, carol] = await people('alice', 'bob', 'carol')
  await befriend(alice, bob)
  const [hers, his, third] = [await connect(alice), await connect(bob), await connect(carol)]
  // Bob has nothing to see yet.
  expect((await hers.command('typing.start', { user_id: bob.id })).d).toEqual({})
  const { channel_id } = await write(alice, bob, 'Hello')
  expect((await hers.command('typing.start', { user_id: bob.id })).d).toEqual({})
  const typing = await his.next('typing.started')
  expect(typing.d).toMatchObject({ channel_id, user_id: alice.id, user: { id: alice.id } })
  expect((await third.command('typing.start', { channel_id })).error.code).toBe('not_found')
  expect((await third.command('typing.start', { user_id: bob.id })).error.code).toBe('cannot_contact')
  expect((await hers.command('typing.start', { user_id: alice.id })).error.code).toBe('cannot_target_self')
  expect((await hers.command('typing.start', { user_id: 2 ** 50 })).error.code).toBe('not_found')
  for (const live of [hers, his, third]) await live.settled()
  expect([hers, his, third].map((live) => live.of('typing.started').length)).toEqual([0, 1, 0])
  for (const live of [hers, his, third]) live.close()
})
