import { expect, test } from 'bun:test'
import { type Person, newServer, standard } from '../../support/harness.ts'
import { befriend, passersBy, write } from '../../support/people.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
const nothing = { level: null, muted_until: null, suppress_everyone: null, listed: null }

test('settings of a server, a channel and a dm reach every device of the account, and nobody else', async () => {
  const { server_id, channel_id } = await newServer(alice, bob)
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
  const storedSettings = (await bob.get('/api/notifications')).body
  expect(storedSettings.toSorted((a: any, b: any) => (a.server_id ?? 0) - (b.server_id ?? 0))).toEqual(settings)
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

test('an invalid setting is refused, and so is a place that the account does not see', async () => {
  const { server_id, channel_id } = await newServer(alice)
  for (const place of [`servers/${server_id}`, `channels/${channel_id}`, 'servers/999999', 'channels/999999']) {
    expect((await bob.put(`/api/notifications/${place}`, { level: 'all' })).status).toBe(404)
    expect((await bob.delete(`/api/notifications/${place}`)).status).toBe(404)
  }
  for (const body of [{}, { level: 'loud' }, { muted_until: 'tomorrow' }, { suppress_everyone: 1 }, { other: 1 }])
    expect((await alice.put(`/api/notifications/servers/${server_id}`, body)).status).toBe(422)
})

test('a place is muted until a time of any ISO 8601 form, which answers and events bring in one form', async () => {
  const { channel_id } = await newServer(alice)
  const mute = (muted_until: string) => alice.put(`/api/notifications/channels/${channel_id}`, { muted_until })
  for (const [input, stored] of [
    ['2999-01-01T00:00:00Z', '2999-01-01T00:00:00.000Z'],
    ['2999-01-01T00:00:00.123456Z', '2999-01-01T00:00:00.123Z'],
    ['2999-01-01T02:00:00+02:00', '2999-01-01T00:00:00.000Z'],
  ] as const)
    expect((await mute(input)).body.muted_until).toBe(stored)
  // PostgreSQL knows no year 0, and an offset can lead beyond the last one.
  for (const input of ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59-01:00', '2999-02-30T00:00:00Z', '2999-01-01'])
    expect([input, (await mute(input)).status]).toEqual([input, 422])
})

test('settings end with the membership, the channel and the server', async () => {
  const { server_id, channel_id } = await newServer(alice, bob)
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

test('a server’s default applies to members who have set nothing', async () => {
  const { server_id } = await newServer(alice, bob)
  expect((await bob.get(`/api/servers/${server_id}`)).body.default_notifications).toBe('mentions')
  const changed = await alice.put(`/api/servers/${server_id}`, { default_notifications: 'all' })
  expect(changed.body.default_notifications).toBe('all')
  expect((await bob.put(`/api/servers/${server_id}`, { default_notifications: 'all' })).status).toBe(403)
})

test('an account has settings for a thousand places at most, and changes those that it has', async () => {
  const { sql } = parley.parts
  const [carol] = await passersBy(parley, 'carol')
  const { server_id, channel_id } = await newServer(carol)
  await carol.put(`/api/notifications/servers/${server_id}`, { level: 'all' })
  await sql`with more as (insert into channels (server_id, parent_id, name, type, position, owner_id, active_at,
      archive_after_seconds) select ${server_id}, ${channel_id}, 'thread ' || n, 'thread', 0, ${carol.id}, now(), 3600
      from generate_series(1, 999) n returning id)
    insert into notification_settings (user_id, server_id, channel_id, level)
    select ${carol.id}, ${server_id}, id, 'all' from more`
  const refused = await carol.put(`/api/notifications/channels/${channel_id}`, { level: 'all' })
  expect([refused.status, refused.body.code]).toEqual([409, 'too_many_settings'])
  expect((await carol.put(`/api/notifications/servers/${server_id}`, { level: 'nothing' })).status).toBe(200)
  expect((await carol.get('/api/notifications')).body).toHaveLength(1_000)
})

test('the mark of an archived thread is not sent in `ready`, and comes back with the thread', async () => {
  const [erin] = await passersBy(parley, 'erin')
  const { channel_id } = await newServer(erin)
  const thread: number = (await erin.post(`/api/channels/${channel_id}/threads`, { name: 'Owls' })).body.id
  const { id: message_id } = (await erin.post(`/api/channels/${thread}/messages`, { content: 'Hello' })).body
  const marks = async () => {
    const live = await connect(erin)
    live.close()
    return live.frames[0]?.d.read_marks.filter((mark: any) => mark.channel_id === thread)
  }
  const live = await connect(erin)
  await live.command('channel.ack', { channel_id: thread, message_id })
  live.close()
  expect(await marks()).toEqual([{ channel_id: thread, message_id }])
  for (const archived of [true, false]) {
    await erin.put(`/api/channels/${thread}`, { archived })
    expect(await marks()).toEqual(archived ? [] : [{ channel_id: thread, message_id }])
  }
})
