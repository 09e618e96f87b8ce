import { expect, test } from 'bun:test'
import { type Person, say, standard } from '../support/harness.ts'
import { passersBy } from '../support/people.ts'
import { place } from '../support/places.ts'
import { connect, newestS } from '../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const people = await passersBy(parley, ...Array.from({ length: 40 }, (_, n) => `bird${n}`))
const [alice] = people as [Person]

test('a storm of reactions reaches sockets merged, ends with the last state, and the log has every one', async () => {
  const { channel_id } = await place(alice, ...people.slice(1))
  const [{ id }, other] = [await say(alice, channel_id, 'Storm'), await say(alice, channel_id, 'Calm')]
  const live = await connect(alice)
  const s = newestS(live)
  const began = Date.now()
  await Promise.all(people.map((who) => who.put(`/api/messages/${id}/reactions/👍/@me`)))
  await alice.put(`/api/messages/${other.id}/reactions/👍/@me`)
  await live.next('message.reactions', ({ d }) => d.id === id && d.reactions[0].count === people.length)
  const frames = live.of('message.reactions').filter(({ d }) => d.id === id)
  // The first comes at once, then at most one each quarter of a second.
  expect(frames.length).toBeLessThanOrEqual(2 + (Date.now() - began) / 250)
  expect(frames.length).toBeLessThan(people.length)
  expect(frames.map((frame) => frame.s)).toEqual(frames.map((frame) => frame.s).toSorted((a, b) => (a ?? 0) - (b ?? 0)))
  const logged = await sql`select 1 from events where resource = ${`reactions:${id}`}`
  expect(logged).toHaveLength(people.length)
  const resumed = await connect(alice, `&s=${s}`)
  const replayed = resumed.of('message.reactions').filter(({ d }) => d.id === id)
  expect(replayed.map(({ d }) => d.reactions[0].count)).toEqual([people.length])
  for (const gateway of [live, resumed]) gateway.close()
})

test('nothing of a message’s reactions comes after its deletion', async () => {
  const { channel_id } = await place(alice, ...people.slice(1))
  const { id } = await say(alice, channel_id, 'Gone soon')
  const live = await connect(alice)
  await Promise.all(people.slice(0, 5).map((who) => who.put(`/api/messages/${id}/reactions/👍/@me`)))
  await alice.delete(`/api/messages/${id}`)
  await live.next('message.deleted')
  await Bun.sleep(600)
  await live.settled()
  const types = live.frames.flatMap(({ t, d }) => (d.id === id ? [t] : []))
  expect(types.at(-1)).toBe('message.deleted')
  live.close()
})

test('nothing of the reactions of messages comes after a moderator has deleted them together', async () => {
  const [owner, ...members] = people.slice(0, 7) as [Person, ...Person[]]
  const [eve] = members as [Person]
  const { server_id, channel_id } = await place(owner, ...members)
  const { id } = await say(eve, channel_id, 'Gone soon')
  const live = await connect(owner)
  await Promise.all(members.map((who) => who.put(`/api/messages/${id}/reactions/👍/@me`)))
  const timeout = { timed_out_until: new Date(Date.now() + 3_600_000).toISOString(), delete_messages_hours: 1 }
  await owner.put(`/api/servers/${server_id}/members/${eve.id}`, timeout)
  await parley.sweep()
  await live.next('channel.pruned_by')
  await Bun.sleep(600)
  await live.settled()
  const types = live.frames.flatMap(({ t, d }) => (t === 'channel.pruned_by' || d.id === id ? [t] : []))
  expect(types.at(-1)).toBe('channel.pruned_by')
  live.close()
})
