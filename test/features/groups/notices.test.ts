import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { type Person, say, standard } from '../../support/harness.ts'
import { befriend, deleteAccountOf, group, passersBy, peopleWithPassword } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts

/** The kinds, authors and data of a channel's notices, oldest first. */
const noticesIn = async (who: Person, channel_id: number) =>
  (await who.get(`/api/channels/${channel_id}/messages?limit=100`)).body
    .filter(({ kind }: { kind: string }) => kind !== 'default')
    .map(({ kind, author, data, content }: any) => [kind, author.id, data, content])
    .toReversed()
const change = (who: Person, id: number, body: object) => who.put(`/api/channels/${id}`, body)

test('a group announces additions, removals, leaves and renames, and none of them makes it unread', async () => {
  const [alice, bob, carol, dave] = await passersBy(parley, 'alice', 'bob', 'carol', 'dave')
  const id = await group(alice, bob, carol)
  await befriend(bob, dave)
  const live = await connect(carol)
  await bob.put(`/api/channels/${id}/recipients/${dave.id}`)
  expect((await live.next('message.created', ({ d }) => d.kind === 'recipient_added')).d.author.id).toBe(bob.id)
  await change(bob, id, { name: 'Owls' })
  await change(bob, id, { name: 'Owls' })
  await alice.delete(`/api/channels/${id}/recipients/${dave.id}`)
  await bob.delete(`/api/channels/${id}/recipients/${bob.id}`)
  const notices = await noticesIn(carol, id)
  expect(notices).toEqual([
    ['recipient_added', bob.id, { user_id: dave.id }, ''],
    ['renamed', bob.id, { name: 'Owls' }, ''],
    ['recipient_removed', alice.id, { user_id: dave.id }, ''],
    ['recipient_removed', bob.id, { user_id: bob.id }, ''],
  ])
  const [notice] = (await alice.get(`/api/channels/${id}/messages`)).body
  expect((await alice.put(`/api/messages/${notice.id}`, { content: 'I said' })).status).toBe(403)
  live.close()
})

test('a deleted account leaves its groups without a notice', async () => {
  const [alice, bob, carol] = await peopleWithPassword(parley, 'alice', 'bob', 'carol')
  const id = await group(alice, bob, carol)
  expect((await deleteAccountOf(bob)).status).toBe(204)
  expect(await noticesIn(alice, id)).toEqual([])
})

test('a group’s name can be taken away again, and a channel’s cannot', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const id = await group(alice, bob, ...(await passersBy(parley, 'carol')))
  await change(alice, id, { name: 'Owls' })
  expect([(await change(bob, id, { name: '' })).body.name, (await bob.get(`/api/channels/${id}`)).body.name]).toEqual([
    '',
    '',
  ])
  expect((await noticesIn(alice, id)).at(-1)).toEqual(['renamed', bob.id, { name: '' }, ''])
  const { channel_id } = await place(alice)
  expect((await change(alice, channel_id, { name: '' })).body.errors).toMatchObject([{ path: 'body.name' }])
  for (const name of [' ', '\n', 'x'.repeat(101), null]) expect((await change(alice, id, { name })).status).toBe(422)
})

test('a dm that never got a message is deleted after a day; a used and a younger one stay', async () => {
  const [alice, bob, carol, dave, erin] = await passersBy(parley, 'alice', 'bob', 'carol', 'dave', 'erin')
  const ids: number[] = []
  for (const other of [bob, carol, dave, erin]) {
    await befriend(alice, other)
    ids.push((await alice.post('/api/channels/direct', { recipient_ids: [other.id] })).body.id)
  }
  const [unused, used, emptied, young] = ids as [number, number, number, number]
  await say(alice, used, 'Hello')
  const { id: messageId } = await say(alice, emptied, 'Hello')
  await alice.delete(`/api/messages/${messageId}`)
  await sql`update channels set created_at = now() - interval '25 hours' where id = any(${ids}) and id <> ${young}`
  const live = await connect(alice)
  await parley.sweep()
  expect((await live.next('channel.deleted')).d).toEqual({ id: unused, server_id: null })
  const statuses = await Promise.all(ids.map(async (id) => (await alice.get(`/api/channels/${id}`)).status))
  expect(statuses).toEqual([404, 200, 200, 200])
  const again = await alice.post('/api/channels/direct', { recipient_ids: [bob.id] })
  expect([again.status, again.body.id === unused]).toEqual([201, false])
  live.close()
})

test('a message and the job that deletes unused dms never lose each other', async () => {
  for (let round = 0; round < 8; round++) {
    const [alice, bob] = await passersBy(parley, 'alice', 'bob')
    await befriend(alice, bob)
    const { id } = (await alice.post('/api/channels/direct', { recipient_ids: [bob.id] })).body
    await sql`update channels set created_at = now() - interval '25 hours' where id = ${id}`
    const [sent] = await Promise.all([
      alice.post('/api/dm/messages', { recipient_id: bob.id, content: 'Just in time' }),
      Bun.sleep(round).then(() => parley.sweep()),
    ])
    expect(sent.status).toBe(201)
    expect((await bob.get(`/api/dm/${alice.id}/messages`)).body.length).toBe(1)
  }
})

test('a server announces new members in its system channel, to those who see it', async () => {
  const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')
  const { server_id, channel_id, everyone } = await place(alice, mallory)
  const put = (who: Person, id: number | null) => who.put(`/api/servers/${server_id}`, { system_channel_id: id })
  const elsewhere = await place(alice)
  const voice = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'Hide', type: 'voice' })).body.id
  for (const wrong of [elsewhere.channel_id, voice, 2 ** 40])
    expect((await put(alice, wrong)).body.errors).toMatchObject([{ path: 'body.system_channel_id' }])
  expect((await put(mallory, channel_id)).status).toBe(403)
  // A manager of the server who does not see the channel cannot choose it.
  await rank(parley, server_id, permissions('manage_server'), mallory)
  const hidden = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'hidden', type: 'text' })).body.id
  await alice.put(`/api/channels/${hidden}/permissions/${everyone}`, { deny: permissions('view_channel') })
  expect((await put(mallory, hidden)).status).toBe(422)
  expect((await put(alice, hidden)).body.system_channel_id).toBe(hidden)

  const { code } = (await alice.post('/api/invites', { server_id })).body
  const [hers, theirs] = [await connect(alice), await connect(mallory)]
  expect((await bob.post(`/api/invites/${code}/join`)).status).toBe(201)
  const notice = await hers.next('message.created', ({ d }) => d.kind === 'member_joined')
  expect(notice.d).toMatchObject({ author: { id: bob.id }, channel_id: hidden, data: {} })
  await theirs.settled()
  expect(theirs.of('message.created')).toEqual([])
  await bob.post(`/api/invites/${code}/join`)
  expect((await noticesIn(alice, hidden)).length).toBe(1)

  await alice.delete(`/api/channels/${hidden}`)
  expect((await theirs.next('server.updated', ({ d }) => d.system_channel_id === null)).d.id).toBe(server_id)
  for (const live of [hers, theirs]) live.close()
})

test('nobody can type in a category', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { server_id } = await place(alice)
  const { id } = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'North', type: 'category' })).body
  const live = await connect(alice)
  expect((await live.command('typing.start', { channel_id: id })).error.code).toBe('forbidden')
  live.close()
})

test('deleting a category with many channels and overwrites sends each member less than 192 KiB', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id } = await place(alice, bob)
  const { id } = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'North', type: 'category' })).body
  await sql`insert into channels (server_id, parent_id, name, type, position)
    select ${server_id}, ${id}, 'channel ' || n, 'text', n from generate_series(0, 149) n`
  await sql`with role as (
      insert into roles (server_id, name, permissions, position)
      select ${server_id}, 'Role ' || n, 0, n from generate_series(1, 20) n returning id)
    insert into overwrites (channel_id, role_id, allow, deny) select ${id}, role.id, 0, 32768 from role`
  const live = await connect(bob)
  let bytes = 0
  live.socket.addEventListener('message', ({ data }) => (bytes += String(data).length))
  expect((await alice.delete(`/api/channels/${id}`)).status).toBe(204)
  await live.settled()
  const [update] = live.of('channel.permissions_updated')
  expect([live.of('channel.permissions_updated').length, update?.d.overwrites]).toEqual([150, null])
  expect(bytes).toBeLessThan(192 * 1024)
  expect((await bob.get(`/api/channels/${update?.d.id}/permissions?limit=100`)).body.length).toBe(20)
  live.close()
})
