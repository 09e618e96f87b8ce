import { expect, test } from 'bun:test'
import { type Person, room, standard } from '../../support/harness.ts'
import { befriend, passersBy, write } from '../../support/people.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
const nothing = { level: null, muted_until: null, suppress_everyone: null }

test('what is set for a server, a channel and a dm reaches every own device, and nobody else', async () => {
  const { server_id, channel_id } = await room(alice, bob)
  await befriend(alice, bob)
  const dm: number = (await write(alice, bob, 'Hello')).channel_id
  const [phone, other] = [await connect(bob), await connect(alice)]
  const muted_until = '2999-01-01T00:00:00.000Z'
  const set = (place: string, body: object) => bob.put(`/api/notifications/${place}`, body)
  const settings = [
    { server_id: null, channel_id: dm, ...nothing, level: 'nothing' },
    { server_id, channel_id: null, ...nothing, level: 'all', suppress_everyone: true },
    { server_id, channel_id, ...nothing, level: 'mentions', muted_until },
  ]
  expect((await set(`channels/${dm}`, { level: 'nothing' })).body).toEqual(settings[0])
  await set(`servers/${server_id}`, { level: 'all' })
  expect((await set(`servers/${server_id}`, { suppress_everyone: true })).body).toEqual(settings[1])
  expect((await set(`channels/${channel_id}`, { level: 'mentions', muted_until })).body).toEqual(settings[2])
  const shown = (await bob.get('/api/notifications')).body
  expect(shown.toSorted((a: any, b: any) => (a.server_id ?? 0) - (b.server_id ?? 0))).toEqual(settings)
  const fresh = await connect(bob)
  expect(fresh.frames[0]?.d.notifications).toEqual(expect.arrayContaining(settings))
  expect((await bob.delete(`/api/notifications/channels/${channel_id}`)).status).toBe(204)
  expect((await bob.delete(`/api/notifications/channels/${channel_id}`)).status).toBe(204)
  await phone.next('notifications.updated', ({ d }) => Bun.deepEquals(d, { server_id, channel_id, ...nothing }))
  for (const live of [phone, other]) await live.settled()
  expect([phone, other].map((live) => live.of('notifications.updated').length)).toEqual([5, 0])
  expect((await bob.get('/api/notifications')).body).toHaveLength(2)
  for (const live of [phone, other, fresh]) live.close()
})

test('what is no setting is refused, and so is a place that one does not see', async () => {
  const { server_id, channel_id } = await room(alice)
  for (const place of [`servers/${server_id}`, `channels/${channel_id}`, 'servers/999999', 'channels/999999']) {
    expect((await bob.put(`/api/notifications/${place}`, { level: 'all' })).status).toBe(404)
    expect((await bob.delete(`/api/notifications/${place}`)).status).toBe(404)
  }
  for (const body of [{}, { level: 'loud' }, { muted_until: 'tomorrow' }, { suppress_everyone: 1 }, { other: 1 }])
    expect((await alice.put(`/api/notifications/servers/${server_id}`, body)).status).toBe(422)
})

test('settings end with the membership, the channel and the server', async () => {
  const { server_id, channel_id } = await room(alice, bob)
  const extra = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'far', type: 'text' })).body.id
  const mine = async (who: Person) =>
    (await who.get('/api/notifications')).body.filter((row: any) => row.server_id === server_id)
  for (const who of [alice, bob])
    for (const place of [`servers/${server_id}`, `channels/${channel_id}`, `channels/${extra}`])
      await who.put(`/api/notifications/${place}`, { level: 'nothing' })
  await alice.delete(`/api/channels/${extra}`)
  expect(await mine(bob)).toHaveLength(2)
  await bob.delete(`/api/servers/${server_id}/members/@me`)
  expect(await mine(bob)).toEqual([])
  expect(await mine(alice)).toHaveLength(2)
})

test('a server says of what its members are told who have set nothing', async () => {
  const { server_id } = await room(alice, bob)
  expect((await bob.get(`/api/servers/${server_id}`)).body.default_notifications).toBe('mentions')
  const changed = await alice.put(`/api/servers/${server_id}`, { default_notifications: 'all' })
  expect(changed.body.default_notifications).toBe('all')
  expect((await bob.put(`/api/servers/${server_id}`, { default_notifications: 'all' })).status).toBe(403)
})
