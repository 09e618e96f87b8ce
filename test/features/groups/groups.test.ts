import { expect, test } from 'bun:test'
import { type Person, say, standard } from '../../support/harness.ts'
import { befriend, deleteAccountOf, group, passersBy, peopleWithPassword, write } from '../../support/people.ts'
import { goOffline, replayed, resume } from '../../support/resuming.ts'
import { connect, type Gateway } from '../../support/socket.ts'
import { download, png, upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql } = parley.parts

const recipient = (id: number, { id: userId }: Person) => `/api/channels/${id}/recipients/${userId}`
const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)

test('a dm is found or made once, and the other sees nothing of it before the first message', async () => {
  const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')
  const open = (who: Person, ...people: number[]) => who.post('/api/channels/direct', { recipient_ids: people })
  expect((await open(alice, bob.id)).body.code).toBe('cannot_contact')
  await befriend(alice, bob)
  const response = await open(alice, bob.id)
  expect([response.status, response.body]).toMatchObject([
    201,
    { type: 'dm', server_id: null, name: '', owner_id: null },
  ])
  expect(idsOf(response.body.recipients).toSorted()).toEqual([alice.id, bob.id].toSorted())
  expect([(await open(alice, bob.id)).status, (await open(alice, bob.id)).body.id]).toEqual([200, response.body.id])
  const path = `/api/channels/${response.body.id}`
  expect([(await alice.get(path)).status, (await bob.get(path)).status]).toEqual([200, 404])
  expect((await bob.get('/api/channels/direct')).body).toEqual([])

  await say(alice, response.body.id, 'Hello')
  for (const who of [alice, bob])
    expect(idsOf((await who.get('/api/channels/direct')).body)).toEqual([response.body.id])
  expect((await open(bob, alice.id)).body.id).toBe(response.body.id)
  expect((await mallory.get(path)).status).toBe(404)
  expect((await open(alice, alice.id)).body.code).toBe('cannot_target_self')
  expect((await open(alice, 2 ** 50)).body.code).toBe('not_found')
  for (const ids of [[], [bob.id, bob.id], Array.from({ length: 10 }, (_, n) => n + 1)])
    expect((await open(alice, ...ids)).status).toBe(422)
})

test('messages by person and by channel are the same conversation, under the same rules', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  await befriend(alice, bob)
  const first = await write(alice, bob, 'By person', { nonce: 'n' })
  const { channel_id } = first
  const second = await say(bob, channel_id, 'By channel')
  expect(second).toMatchObject({ sender_id: bob.id, recipient_id: alice.id, read_at: null })
  for (const path of [`/api/dm/${bob.id}/messages`, `/api/channels/${channel_id}/messages`])
    expect(idsOf((await alice.get(path)).body)).toEqual([second.id, first.id])
  const again = { content: 'By person', nonce: 'n' }
  expect((await alice.post(`/api/channels/${channel_id}/messages`, again)).body.id).toBe(first.id)

  await bob.post(`/api/friends/${alice.id}/block`)
  const live = await connect(alice)
  const refused = [
    await alice.post(`/api/channels/${channel_id}/messages`, { content: 'Again' }),
    await alice.post('/api/dm/messages', { recipient_id: bob.id, content: 'Again' }),
    await alice.put(`/api/messages/${first.id}`, { content: 'Again' }),
    await alice.put(`/api/dm/messages/${first.id}`, { content: 'Again' }),
  ].map((answer) => answer.body.code)
  const typing = [
    await live.command('typing.start', { channel_id }),
    await live.command('typing.start', { user_id: bob.id }),
  ].map((answer) => answer.error.code)
  expect([...refused, ...typing]).toEqual(Array(6).fill('cannot_contact'))
  live.close()
})

test('an acknowledged dm is read up to that message, with a receipt; the rest stays unread', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  await befriend(alice, bob)
  const [one, two, three] = [await write(alice, bob, '1'), await write(alice, bob, '2'), await write(alice, bob, '3')]
  const [hers, his] = [await connect(alice), await connect(bob)]
  const { channel_id } = one
  expect((await his.command('channel.ack', { channel_id, message_id: two.id })).d.message_id).toBe(two.id)
  expect((await hers.next('dm.read')).d).toMatchObject({ message_id: two.id, all: true, channel_id })
  const read = (await alice.get(`/api/channels/${channel_id}/messages`)).body.map((row: any) => row.read_at !== null)
  expect(read).toEqual([false, true, true])
  expect((await bob.get('/api/dm/conversations')).body[0].unread_count).toBe(1)
  // Moving a mark back revokes no receipt.
  await his.command('channel.ack', { channel_id, message_id: one.id })
  await his.command('channel.ack', { channel_id, message_id: three.id })
  expect((await bob.get('/api/dm/conversations')).body[0].unread_count).toBe(0)
  for (const live of [hers, his]) live.close()
})

test('a group takes two to nine friends who do not block each other, and a refusal gives no more reason', async () => {
  const [alice, bob, carol, dave] = await passersBy(parley, 'alice', 'bob', 'carol', 'dave')
  const make = (...others: Person[]) =>
    alice.post('/api/channels/direct', { recipient_ids: others.map(({ id }) => id) })
  await befriend(alice, bob)
  expect((await make(bob, carol)).body.code).toBe('cannot_contact')
  await befriend(alice, carol)
  await bob.post(`/api/friends/${carol.id}/block`)
  expect((await make(bob, carol)).body.code).toBe('cannot_contact')
  await bob.post(`/api/friends/${carol.id}/unblock`)
  const lives = await Promise.all([alice, bob, carol, dave].map((who) => connect(who)))
  const response = await make(bob, carol)
  expect([response.status, response.body.type, response.body.owner_id]).toEqual([201, 'group', alice.id])
  expect(idsOf(response.body.recipients).toSorted()).toEqual(idsOf([alice, bob, carol]).toSorted())
  for (const live of lives.slice(0, 3)) expect((await live.next('channel.created')).d).toEqual(response.body)

  expect((await bob.put(recipient(response.body.id, dave))).body.code).toBe('cannot_contact')
  await befriend(bob, dave)
  await dave.post(`/api/friends/${carol.id}/block`)
  expect((await bob.put(recipient(response.body.id, dave))).body.code).toBe('cannot_contact')
  await lives[3]?.settled()
  expect(lives[3]?.of('channel.created')).toEqual([])
  for (const live of lives) live.close()
})

test('a block between two people in a group keeps nobody else out of it', async () => {
  const [alice, bob, carol, dave, erin] = await passersBy(parley, 'alice', 'bob', 'carol', 'dave', 'erin')
  const id = await group(alice, bob, carol)
  for (const newcomer of [dave, erin]) await befriend(alice, newcomer)
  await bob.post(`/api/friends/${carol.id}/block`)
  expect((await alice.put(recipient(id, dave))).status).toBe(200)
  await carol.post(`/api/friends/${erin.id}/block`)
  expect((await alice.put(recipient(id, erin))).body.code).toBe('cannot_contact')
})

test('one nonce makes one group, under concurrent requests', async () => {
  const [alice, bob, carol, dave] = await passersBy(parley, 'alice', 'bob', 'carol', 'dave')
  for (const other of [bob, carol, dave]) await befriend(alice, other)
  const make = (nonce: string, ...ids: number[]) => alice.post('/api/channels/direct', { recipient_ids: ids, nonce })
  const answers = await Promise.all(Array.from({ length: 5 }, () => make('n', bob.id, carol.id)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 201])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect((await make('n', bob.id, dave.id)).body.code).toBe('nonce_conflict')
  expect((await make('m', bob.id, dave.id)).status).toBe(201)
})

test('a message in a group reaches everyone in it, each with its own `s`, and nobody else', async () => {
  const [alice, bob, carol, mallory] = await passersBy(parley, 'alice', 'bob', 'carol', 'mallory')
  const id = await group(alice, bob, carol)
  const lives = await Promise.all([alice, bob, carol, mallory].map((who) => connect(who)))
  const sent = await say(bob, id, `Hello <@${carol.id}> and <@${mallory.id}>`)
  expect(sent.mention_ids).toEqual([carol.id])
  expect('read_at' in sent).toBe(false)
  const frames = await Promise.all(lives.slice(0, 3).map((live) => live.next('message.created')))
  for (const frame of frames) expect(frame.d).toEqual(sent)
  expect(new Set(frames.map((frame) => frame.s)).size).toBe(3)
  await lives[1]?.command('typing.start', { channel_id: id })
  expect((await lives[0]?.next('typing.started'))?.d).toMatchObject({ channel_id: id, user: { id: bob.id } })
  await alice.put(`/api/messages/${sent.id}`, { content: 'Mine' })
  await bob.put(`/api/messages/${sent.id}`, { content: 'Edited' })
  await bob.delete(`/api/messages/${sent.id}`)
  for (const live of lives.slice(0, 3)) {
    expect((await live.next('message.updated')).d.content).toBe('Edited')
    expect((await live.next('message.deleted')).d).toEqual({ id: sent.id, channel_id: id, created_at: sent.created_at })
  }
  await lives[3]?.settled()
  expect(lives[3]?.frames.filter(({ t }) => /^(message|channel|typing)\./.test(t))).toEqual([])
  for (const live of lives) live.close()
})

test('a new participant sees the history; a former one gets nothing more until the owner adds them again', async () => {
  const [alice, bob, carol, dave] = await passersBy(parley, 'alice', 'bob', 'carol', 'dave')
  const id = await group(alice, bob, carol)
  await befriend(bob, dave)
  const before = await say(alice, id, 'Before')
  const his = await connect(dave)
  const added = await bob.put(recipient(id, dave))
  expect([added.status, idsOf(added.body.recipients).includes(dave.id)]).toEqual([200, true])
  expect((await his.next('channel.created')).d).toEqual(added.body)
  expect((await bob.put(recipient(id, dave))).status).toBe(200)
  expect(idsOf((await dave.get(`/api/channels/${id}/messages`)).body)).toContain(before.id)

  expect((await dave.delete(recipient(id, carol))).body.code).toBe('forbidden')
  expect((await dave.delete(recipient(id, dave))).status).toBe(204)
  expect((await his.next('channel.deleted')).d).toEqual({ id, server_id: null })
  await say(alice, id, 'After')
  await his.settled()
  expect(his.of('message.created').filter(({ d }) => d.kind === 'default')).toEqual([])
  expect((await dave.get(`/api/channels/${id}/messages`)).status).toBe(404)
  expect((await dave.get(`/api/messages/${before.id}`)).status).toBe(404)

  expect((await bob.put(recipient(id, dave))).body.code).toBe('forbidden')
  await befriend(alice, dave)
  expect((await alice.put(recipient(id, dave))).status).toBe(200)
  expect((await alice.delete(recipient(id, bob))).status).toBe(204)
  expect((await bob.get(`/api/channels/${id}`)).status).toBe(404)
  expect((await alice.delete(recipient(id, bob))).status).toBe(404)
  his.close()
})

test('a replay shows a group with its present participants', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  const id = await group(alice, bob, carol)
  const s = await goOffline(carol)
  await say(alice, id, 'The owl flies at midnight')
  await alice.delete(recipient(id, carol))
  const away = await resume(carol, s)
  const eventTypes = (live: Gateway) => replayed(live).flatMap(({ t }) => (/^(channel|message)/.test(t) ? t : []))
  expect(eventTypes(away)).toEqual(['channel.deleted'])
  expect(away.frames[0]?.d.conversations).toEqual([])
  expect(JSON.stringify(away.frames)).not.toContain('midnight')
  away.close()
  await alice.put(recipient(id, carol))
  const back = await resume(carol, s)
  // The notice of her addition.
  expect(eventTypes(back)).toEqual(['channel.created', 'message.created'])
  expect(back.frames[0]?.d.conversations).toMatchObject([{ channel_id: id, user_id: null, unread_count: null }])
  back.close()
})

test('an owner who leaves hands the group to its longest-standing participant; the last one deletes it', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  const id = await group(alice, bob, carol)
  await sql`update participants set joined_at = now() - interval '1 day' where channel_id = ${id}
    and user_id = ${carol.id}`
  const file = await upload(alice, 'owl.txt', 'text/plain', new TextEncoder().encode('Owl'))
  await alice.post(`/api/channels/${id}/messages`, { content: '', file_ids: [file.id] })
  const hers = await connect(carol)
  expect((await alice.delete(recipient(id, alice))).status).toBe(204)
  expect((await hers.next('channel.updated')).d.owner_id).toBe(carol.id)
  expect((await bob.delete(recipient(id, bob))).status).toBe(204)
  expect((await carol.delete(recipient(id, carol))).status).toBe(204)
  await parley.sweep()
  expect(await sql`select 1 from channels where id = ${id}`).toHaveLength(0)
  expect(await sql`select 1 from messages where channel_id = ${id}`).toHaveLength(0)
  expect((await alice.get(`/api/files/${file.id}`)).status).toBe(404)
  const counts = await sql`select group_count, stored_bytes from users where id in ${sql(idsOf([alice, bob, carol]))}`
  for (const row of counts) expect(row).toEqual({ group_count: 0, stored_bytes: 0 })
  hers.close()
})

test('any participant names a group and gives it a picture, which only its participants see', async () => {
  const [alice, bob, carol, mallory] = await passersBy(parley, 'alice', 'bob', 'carol', 'mallory')
  const id = await group(alice, bob, carol)
  const hers = await connect(carol)
  const picture = await upload(bob, 'owl.png', 'image/png', await png(8, 8))
  const path = `/api/channels/${id}`
  expect((await alice.put(path, { icon_file_id: picture.id })).status).toBe(404)
  const changed = await bob.put(path, { name: 'Owls', icon_file_id: picture.id })
  expect(changed.body).toMatchObject({ name: 'Owls', icon_file_id: picture.id })
  expect((await hers.next('channel.updated')).d).toEqual(changed.body)
  expect((await download(carol, picture.id)).status).toBe(200)
  expect((await mallory.get(`/api/files/${picture.id}`)).status).toBe(404)
  await sql`update files set created_at = now() - interval '2 days' where id = ${picture.id}`
  await parley.sweep()
  expect((await carol.get(`/api/files/${picture.id}`)).status).toBe(200)
  expect((await bob.delete(`/api/files/${picture.id}`)).status).toBe(204)
  expect((await alice.get(path)).body.icon_file_id).toBeNull()
  for (const body of [
    { message_retention_days: 1 },
    { parent_id: null },
    { topic: 'Owls' },
    { position: 1 },
    { name: ' ' },
    {},
    { owner_id: bob.id },
  ])
    expect((await bob.put(path, body)).status).toBe(422)
  hers.close()
})

test('a group holds ten, and an account two hundred groups', async () => {
  const [alice, ...others] = (await passersBy(parley, ...Array.from({ length: 11 }, (_, n) => `p${n}`))) as Person[]
  if (!alice) throw new Error('people')
  const [last, late, ...nine] = others.toReversed() as [Person, Person, ...Person[]]
  const id = await group(alice, ...nine.slice(0, 8))
  await befriend(alice, late)
  await befriend(alice, last)
  expect((await alice.put(recipient(id, late))).status).toBe(200)
  expect((await alice.put(recipient(id, last))).body.code).toBe('too_many_participants')
  await sql`update users set group_count = 200 where id = ${last.id}`
  const full = await alice.post('/api/channels/direct', { recipient_ids: [late.id, last.id] })
  expect(full.body.code).toBe('too_many_groups')
})

test('a deleted account leaves its groups to the others, with its messages by a tombstone', async () => {
  const [alice, bob, carol] = (await peopleWithPassword(parley, 'alice', 'bob', 'carol')) as [Person, Person, Person]
  const id = await group(alice, bob, carol)
  const sent = await say(alice, id, 'Farewell')
  const live = await connect(bob)
  expect((await deleteAccountOf(alice)).status).toBe(204)
  const { recipients, owner_id } = (await live.next('channel.updated')).d
  expect(idsOf(recipients).toSorted()).toEqual([bob.id, carol.id].toSorted())
  expect(owner_id).toBeOneOf([bob.id, carol.id])
  const { body } = await bob.get(`/api/channels/${id}/messages`)
  expect(body).toMatchObject([{ id: sent.id, author: { id: alice.id, display_name: 'Deleted user' } }])
  const name = `%"id":${alice.id},"display_name":"alice"%`
  const events = await sql`select type, body::text from events where body::text like ${name}`
  expect(events).toEqual([] as never)
  live.close()
})

test('a new name or picture reaches those who share nothing but a group', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  await group(alice, bob, carol)
  const live = await connect(carol)
  await bob.put('/api/auth/display-name', { display_name: 'Robert' })
  expect((await live.next('user.updated')).d).toMatchObject({ id: bob.id, display_name: 'Robert' })
  live.close()
})
