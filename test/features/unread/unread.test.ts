import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { type Person, newServer, say, standard } from '../../support/harness.ts'
import { befriend, passersBy, write } from '../../support/people.ts'
import { makeOld, pruneWith } from '../../support/retention.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()

/** A channel in the account's next handshake, and in the answer to a request. */
async function fresh(who: Person, channel_id: number) {
  const live = await connect(who)
  const readMark = live.frames[0]?.d.read_marks.find((mark: { channel_id: number }) => mark.channel_id === channel_id)
  live.close()
  const [unread] = (await who.get(`/api/unread?channel_ids=${channel_id}`)).body
  if (unread.newest_id === null) expect(readMark?.newest_id).toBeUndefined()
  else expect(readMark).toEqual(unread)
  return { newest_id: unread.newest_id, mention_count: unread.mention_count }
}
const read = { newest_id: null, mention_count: 0 }

test('later messages of others are unread; earlier ones and one’s own are not', async () => {
  const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
  const { server_id, channel_id } = await newServer(alice)
  await say(alice, channel_id, 'Before')
  const invite = await alice.post('/api/invites', { server_id })
  await bob.post(`/api/invites/${invite.body.code}/join`)
  expect(await fresh(bob, channel_id)).toEqual(read)
  await say(bob, channel_id, 'Hello')
  expect(await fresh(bob, channel_id)).toEqual(read)
  const first = await say(alice, channel_id, `Welcome, <@${bob.id}>`)
  const second = await say(alice, channel_id, 'How are you?')
  await say(bob, channel_id, 'Well')
  expect(await fresh(bob, channel_id)).toEqual({ newest_id: second.id, mention_count: 1 })
  await alice.put(`/api/messages/${second.id}`, { content: `How are you, <@${bob.id}>?` })
  expect(await fresh(bob, channel_id)).toEqual({ newest_id: second.id, mention_count: 2 })
  await alice.delete(`/api/messages/${second.id}`)
  expect(await fresh(bob, channel_id)).toEqual({ newest_id: first.id, mention_count: 1 })
  const live = await connect(bob)
  await live.command('channel.ack', { channel_id, message_id: first.id })
  live.close()
  expect(await fresh(bob, channel_id)).toEqual(read)
  await alice.put(`/api/messages/${first.id}`, { content: 'Welcome' })
  expect(await fresh(bob, channel_id)).toEqual(read)
})

test('messages of blocked people are never unread; roles count as the account holds them now', async () => {
  const [alice, bob, carol] = (await passersBy(parley, 'alice', 'bob', 'carol')) as [Person, Person, Person]
  const { server_id, channel_id } = await newServer(alice, bob, carol)
  const role = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Herons', mentionable: true })).body.id
  const called = await say(carol, channel_id, `<@&${role}> and <@${bob.id}>`)
  expect(await fresh(bob, channel_id)).toEqual({ newest_id: called.id, mention_count: 1 })
  const again = await say(carol, channel_id, `<@&${role}>`)
  expect(await fresh(bob, channel_id)).toEqual({ newest_id: again.id, mention_count: 1 })
  await alice.post(`/api/servers/${server_id}/members/${bob.id}/roles/${role}`)
  expect(await fresh(bob, channel_id)).toEqual({ newest_id: again.id, mention_count: 2 })
  await bob.post(`/api/friends/${carol.id}/block`)
  expect(await fresh(bob, channel_id)).toEqual(read)
  const everyone = await say(alice, channel_id, '@everyone')
  expect(await fresh(bob, channel_id)).toEqual({ newest_id: everyone.id, mention_count: 1 })
  await bob.post(`/api/friends/${carol.id}/unblock`)
  expect(await fresh(bob, channel_id)).toEqual({ newest_id: everyone.id, mention_count: 3 })
})

test('a place that is muted, or whose category or server is, counts only mentions by name', async () => {
  const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
  const { server_id, channel_id } = await newServer(alice, bob)
  const category = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'birds', type: 'category' })).body.id
  await alice.put(`/api/channels/${channel_id}`, { parent_id: category })
  await say(alice, channel_id, `<@${bob.id}>`)
  const { id: newest_id } = await say(alice, channel_id, '@everyone')
  const count = async () => (await fresh(bob, channel_id)).mention_count
  const set = (place: string, body: object) => bob.put(`/api/notifications/${place}`, body)
  expect(await fresh(bob, channel_id)).toEqual({ newest_id, mention_count: 2 })
  const [past, later] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString())
  for (const place of [`channels/${channel_id}`, `channels/${category}`, `servers/${server_id}`]) {
    await set(place, { muted_until: later })
    expect([place, await fresh(bob, channel_id)]).toEqual([place, { newest_id, mention_count: 1 }])
    await set(place, { muted_until: past })
    expect(await count()).toBe(2)
    await set(place, { suppress_everyone: true })
    expect(await count()).toBe(1)
    expect((await bob.delete(`/api/notifications/${place}`)).status).toBe(204)
    expect(await count()).toBe(2)
  }
  await set(`servers/${server_id}`, { suppress_everyone: true })
  await set(`channels/${channel_id}`, { suppress_everyone: false })
  expect(await count()).toBe(2)
})

test('a message is marked unread with all after it, and a whole server is marked read at once', async () => {
  const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
  const { server_id, channel_id } = await newServer(alice, bob)
  const other = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'far', type: 'text' })).body.id
  const hidden = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'hidden', type: 'text' })).body.id
  const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
  await alice.put(`/api/channels/${hidden}/permissions/${everyone.id}`, { deny: permissions('view_channel') })
  const [one, two] = [await say(alice, channel_id, 'one'), await say(alice, channel_id, 'two')]
  const far = await say(alice, other, 'three')
  await say(alice, hidden, 'four')
  const live = await connect(bob)
  expect((await bob.post(`/api/servers/${server_id}/read-all`)).status).toBe(204)
  for (const [channel, message] of [
    [channel_id, two.id],
    [other, far.id],
  ]) {
    const { d } = await live.next('channel.read', (frame) => frame.d.channel_id === channel)
    expect(d.message_id).toBe(message)
    expect(await fresh(bob, channel as number)).toEqual(read)
  }
  await live.settled()
  expect(live.of('channel.read')).toHaveLength(2)
  expect((await bob.get(`/api/unread?channel_ids=${hidden},${other}`)).body).toHaveLength(1)
  const back = await bob.post(`/api/channels/${channel_id}/unread`, { message_id: one.id })
  expect(back.body).toEqual({ channel_id, message_id: one.id - 1, newest_id: two.id, mention_count: 0 })
  await live.next('channel.read', ({ d }) => d.message_id === one.id - 1)
  // Marking a message that is already unread leaves older ones unread.
  expect((await bob.post(`/api/channels/${channel_id}/unread`, { message_id: two.id })).body).toEqual(back.body)
  expect((await bob.post(`/api/channels/${other}/unread`, { message_id: one.id })).status).toBe(404)
  expect((await bob.post(`/api/channels/${hidden}/unread`, { message_id: one.id })).status).toBe(404)
  await live.command('channel.ack', { channel_id, message_id: two.id })
  expect(await fresh(bob, channel_id)).toEqual(read)
  live.close()
})

test('a direct message that is marked unread stays read for its sender, and reading the dm reads it', async () => {
  const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
  await befriend(alice, bob)
  const first = await write(alice, bob, 'One')
  const second = await write(alice, bob, 'Two')
  const channel_id: number = first.channel_id
  expect(await fresh(bob, channel_id)).toEqual({ newest_id: second.id, mention_count: 0 })
  const live = await connect(bob)
  const ack = (message_id: number) => live.command('channel.ack', { channel_id, message_id })
  await ack(second.id)
  expect(await fresh(bob, channel_id)).toEqual(read)
  const mark = () => bob.post(`/api/channels/${channel_id}/unread`, { message_id: first.id })
  expect((await mark()).body).toMatchObject({ newest_id: second.id, message_id: first.id - 1 })
  expect((await alice.get(`/api/messages/${second.id}`)).body.read_at).toBeString()
  await ack(second.id)
  expect(await fresh(bob, channel_id)).toEqual(read)
  await mark()
  expect((await bob.post(`/api/dm/${alice.id}/read-all`)).status).toBe(200)
  expect(await fresh(bob, channel_id)).toEqual(read)
  live.close()
})

test('a person added to a group has read its history; later messages are unread', async () => {
  const [alice, bob, carol, dave] = (await passersBy(parley, 'alice', 'bob', 'carol', 'dave')) as Person[]
  for (const other of [bob, carol, dave] as Person[]) await befriend(alice as Person, other)
  const [owner, guest] = [alice, dave] as [Person, Person]
  const group = (await owner.post('/api/channels/direct', { recipient_ids: [bob?.id, carol?.id] })).body.id
  await say(owner, group, 'Before')
  await owner.put(`/api/channels/${group}/recipients/${guest.id}`)
  expect(await fresh(guest, group)).toEqual(read)
  const { id } = await say(owner, group, `Hello <@${guest.id}>`)
  expect(await fresh(guest, group)).toEqual({ newest_id: id, mention_count: 1 })
})

test('messages deleted by their age are no longer unread', async () => {
  const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
  const { channel_id } = await newServer(alice, bob)
  const { id } = await say(alice, channel_id, `<@${bob.id}>`)
  await makeOld(parley, [id])
  await pruneWith(parley, { MESSAGE_RETENTION_DAYS: 1 })
  expect(await fresh(bob, channel_id)).toEqual(read)
})

test('at most 100 mentions are counted, and 100 channels requested', async () => {
  const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
  const { channel_id } = await newServer(alice, bob)
  await parley.parts.sql`insert into messages (channel_id, author_id, content, mention_ids, mention_everyone)
    select ${channel_id}, ${alice.id}, 'Hm', case when n % 2 = 0 then array[${bob.id}::bigint] else '{}' end, n % 3 = 0
    from generate_series(1, 250) n`
  expect((await fresh(bob, channel_id)).mention_count).toBe(100)
  const ask = async (list: string) => (await bob.get(`/api/unread?channel_ids=${list}`)).status
  expect(await ask(Array(100).fill(channel_id).join(','))).toBe(200)
  for (const list of [Array(101).fill(1).join(','), '', 'x', '1,,2', '-1', '9'.repeat(3000)])
    expect([list, await ask(list)]).toEqual([list, 422])
})

test('the first message since a time is found, in any notation of the time', async () => {
  const [alice] = (await passersBy(parley, 'alice')) as [Person]
  const { channel_id } = await newServer(alice)
  const first = await say(alice, channel_id, 'Hello')
  const since = (time: string) =>
    alice.get(`/api/channels/${channel_id}/first-message?since=${encodeURIComponent(time)}`)
  for (const time of ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00Z', '2026-01-01T02:00:00.123456+02:00'])
    expect([time, (await since(time)).body]).toEqual([time, { message_id: first.id }])
  expect((await since('2999-01-01T00:00:00Z')).body).toEqual({ message_id: null })
  for (const time of ['0000-01-01T00:00:00.000Z', 'yesterday', ''])
    expect([time, (await since(time)).status]).toEqual([time, 422])
})
