import { expect, test } from 'bun:test'
import { permissions } from '../src/core/permissions.ts'
import { person, room, say, standard } from './harness.ts'
import { connect } from './socket.ts'

const parley = await standard()
const [alice, bob, carol] = [await person(parley, 'alice'), await person(parley, 'bob'), await person(parley, 'carol')]

test('who loses sight of a channel is told so, and receives nothing more of it; who keeps it does', async () => {
  const { server_id, channel_id } = await room(alice, bob, carol)
  const role = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Seers', color: '#AABBCC' })).body
  const everyone = (await alice.get(`/api/servers/${server_id}/roles`)).body[0]
  expect((await alice.post(`/api/servers/${server_id}/members/${bob.id}/roles/${role.id}`)).status).toBe(200)
  const [live, seer] = [await connect(carol), await connect(bob)]
  const view = permissions('view_channel')
  await alice.put(`/api/channels/${channel_id}/permissions/${role.id}`, { allow: view })
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone.id}`, { deny: view })
  await say(alice, channel_id, 'secret')
  expect((await seer.next('message.created')).d.content).toBe('secret')
  expect((await live.next('channel.deleted')).d).toEqual({ id: channel_id, server_id })
  await live.settled()
  expect(live.of('message.created')).toEqual([])
  expect((await carol.get(`/api/channels/${channel_id}`)).status).toBe(404)
  await alice.delete(`/api/channels/${channel_id}/permissions/${everyone.id}`)
  expect((await live.next('channel.created')).d.id).toBe(channel_id)
  await say(alice, channel_id, 'open')
  expect((await live.next('message.created')).d.content).toBe('open')
  for (const gateway of [live, seer]) gateway.close()
})
