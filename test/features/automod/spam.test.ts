import { expect, setSystemTime, test } from 'bun:test'
import { boot, Person, person, standard, stop } from '../../support/harness.ts'
import { addRule } from '../../support/automod.ts'
import { passersBy } from '../../support/people.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'

const parley = await standard()
const alice = await person(parley, 'alice')
type Who = typeof alice

const spamRule = (by: 'member' | 'text', count: number, seconds: number, draft: object = {}) => ({
  name: 'Spam',
  trigger: { type: 'spam', by, count, seconds },
  actions: [{ type: 'block' }],
  ...draft,
})
const sendIn =
  (channel_id: number) =>
  async (who: Who, content: string, more: object = {}) =>
    (await who.post(`/api/channels/${channel_id}/messages`, { content, ...more })).status

test('a member sends as many messages as the rule allows, then none until time has passed', async () => {
  const [bob, carol] = await passersBy(parley, 'bob', 'carol')
  const { server_id, channel_id } = await place(alice, bob, carol)
  const send = sendIn(channel_id)
  await addRule(alice, server_id, spamRule('member', 3, 60))
  const statuses = []
  for (let n = 0; n < 5; n++) statuses.push(await send(bob, `Message ${n}`))
  expect(statuses).toEqual([201, 201, 201, 403, 403])
  expect(await send(carol, 'Message')).toBe(201)
  try {
    setSystemTime(new Date(Date.now() + 61_000))
    expect(await send(bob, 'Later')).toBe(201)
  } finally {
    setSystemTime()
  }
})

test('edits and repetitions of a request do not count', async () => {
  const bob = await passerBy(parley, 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  await addRule(alice, server_id, spamRule('member', 2, 60))
  const { body } = await bob.post(`/api/channels/${channel_id}/messages`, { content: 'One', nonce: 'n' })
  const send = sendIn(channel_id)
  for (let n = 0; n < 4; n++) {
    expect((await bob.put(`/api/messages/${body.id}`, { content: `Edit ${n}` })).status).toBe(200)
    expect(await send(bob, 'One', { nonce: 'n' })).toBe(200)
  }
  expect([await send(bob, 'Two'), await send(bob, 'Three')]).toEqual([201, 403])
})

test('the same text is blocked once as many members have sent it as the rule says, however it is spelt', async () => {
  const people = await passersBy(parley, 'a', 'b', 'c', 'd')
  const { server_id, channel_id } = await place(alice, ...people)
  const send = sendIn(channel_id)
  const [a, b, c, d] = people
  await addRule(alice, server_id, spamRule('text', 3, 60))
  expect([await send(a, 'Join my server now'), await send(a, 'Join my server now')]).toEqual([201, 201])
  expect(await send(b, 'JOIN my server NOW')).toBe(201)
  expect(await send(c, 'jöin  my server now')).toBe(403)
  expect([await send(d, 'join my server now'), await send(a, 'Join my server now')]).toEqual([403, 403])
  expect(await send(d, 'Another text altogether')).toBe(201)
  for (const who of people) expect(await send(who, 'hello')).toBe(201)
})

test('exempt members, strangers and members who may not write count for nothing', async () => {
  const [bob, stranger] = await passersBy(parley, 'bob', 'stranger')
  const { server_id, channel_id } = await place(alice, bob)
  const send = sendIn(channel_id)
  const exempt = await rank(parley, server_id, 0, bob)
  await addRule(alice, server_id, spamRule('text', 2, 60, { exempt_role_ids: [exempt] }))
  for (let n = 0; n < 3; n++) {
    expect(await send(stranger, 'Join my server now')).toBe(404)
    expect(await send(bob, 'Join my server now')).toBe(201)
  }
  expect(await send(alice, 'Join my server now')).toBe(201)
})

test.if(redisProgram !== undefined)('several processes count together', async () => {
  const redis = await redisServer()
  const one = await boot({ REDIS_URL: redis.url })
  const two = await boot({}, one)
  const owner = await person(one, 'olga')
  const { server_id, channel_id } = await place(owner)
  const elsewhere = new Person(two, owner.id, owner.username, owner.email, owner.display_name, owner.token)
  await addRule(owner, server_id, spamRule('member', 4, 60))
  const statuses = []
  for (let n = 0; n < 6; n++) statuses.push(await sendIn(channel_id)(n % 2 ? owner : elsewhere, `Message ${n}`))
  expect(statuses).toEqual([201, 201, 201, 201, 403, 403])
  await stop(two)
  await stop(one)
})
