import { expect, test } from 'bun:test'
import { person, room, standard } from './harness.ts'
import { connect } from './socket.ts'

const parley = await standard()

test('a channel reaches the other members as it is created, changed and deleted', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id } = await room(alice, bob)
  const live = await connect(bob)
  const created = await alice.post(`/api/servers/${server_id}/channels`, { name: 'field-notes', type: 'text' })
  expect(created.status).toBe(201)
  expect((await live.next('channel.created')).d).toEqual(created.body)
  const updated = await alice.put(`/api/channels/${created.body.id}`, { topic: 'What we saw' })
  expect(updated.body.topic).toBe('What we saw')
  expect((await live.next('channel.updated')).d).toEqual(updated.body)
  expect((await alice.delete(`/api/channels/${created.body.id}`)).status).toBe(204)
  expect((await live.next('channel.deleted')).d).toEqual({ id: created.body.id, server_id })
  live.close()
})
