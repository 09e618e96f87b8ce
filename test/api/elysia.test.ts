import { expect, test } from 'bun:test'
import { z } from 'zod'
import { openElysia } from '../../src/api/elysia.ts'
import { newServer, type Person, say, standard } from '../support/harness.ts'
import { passersBy } from '../support/people.ts'

const parley = await standard()
const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
const { server_id, channel_id } = await newServer(alice, bob)

test('a text in a query is taken as it was sent, with commas and brackets', async () => {
  await say(alice, channel_id, 'Hello, world: {"a":1} or [1,2]')
  await parley.sweep()
  for (const q of ['hello, world', '"hello, world"', 'hello,world', '{"a":1}', '[1,2]', '[1]', '{}, hello', 'hello,']) {
    const answer = await bob.get(`/api/search?q=${encodeURIComponent(q)}&server_id=${server_id}`)
    expect({ q, ...answer }).toMatchObject({ q, status: 200, body: { messages: [{ channel_id }] } })
  }
  const members = (q: string) => alice.get(`/api/servers/${server_id}/members?q=${encodeURIComponent(q)}`)
  expect(await members('bob,')).toMatchObject({ status: 200, body: [] })
  expect((await alice.get('/api/users/search?q=bob%2C%20alice')).status).toBe(200)
})

test('a parameter that is sent twice is refused where one is expected, and a list takes both forms', async () => {
  for (const query of [
    'q=hello&q=world',
    'q=hello%2C%20you&q=world',
    'q=hello&server_id=1%2C2',
    'q=hello&server_id=%5B1%5D',
  ]) {
    const { status, body } = await bob.get(`/api/search?${query}`)
    expect([query, status, body.code]).toEqual([query, 422, 'validation_failed'])
  }
  for (const ids of [
    `ids=${alice.id},${bob.id}`,
    `ids=${alice.id}&ids=${bob.id}`,
    `ids=${alice.id}%2C${bob.id}`,
    `ids=${alice.id},${bob.id}&ids=${bob.id}`,
  ]) {
    const answer = await bob.get(`/api/servers/${server_id}/members?${ids}`)
    const found = answer.body.map(({ user }: { user: { id: number } }) => user.id)
    expect([ids, found.toSorted()]).toEqual([ids, [alice.id, bob.id].toSorted()])
  }
  const { id: second } = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'second', type: 'text' })).body
  for (const ids of [
    `channel_ids=${channel_id},${second}`,
    `channel_ids=${channel_id}&channel_ids=${second}`,
    `channel_ids=${channel_id},${second}&channel_ids=${second}`,
  ]) {
    const { body } = await bob.get(`/api/unread?${ids}`)
    expect([ids, body.length]).toEqual([ids, 2])
  }
  for (const ids of ['ids=', 'ids=a', `ids=${Array(101).fill(1).join()}`, `ids=${alice.id},,${bob.id}`])
    expect((await bob.get(`/api/servers/${server_id}/members?${ids}`)).status).toBe(422)
})

test('a query of any number of parameters is read in one pass', async () => {
  const app = openElysia().get('/texts', ({ query }) => query, { query: z.object({ q: z.string() }) })
  // To compare each name with every other one would take minutes.
  const names = Array.from({ length: 200_000 }, (_, nth) => `n${nth}=,`).join('&')
  const answer = await app.handle(new Request(`http://parley/texts?${names}&q=1,2`))
  expect(await answer.json()).toEqual({ q: '1,2' })
})
