import { describe, expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { type Person, standard } from '../../support/harness.ts'
import { by, nodesOn } from '../../support/installation.ts'
import { passersBy } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const set = (who: Person, channel_id: number, slowmode_seconds: unknown) =>
  who.put(`/api/channels/${channel_id}`, { slowmode_seconds })
const send = (who: Person, channel_id: number, content: string) =>
  who.post(`/api/channels/${channel_id}/messages`, { content })

test('a manager of the channel sets slowmode, within its range, and members get an event', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  const { server_id, channel_id } = await place(alice, bob, carol)
  await rank(parley, server_id, permissions('manage_channels'), carol)
  const live = await connect(bob)
  expect((await set(bob, channel_id, 10)).body.code).toBe('missing_permission')
  expect((await set(carol, channel_id, 21_600)).body.slowmode_seconds).toBe(21_600)
  expect((await live.next('channel.updated')).d.slowmode_seconds).toBe(21_600)
  for (const wrong of [-1, 1.5, 21_601, '10', null]) expect((await set(carol, channel_id, wrong)).status).toBe(422)
  const category = await alice.post(`/api/servers/${server_id}/channels`, { name: 'North', type: 'category' })
  expect((await set(alice, category.body.id, 10)).status).toBe(422)
  // A manager of the channel without manage_messages waits like everyone.
  expect((await send(carol, channel_id, 'One')).status).toBe(201)
  expect((await send(carol, channel_id, 'Two')).body).toMatchObject({ code: 'slowmode', status: 429 })
  expect((await set(carol, channel_id, 0)).status).toBe(200)
  expect((await send(carol, channel_id, 'Two')).status).toBe(201)
  live.close()
})

test('if many messages race, slowmode lets one through, and channels count separately', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { channel_id } = await place(alice, bob)
  const other = await place(alice, bob)
  for (const id of [channel_id, other.channel_id]) await set(alice, id, 60)
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => send(bob, channel_id, `${n}`)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(11).fill(429)])
  expect((await send(bob, other.channel_id, 'Here')).status).toBe(201)
})

test('a thread has its own slowmode, and neither applies in the other', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { channel_id } = await place(alice, bob)
  const thread = (await bob.post(`/api/channels/${channel_id}/threads`, { name: 'Owls' })).body.id
  const codes = async (id: number) =>
    [(await send(bob, id, 'One')).body.code, (await send(bob, id, 'Two')).body.code].map((code) => code ?? 'sent')
  await set(alice, channel_id, 60)
  expect(await codes(channel_id)).toEqual(['sent', 'slowmode'])
  expect(await codes(thread)).toEqual(['sent', 'sent'])
  await set(alice, thread, 60)
  expect(await codes(thread)).toEqual(['sent', 'slowmode'])
  await set(alice, channel_id, 0)
  expect(await codes(channel_id)).toEqual(['sent', 'sent'])
})

test('beginning a thread takes a turn of the channel’s slowmode, and waits for one', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { channel_id } = await place(alice, bob)
  const begin = (who: Person, name: string) => who.post(`/api/channels/${channel_id}/threads`, { name })
  await set(alice, channel_id, 60)
  expect((await begin(bob, 'Owls')).status).toBe(201)
  const { status, body } = await begin(bob, 'Kites')
  expect([status, body.code, body.retry_after]).toEqual([429, 'slowmode', expect.any(Number)])
  expect((await send(bob, channel_id, 'Then')).body.code).toBe('slowmode')
  for (const name of ['Terns', 'Gulls']) expect((await begin(alice, name)).status).toBe(201)
})

describe.if(redisProgram !== undefined)('slowmode over several nodes', async () => {
  const redis = await redisServer()
  const [one, two] = await nodesOn(redis)

  test('messages at once through two nodes count together', async () => {
    const [alice, bob] = await passersBy(one, 'alice', 'bob')
    const { channel_id } = await place(alice, bob)
    await set(alice, channel_id, 60)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => send(by(n % 2 ? one : two, bob), channel_id, `${n}`)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(429)])
  })
})
