import { expect, test } from 'bun:test'
import { LogWitness } from '../../src/events/log-witness.ts'
import { boot, person, newServer, say, stop } from '../support/harness.ts'

test('a witness finds the log whole until an event that it has seen is gone or is another one', async () => {
  const parley = await boot()
  const { sql, bus } = parley.parts
  const witness = new LogWitness()
  bus.onFrame(witness.note)
  expect(await witness.isWhole(sql)).toBe(true)
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await newServer(alice, bob)
  const first = await say(alice, channel_id, 'First')
  await say(bob, channel_id, 'Second')
  expect((await alice.put(`/api/messages/${first.id}`, { content: 'First, changed' })).status).toBe(200)
  expect(await witness.isWhole(sql)).toBe(true)
  // A deletion empties the events of the message.
  expect((await alice.delete(`/api/messages/${first.id}`)).status).toBe(204)
  expect(await witness.isWhole(sql)).toBe(true)
  const [event] = await sql<{ id: number; body: string }[]>`
    select id, body::text as body from events where body is not null order by id desc limit 1`
  const { id = 0, body = '' } = event ?? {}
  await sql`update events set body = '{"id": 1}' where id = ${id}`
  expect(await witness.isWhole(sql)).toBe(false)
  await sql`update events set body = ${body}::text::json where id = ${id}`
  expect(await witness.isWhole(sql)).toBe(true)
  await sql`delete from events where id = ${id}`
  expect(await witness.isWhole(sql)).toBe(false)
  await stop(parley)
})

test('a witness remembers the last 1,024 events, whichever of them repeat', async () => {
  const parley = await boot()
  const witness = new LogWitness()
  witness.note({ s: 1, text: 'There is no such event' })
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  parley.parts.bus.onFrame((frame) => {
    for (let n = 0; n < 1_024; n++) witness.note(frame)
  })
  expect(await witness.isWhole(parley.parts.sql)).toBe(false)
  await say(alice, channel_id, 'Later')
  expect(await witness.isWhole(parley.parts.sql)).toBe(true)
  await stop(parley)
})
