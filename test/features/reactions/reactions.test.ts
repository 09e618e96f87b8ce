import { expect, test } from 'bun:test'
import { type Person, say, standard } from '../../support/harness.ts'
import { deleteAccountOf, passersBy, peopleWithPassword, write } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { forbidEveryone, promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'
import { until } from '../../support/until.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, carol, mallory] = await passersBy(parley, 'alice', 'bob', 'carol', 'mallory')

const path = (id: number, emoji: string) => `/api/messages/${id}/reactions/${encodeURIComponent(emoji)}`
const react = (who: Person, id: number, emoji: string) => who.put(`${path(id, emoji)}/@me`)
const takeBack = (who: Person, id: number, emoji: string) => who.delete(`${path(id, emoji)}/@me`)
const of = async (who: Person, id: number) =>
  (await who.get(`/api/messages/${id}`)).body.reactions.map(({ emoji, count, me }: any) => [emoji, count, me])
/** Different emoji, in one form each. */
const EMOJI = [...'😀😁😂😃😄😅😆😇😈😉😊😋😌😍😎😏😐😑😒😓😔😕']

test('reactions are counted, announced to everyone who sees the message, and one’s own are marked', async () => {
  const { channel_id } = await place(alice, bob)
  const { id } = await say(alice, channel_id, 'A kingfisher!')
  const [live, own] = [await connect(alice), await connect(bob)]
  expect((await react(bob, id, '👍')).status).toBe(204)
  const { d } = await live.next('message.reactions')
  const change = { user_id: bob.id, emoji: '👍', on: true }
  expect(d).toEqual({ id, channel_id, reactions: [{ id: expect.any(Number), emoji: '👍', count: 1 }], change })
  const mine = await own.next('reaction.mine')
  expect(mine.d).toEqual({ message_id: id, emoji: '👍', on: true, reaction_id: d.reactions[0].id })
  expect((await react(bob, id, '👍')).status).toBe(204)
  await react(alice, id, '👍')
  await react(alice, id, '❤')
  expect(await of(bob, id)).toEqual([
    ['👍', 2, true],
    ['❤️', 1, false],
  ])
  const [listed] = (await alice.get(`/api/channels/${channel_id}/messages`)).body
  expect(listed.reactions.map(({ me }: any) => me)).toEqual([true, true])
  expect((await takeBack(bob, id, '👍')).status).toBe(204)
  expect((await takeBack(bob, id, '👍')).status).toBe(204)
  expect((await own.next('reaction.mine', ({ d }) => !d.on)).d).toMatchObject({ emoji: '👍', reaction_id: null })
  expect(await of(bob, id)).toEqual([
    ['👍', 1, false],
    ['❤️', 1, false],
  ])
  expect(live.of('reaction.mine')).toHaveLength(2)
  live.close()
  own.close()
})

test('the list of people who reacted is paged, by id', async () => {
  const { channel_id } = await place(alice, bob, carol)
  const { id } = await say(alice, channel_id, 'Who?')
  for (const who of [carol, alice, bob]) await react(who, id, '🦉')
  const [first, second, third] = [alice, bob, carol]
    .map(({ id: user, display_name }) => ({ id: user, display_name, avatar_file_id: null, kind: 'person' }))
    .toSorted((a, b) => a.id - b.id)
  const page = await bob.get(`${path(id, '🦉')}?limit=2`)
  expect(page.body).toEqual([first, second])
  expect(page.headers.get('link')).toContain(`after=${second?.id}`)
  expect((await bob.get(`${path(id, '🦉')}?after=${second?.id}`)).body).toEqual([third])
  expect((await bob.get(path(id, '🐦'))).body).toEqual([])
})

test('twenty different reactions are the limit, and racing ones cannot exceed it', async () => {
  const { channel_id } = await place(alice, bob, carol)
  const { id } = await say(alice, channel_id, 'Many')
  for (const emoji of EMOJI.slice(0, 19)) expect((await react(alice, id, emoji)).status).toBe(204)
  const racing = await Promise.all([react(alice, id, '🦉'), react(bob, id, '🦆'), react(carol, id, '🦜')])
  expect(racing.map(({ status }) => status).toSorted()).toEqual([204, 409, 409])
  expect(racing.find(({ status }) => status === 409)?.body.code).toBe('too_many_reactions')
  expect((await react(bob, id, EMOJI[0] ?? '')).status).toBe(204)
  expect(await of(alice, id)).toHaveLength(20)
})

test('racing reactions of many are all counted, once each', async () => {
  const { channel_id } = await place(alice, bob, carol)
  const { id } = await say(alice, channel_id, 'Race')
  await Promise.all([alice, bob, carol].flatMap((who) => ['🦉', '🦉', '🐦'].map((emoji) => react(who, id, emoji))))
  expect((await of(alice, id)).toSorted()).toEqual(
    [
      ['🐦', 3, true],
      ['🦉', 3, true],
    ].toSorted(),
  )
  await Promise.all([alice, bob, carol].flatMap((who) => ['🦉', '🦉'].map((emoji) => takeBack(who, id, emoji))))
  expect(await of(alice, id)).toEqual([['🐦', 3, true]])
})

test('a new reaction needs add_reactions, joining one does not; both need sight and history', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const { id } = await say(alice, channel_id, 'Announcement')
  await react(alice, id, '👍')
  await forbidEveryone(alice, server_id, 'add_reactions')
  expect((await react(bob, id, '🐦')).body.detail).toBe('The permission add_reactions is missing')
  expect((await react(bob, id, '👍')).status).toBe(204)
  await forbidEveryone(alice, server_id, 'read_history')
  expect((await react(bob, id, '👍')).body.detail).toBe('The permission read_history is missing')
  expect((await bob.get(path(id, '👍'))).status).toBe(403)
  await forbidEveryone(alice, server_id, 'view_channel')
  for (const unseen of [await react(bob, id, '👍'), await takeBack(bob, id, '👍'), await react(mallory, id, '👍')])
    expect(unseen.status).toBe(404)
})

test('a timed-out member joins no reaction', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const { id } = await say(alice, channel_id, 'Hush')
  await react(alice, id, '👍')
  const timed_out_until = new Date(Date.now() + 3_600_000).toISOString()
  await alice.put(`/api/servers/${server_id}/members/${bob.id}`, { timed_out_until })
  expect((await react(bob, id, '👍')).body.detail).toBe('The permission add_reactions is missing')
  expect((await takeBack(bob, id, '👍')).status).toBe(204)
})

test('in a dm a reaction passes the same checks as a message', async () => {
  await place(alice, bob)
  const { id } = await write(alice, bob, 'Between us')
  expect((await react(bob, id, '👍')).status).toBe(204)
  expect((await mallory.put(`${path(id, '👍')}/@me`)).status).toBe(404)
  await alice.post(`/api/friends/${bob.id}/block`)
  for (const who of [alice, bob]) expect((await react(who, id, '🐦')).body.code).toBe('cannot_contact')
  // One's own reaction is removed with one event, and cannot come back.
  const live = await connect(alice)
  for (let round = 0; round < 3; round++) expect((await takeBack(bob, id, '👍')).status).toBe(204)
  await live.next('message.reactions', ({ d }) => d.reactions.length === 0)
  expect((await react(bob, id, '👍')).body.code).toBe('cannot_contact')
  await alice.post(`/api/friends/${bob.id}/unblock`)
  await react(bob, id, '🐦')
  await live.next('message.reactions', ({ d }) => d.reactions[0]?.emoji === '🐦')
  expect(live.of('message.reactions')).toHaveLength(2)
  live.close()
  await takeBack(bob, id, '🐦')
  const [conversation] = (await bob.get('/api/dm/conversations')).body
  expect(conversation.last_message.reactions).toEqual([])
})

test('a holder of manage_messages removes reactions, and the audit log has an entry', async () => {
  const { server_id, channel_id } = await place(alice, bob, carol)
  const { id } = await say(alice, channel_id, 'Clean')
  for (const emoji of ['👍', '🐦', '🦉']) await react(bob, id, emoji)
  expect((await carol.delete(path(id, '👍'))).status).toBe(403)
  await promote(carol, server_id, { bits: ['manage_messages'] })
  expect((await carol.delete(path(id, '👍'))).status).toBe(204)
  expect(await of(bob, id)).toEqual([
    ['🐦', 1, true],
    ['🦉', 1, true],
  ])
  expect((await carol.delete(`/api/messages/${id}/reactions`)).status).toBe(204)
  expect(await of(bob, id)).toEqual([])
  const [entry] = (await alice.get(`/api/servers/${server_id}/audit-log`)).body
  expect(entry).toMatchObject({ action: 'message.reactions_cleared', target_id: id, actor: { id: carol.id } })
  expect(entry.changes.reactions.before).toEqual({ '🐦': 1, '🦉': 1 })
})

test('a reaction that begins again after a removal has a new id: old own reactions are not part of it', async () => {
  const { channel_id } = await place(alice, bob)
  const { id } = await say(alice, channel_id, 'Again')
  const first = async () => (await bob.get(`/api/messages/${id}`)).body.reactions[0]
  await react(bob, id, '👍')
  const before = await first()
  await alice.delete(path(id, '👍'))
  await react(alice, id, '👍')
  expect((await first()).id).toBeGreaterThan(before.id)
  expect(await first()).toMatchObject({ count: 1, me: false })
})

test('a reaction racing the deletion of its message leaves nothing behind', async () => {
  const { channel_id } = await place(alice, bob)
  for (let round = 0; round < 8; round++) {
    const { id } = await say(alice, channel_id, 'Short-lived')
    await react(alice, id, '🐦')
    const [reacted, deleted] = await Promise.all([react(bob, id, '👍'), alice.delete(`/api/messages/${id}`)])
    expect([204, 404]).toContain(reacted.status)
    expect(deleted.status).toBe(204)
    expect(await sql`select 1 from message_reactions where message_id = ${id}`).toHaveLength(0)
    expect(await sql`select 1 from events where resource = ${`reactions:${id}`} and body is not null`).toHaveLength(0)
  }
})

test('the reactions of a deleted account go, and one that races its deletion stays nowhere', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const { id } = await say(alice, channel_id, 'Mayflies')
  await react(alice, id, '👍')
  for (let round = 0; round < 4; round++) {
    const [fly] = await peopleWithPassword(parley, 'mayfly')
    await sql`insert into members ${sql({ server_id, user_id: fly.id })}`
    const message = await write(bob, fly, 'For you')
    await Promise.all([react(fly, id, '👍'), react(fly, message.id, '👍')])
    const live = await connect(alice)
    await Promise.all([deleteAccountOf(fly), react(fly, id, '🐦'), react(fly, message.id, '🐦')])
    await until(async () => (await sql`select 1 from message_reactions where user_id = ${fly.id}`).length === 0)
    expect(await of(alice, id)).toEqual([['👍', 1, true]])
    expect(await of(bob, message.id)).toEqual([])
    await live.next('message.reactions', ({ d }) => d.id === id && d.reactions[0]?.count === 1)
    live.close()
  }
})

test('text other than an emoji is refused', async () => {
  const { channel_id } = await place(alice)
  const { id } = await say(alice, channel_id, 'Odd')
  for (const emoji of ['a', '👍👍', 'owl', '👍'.repeat(50), ' ', '%', '\u202E'])
    expect([emoji, (await react(alice, id, emoji)).status]).toEqual([emoji, 422])
  expect((await react(alice, id, 'owl:1')).status).toBe(404)
  expect((await alice.put(`/api/messages/${id}/reactions/%E2%9D/@me`)).status).toBeGreaterThanOrEqual(400)
})

test('the counts equal the rows', async () => {
  const wrong = await sql`
    select r.message_id from reaction_counts r where r.count <> (
      select count(*) from message_reactions mr where mr.message_id = r.message_id and mr.emoji = r.emoji)`
  expect([...wrong]).toEqual([])
})
