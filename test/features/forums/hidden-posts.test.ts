import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { selectLocations } from '../../../src/features/access/place.ts'
import { ThreadKeeper } from '../../../src/features/threads/thread-keeper.ts'
import { begun, forumOf } from '../../support/forums.ts'
import { type Person, say, standard } from '../../support/harness.ts'
import { passerBy, rank } from '../../support/places.ts'
import { connect, type Frame, type Gateway, newestS } from '../../support/socket.ts'

const parley = await standard()
const [alice, bob, carol] = (await Promise.all(['alice', 'bob', 'carol'].map((name) => passerBy(parley, name)))) as [
  Person,
  Person,
  Person,
]

test('what moderators write in a hidden post reaches nobody else, live or later', async () => {
  const { forum, server_id } = await forumOf(alice, [bob, carol])
  const moderators = await rank(parley, server_id, permissions('manage_threads', 'manage_messages'), carol)
  const spam = await begun(bob, forum.id, 'Spam')
  const earlier = await say(bob, spam.id, 'Buy an egg')
  const keeper = new ThreadKeeper(parley.parts)
  const lives = await Promise.all([alice, bob, carol].map((who) => connect(who)))
  const since = lives.map((live) => live.of('synced')[0]?.d.s)
  await say(bob, spam.id, 'Buy another egg')
  await carol.put(`/api/channels/${spam.id}`, { hidden: true })
  await keeper.run()
  const [word] = await Promise.all([say(carol, spam.id, 'A secret word'), say(carol, spam.id, 'A secret nod')])
  expect((await carol.put(`/api/messages/${word.id}`, { content: 'A secret owl' })).status).toBe(200)
  const reactions = (id: number) => `/api/messages/${id}/reactions/${encodeURIComponent('🦉')}/@me`
  expect((await alice.put(reactions(word.id))).status).toBe(204)
  const draft = { question: 'A secret poll?', answers: [{ text: 'yes' }, { text: 'no' }] }
  const poll = await carol.post(`/api/channels/${spam.id}/messages`, { content: '', poll: draft })
  expect(poll.status).toBe(201)
  const [answer] = poll.body.poll.answers
  const vote = { answer_ids: [answer.id] }
  expect((await alice.put(`/api/messages/${poll.body.id}/poll/votes`, vote)).status).toBe(204)
  await lives[2]?.command('typing.start', { channel_id: spam.id })
  await lives[0]?.next('typing.started')
  const farewell = await say(alice, spam.id, 'A secret end')
  expect((await alice.delete(`/api/messages/${farewell.id}`)).status).toBe(204)
  for (const live of lives) await live.next('message.deleted', ({ d }) => d.id === farewell.id)
  const words = (live: Gateway) =>
    live.frames
      .filter(({ t, d }) => /^(message|typing)/.test(t) && t !== 'message.deleted' && d?.channel_id === spam.id)
      .map(({ t, d }) => [t, d])
  const types = (live: Gateway) => words(live).map(([t]) => t)
  for (const live of [lives[0], lives[2]] as Gateway[]) {
    for (const type of ['message.created', 'message.updated', 'message.reactions', 'message.poll'])
      expect(types(live)).toContain(type)
    expect(JSON.stringify(live.frames)).toContain('A secret owl')
  }
  expect(words(lives[1] as Gateway)).toMatchObject([['message.created', { content: 'Buy another egg' }]])
  for (const live of lives) live.close()
  const resume = async (who: Person, at: number) => {
    const live = await connect(who, `&s=${since[at]}`)
    expect(live.frames[0]?.d.resumed).toBe(true)
    live.close()
    return JSON.stringify(words(live))
  }
  for (const [who, at] of [
    [alice, 0],
    [carol, 2],
  ] as const) {
    const text = await resume(who, at)
    for (const each of ['Buy another egg', 'A secret owl', 'A secret nod', '🦉', 'A secret poll?'])
      expect(text).toContain(each)
  }
  expect(await resume(bob, 1)).toBe('[]')
  expect((await alice.delete(`/api/roles/${moderators}`)).status).toBe(204)
  expect(await resume(carol, 2)).toBe('[]')
  expect((await carol.get(`/api/messages/${earlier.id}`)).status).toBe(404)
  await alice.put(`/api/channels/${spam.id}`, { hidden: false })
  expect((await bob.get(`/api/channels/${spam.id}/messages`)).body.length).toBeGreaterThan(3)
  keeper.stop()
})

test('the moderators of a hidden post are looked up once for many messages of it', async () => {
  const { forum, server_id } = await forumOf(alice, [bob, carol])
  await rank(parley, server_id, permissions('manage_threads'), carol)
  const [spam, egg, walk] = [
    await begun(bob, forum.id, 'Spam'),
    await begun(bob, forum.id, 'Egg'),
    await begun(bob, forum.id, 'Walk'),
  ]
  const messages: { id: number; channel_id: number; isHidden: boolean }[] = []
  for (const post of [spam, egg, walk, spam, egg, walk, spam]) {
    const { id } = await say(bob, post.id, 'Buy an egg')
    messages.push({ id, channel_id: post.id, isHidden: post !== walk })
  }
  for (const post of [spam, egg])
    expect((await carol.put(`/api/channels/${post.id}`, { hidden: true })).status).toBe(200)
  const ids = messages.map(({ id }) => id)
  const { sql } = parley.parts
  const chosen = () => selectLocations(sql, sql`m.id = any(${ids.toReversed()})`)
  const seen = (await chosen()).map(({ id, channel_id, moderator_ids }) => [id, channel_id, moderator_ids?.toSorted()])
  const moderators = [alice.id, carol.id].toSorted()
  expect(seen).toEqual(messages.map((each) => [each.id, each.channel_id, each.isHidden ? moderators : undefined]))
  const [row] = await sql<{ 'QUERY PLAN': object }[]>`explain (analyze, format json) ${chosen()}`
  // The function runs in a node of its own.
  const counts: number[] = []
  JSON.stringify(row, (_, node) => {
    if (node?.['Node Type'] === 'ProjectSet') counts.push(node['Actual Loops'])
    return node
  })
  expect(counts).toEqual([2])
})

test('only those who may read a hidden post learn how many messages it gets, and which is the newest', async () => {
  const { forum, server_id } = await forumOf(alice, [bob, carol])
  await rank(parley, server_id, permissions('manage_threads'), carol)
  const spam = await begun(bob, forum.id, 'Spam')
  const keeper = new ThreadKeeper(parley.parts)
  const [seer, blind] = [await connect(carol), await connect(bob)]
  await carol.put(`/api/channels/${spam.id}`, { hidden: true })
  const { id } = await say(carol, spam.id, 'A secret word')
  await keeper.run()
  const isHidden = ({ d }: { d: any }) => d.id === spam.id && d.hidden === true
  const whole = await seer.next('thread.updated', (frame) => isHidden(frame) && frame.d.last_message_id === id)
  expect(whole.d).toMatchObject({ name: 'Spam', message_count: 2 })
  await blind.next('thread.updated', isHidden)
  await blind.settled()
  for (const { d } of blind.frames.filter((frame) => frame.t === 'thread.updated' && isHidden(frame)))
    expect(d).toMatchObject({ name: '', message_count: 0, last_message_id: null, last_message_at: null, votes: 0 })
  for (const live of [seer, blind]) live.close()
  keeper.stop()
})

test('once a post is hidden, nothing says when moderators are active there, live or later', async () => {
  const { forum, server_id } = await forumOf(alice, [bob, carol])
  await rank(parley, server_id, permissions('manage_threads'), carol)
  const [spam, other] = [await begun(bob, forum.id, 'Spam'), await begun(bob, forum.id, 'Walk')]
  const keeper = new ThreadKeeper(parley.parts)
  // Forgets the pause after an earlier publication, and publishes.
  const publish = async () => {
    await parley.parts.sql`update thread_changes set due_at = now()
      where channel_id = any(${[spam.id, other.id]}::bigint[])`
    await keeper.run()
  }
  const [seer, blind] = [await connect(carol), await connect(bob)]
  const isSpam = ({ d }: { d: any }) => d.id === spam.id
  await carol.put(`/api/channels/${spam.id}`, { hidden: true })
  await publish()
  await blind.next('thread.updated', (frame) => isSpam(frame) && frame.d.hidden)
  const since = newestS(blind)
  const { id } = await say(carol, spam.id, 'A secret word')
  await publish()
  await seer.next('thread.updated', (frame) => isSpam(frame) && frame.d.last_message_id === id)
  await carol.put(`/api/channels/${spam.id}`, { pinned: true })
  await publish()
  await seer.next('thread.updated', (frame) => isSpam(frame) && frame.d.pinned)
  // An event of another post, which everybody gets, comes after those.
  await alice.put(`/api/channels/${other.id}`, { pinned: true })
  await publish()
  await blind.next('thread.updated', ({ d }) => d.id === other.id && d.pinned)
  expect(blind.of('thread.updated').filter((frame) => isSpam(frame) && frame.d.hidden)).toHaveLength(1)
  blind.close()
  const later = await connect(bob, `&s=${since}`)
  expect(later.frames[0]?.d.resumed).toBe(true)
  const isLater = ({ t, s = 0, d }: Frame) => t.startsWith('thread') && d.id === spam.id && s > since
  expect(later.frames.filter(isLater)).toEqual([])
  // It comes back as it is now.
  await carol.put(`/api/channels/${spam.id}`, { hidden: false })
  await publish()
  const { d } = await later.next('thread.updated', (frame) => isSpam(frame) && !frame.d.hidden)
  expect(d).toMatchObject({ name: 'Spam', message_count: 2, pinned: true })
  for (const live of [seer, later]) live.close()
  keeper.stop()
})
