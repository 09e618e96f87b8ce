import { afterAll, expect, test } from 'bun:test'
import { boot, PASSWORD, type Person, newServer, say, stop, until } from '../../support/harness.ts'
import { befriend, deleteAccountOf, passersBy, peopleWithPassword, write } from '../../support/people.ts'
import { settled, subscribe } from '../../support/push-devices.ts'
import { PushService } from '../../support/push-service.ts'
import { connect, type Gateway } from '../../support/socket.ts'
import { inVoice } from '../../support/voice-people.ts'

const parley = await boot({ PUSH_ALLOWED_ADDRESSES: '127.0.0.1' })
const { sql } = parley.parts
const service = new PushService()
afterAll(async () => {
  await stop(parley)
  service.close()
})

const OWN = { status: 'online', text: null, emoji: null, until: null }
const choose = async (who: Person, own: object) => {
  const { status, body } = await who.put('/api/auth/status', own)
  expect(status).toBe(200)
  return body
}
const presencesOf = (live: Gateway, { id }: Person) =>
  live.of('presence.updated').flatMap(({ d }) => d.users.filter((user: any) => user.user_id === id))
const listed = async (who: Person, server_id: number, { id }: Person): Promise<string> => {
  const { body } = await who.get(`/api/servers/${server_id}/members`)
  return body.find((member: any) => member.user.id === id).status
}
/** Everything of a connection that names the account, its snapshot of members apart. */
const namings = (live: Gateway, { id }: Person) =>
  live.frames.filter(({ t, d }) => /presence|typing/.test(t) && JSON.stringify(d).includes(`:${id}`))

test('a status, its text and its emoji reach those who see presence, at once and in `ready`', async () => {
  const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')
  await newServer(alice, bob)
  const [watcher, stranger, his] = [await connect(alice), await connect(mallory), await connect(bob)]
  expect(his.of('ready')[0]?.d.status).toEqual(OWN)
  expect((await bob.get('/api/auth/status')).body).toEqual(OWN)
  await until(() => presencesOf(watcher, bob).length === 1)
  const own = await choose(bob, { status: 'dnd', text: 'In a meeting', emoji: '☕' })
  expect(own).toEqual({ ...OWN, status: 'dnd', text: 'In a meeting', emoji: '☕' })
  expect((await his.next('status.updated')).d).toEqual(own)
  const presence = { user_id: bob.id, status: 'dnd', text: 'In a meeting', emoji: '☕' }
  await until(() => presencesOf(watcher, bob).length === 2)
  expect(presencesOf(watcher, bob)).toEqual([{ user_id: bob.id, status: 'online' }, presence])
  const fresh = await connect(alice)
  expect(fresh.of('ready')[0]?.d.presences).toContainEqual(presence)
  const again = await connect(bob)
  expect(again.of('ready')[0]?.d.status).toEqual(own)
  expect((await bob.get('/api/auth/status')).body).toEqual(own)
  expect(namings(stranger, bob)).toEqual([])
  expect(watcher.of('status.updated')).toEqual([])
  for (const live of [watcher, stranger, his, fresh, again]) live.close()
})

test('nothing shows that an invisible account is there: no list, count, preview, event or typing', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await newServer(alice, bob)
  await befriend(alice, bob)
  const dm = await write(bob, alice, 'Hello')
  const { code } = (await alice.post('/api/invites', { server_id })).body
  const online = async () => (await alice.get(`/api/invites/${code}`)).body.online_count
  const watcher = await connect(alice)
  const his = await connect(bob)
  await until(() => presencesOf(watcher, bob).at(-1)?.status === 'online')
  expect([await listed(alice, server_id, bob), await online()]).toEqual(['online', 2])
  await choose(bob, { status: 'invisible', text: 'Do not look' })
  expect([await listed(alice, server_id, bob), await online()]).toEqual(['offline', 1])
  const isOffline = ({ status }: { status: string }) => status === 'offline'
  await until(() => presencesOf(watcher, bob).some(isOffline))
  // Also what the devices say, another socket, and a server that is joined now.
  const more = await connect(bob)
  expect(more.of('ready')[0]?.d.status).toMatchObject({ status: 'invisible', text: 'Do not look' })
  expect(more.of('ready')[0]?.d.presences).not.toContainEqual(expect.objectContaining({ user_id: bob.id }))
  expect(more.of('server.snapshot')[0]?.d.me.status).toBe('offline')
  await his.command('presence.set', { status: 'idle' })
  await his.command('presence.set', { status: 'online' })
  for (const d of [{ channel_id }, { user_id: alice.id }, { channel_id: dm.channel_id }])
    expect((await his.command('typing.start', d)).d).toEqual({})
  expect((await his.command('typing.start', { channel_id: 1 })).error.code).toBe('not_found')
  await newServer(alice, bob)
  await bob.delete(`/api/friends/${alice.id}`)
  await befriend(alice, bob)
  const fresh = await connect(alice)
  expect(fresh.of('ready')[0]?.d.presences).toEqual([{ user_id: alice.id, status: 'online' }])
  await Bun.sleep(2_500)
  await watcher.settled()
  expect(watcher.of('typing.started')).toEqual([])
  const seen = new Set(
    presencesOf(watcher, bob)
      .filter((_, at, all) => at >= all.findIndex(isOffline))
      .map((presence) => JSON.stringify(presence)),
  )
  expect([...seen]).toEqual([JSON.stringify({ user_id: bob.id, status: 'offline' })])
  const everything = JSON.stringify([watcher, fresh].map(({ frames }) => frames))
  expect(everything).not.toContain('invisible')
  expect(everything).not.toContain('Do not look')
  await choose(bob, { status: 'online' })
  await his.command('typing.start', { channel_id })
  await watcher.next('typing.started')
  await until(() => presencesOf(watcher, bob).at(-1)?.status === 'online')
  for (const live of [watcher, his, more, fresh]) live.close()
})

test('an account that connects while it is invisible is never announced', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id } = await newServer(alice, bob)
  await choose(bob, { status: 'invisible' })
  const watcher = await connect(alice)
  const sockets = await Promise.all([connect(bob), connect(bob), connect(bob)])
  await Bun.sleep(2_500)
  await watcher.settled()
  expect(presencesOf(watcher, bob)).toEqual([])
  expect(await listed(alice, server_id, bob)).toBe('offline')
  for (const live of [watcher, ...sockets]) live.close()
})

test('an invisible account is seen in a call, and @here notifies neither it nor one not to be disturbed', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await newServer(alice, bob)
  const phone = await subscribe(service, bob)
  const his = await connect(bob)
  const notify = async (content: string) => {
    const before = phone.taken.length
    await say(alice, channel_id, content)
    await settled(parley)
    return phone.texts().slice(before)
  }
  expect(await notify('@here one')).toEqual(['@here one'])
  await choose(bob, { status: 'invisible' })
  expect(await notify('@here two')).toEqual([])
  expect(await notify(`<@${bob.id}> three`)).toEqual(['@bob three'])
  await choose(bob, { status: 'dnd' })
  expect(await notify('@here four')).toEqual([])
  expect(await notify(`<@${bob.id}> five`)).toEqual([])
  await choose(bob, { status: 'idle' })
  expect(await notify(`<@${bob.id}> six`)).toEqual(['@bob six'])

  await choose(bob, { status: 'invisible' })
  const voice = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'Talk', type: 'voice' })).body.id
  const watcher = await connect(alice)
  const seat = await inVoice(bob, voice)
  await watcher.next('voice.state_updated', ({ d }) => d.user.id === bob.id)
  expect(await listed(alice, server_id, bob)).toBe('offline')
  for (const live of [his, watcher, seat.gateway]) live.close()
})

test('while an account is not to be disturbed, only calls of the friends that it chose ring', async () => {
  const [alice, bob, carol, dave] = await passersBy(parley, 'alice', 'bob', 'carol', 'dave')
  for (const friend of [alice, carol]) await befriend(friend, bob)
  const [phone, his] = [await subscribe(service, bob), await connect(bob)]
  const callers = (...user_ids: number[]) => bob.put('/api/auth/status/callers', { user_ids })
  const silenceOf = async (friend: Person): Promise<boolean> => {
    const channel_id = (await friend.post('/api/channels/direct', { recipient_ids: [bob.id] })).body.id
    await sql`update calls set rung_at = rung_at - interval '31 seconds' where channel_id = ${channel_id}`
    // The notice may come before the event.
    const [before, pushed] = [his.of('call.ringing').length, phone.taken.length]
    const seat = await inVoice(friend, channel_id)
    await until(() => his.of('call.ringing').length > before)
    const fresh = await connect(bob)
    const silent: boolean = his.of('call.ringing').at(-1)?.d.silent
    expect(fresh.of('ready')[0]?.d.ringing).toMatchObject([{ channel_id, silent }])
    await settled(parley)
    expect(phone.taken.length > pushed).toBe(!silent)
    await seat.gateway.command('voice.leave')
    await his.next('call.ended')
    for (const live of [seat.gateway, fresh]) live.close()
    await settled(parley)
    return silent
  }
  expect((await callers(alice.id, alice.id)).body).toEqual({ user_ids: [alice.id] })
  for (const stranger of [dave, bob]) expect((await callers(carol.id, stranger.id)).body.code).toBe('validation_failed')
  expect((await callers(...Array.from({ length: 51 }, () => alice.id))).body.code).toBe('validation_failed')
  expect((await bob.get('/api/auth/status/callers')).body).toEqual({ user_ids: [alice.id] })
  expect(await silenceOf(carol)).toBeFalse()
  await choose(bob, { status: 'dnd' })
  expect([await silenceOf(carol), await silenceOf(alice)]).toEqual([true, false])
  // A former friend has to be chosen again.
  await alice.delete(`/api/friends/${bob.id}`)
  await befriend(bob, alice)
  expect((await bob.get('/api/auth/status/callers')).body).toEqual({ user_ids: [] })
  his.close()
})

test('a status ends at its time, by itself, and its account and the others hear of it', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  await newServer(alice, bob)
  const [watcher, his] = [await connect(alice), await connect(bob)]
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const own = await choose(bob, { status: 'dnd', text: 'Lunch', emoji: '🍜', until: inAnHour })
  expect(own.until).toBe(inAnHour)
  await until(() => presencesOf(watcher, bob).at(-1)?.text === 'Lunch')
  await sql`update users set status_until = now() where id = ${bob.id}`
  await parley.sweep()
  await his.next('status.updated', ({ d }) => d.status === 'online')
  expect(his.of('status.updated').at(-1)?.d).toEqual(OWN)
  await until(() => presencesOf(watcher, bob).at(-1)?.status === 'online')
  expect(presencesOf(watcher, bob).at(-1)).toEqual({ user_id: bob.id, status: 'online' })
  expect((await bob.get('/api/auth/status')).body).toEqual(OWN)
  for (const live of [watcher, his]) live.close()
})

test('a bad status changes nothing, and six changes within a minute are too many', async () => {
  const strict = await boot({ RATE_LIMITS: 'on' })
  const [bob] = await passersBy(strict, 'bob')
  for (const body of [
    {},
    { status: 'offline' },
    { status: 'online', text: '' },
    { status: 'online', text: ' ' },
    { status: 'online', text: 'x'.repeat(129) },
    { status: 'online', text: 'two\nlines' },
    { status: 'online', emoji: 'x' },
    { status: 'online', emoji: '☕☕' },
    { status: 'online', emoji: 'parrot:1' },
    { status: 'online', until: '2020-01-01T00:00:00Z' },
    { status: 'online', until: 'soon' },
    { status: 'online', more: 1 },
  ])
    expect((await bob.put('/api/auth/status', body)).body.code).toBe('validation_failed')
  expect((await bob.get('/api/auth/status')).body).toEqual(OWN)
  // Characters that reorder text are removed.
  expect(await choose(bob, { status: 'idle', text: '\u202eabc', emoji: '❤' })).toEqual({
    ...OWN,
    status: 'idle',
    text: 'abc',
    emoji: '❤️',
  })
  for (let n = 0; n < 4; n++) await choose(bob, { status: 'online', text: 'x'.repeat(128) })
  const refusal = await bob.put('/api/auth/status', { status: 'dnd' })
  expect([refusal.status, refusal.body.code]).toEqual([429, 'rate_limited'])
  expect((await bob.get('/api/auth/status')).body.status).toBe('online')
  await stop(strict)
})

test('an export has the chosen status, and a deleted account keeps nothing of it', async () => {
  const [alice, bob] = await peopleWithPassword(parley, 'alice', 'bob')
  await befriend(alice, bob)
  expect((await bob.post('/api/auth/proof', { password: PASSWORD })).status).toBe(200)
  const exported = async () => (await bob.get('/api/auth/export')).body.account
  expect(await exported()).toMatchObject({ status: null, dnd_caller_ids: [] })
  const end = new Date(Date.now() + 3_600_000).toISOString()
  const own = await choose(bob, { status: 'invisible', text: 'Writing', emoji: '✍️', until: end })
  await bob.put('/api/auth/status/callers', { user_ids: [alice.id] })
  expect(await exported()).toMatchObject({ status: own, dnd_caller_ids: [alice.id] })
  expect((await deleteAccountOf(bob)).status).toBe(204)
  const [row] = await sql`select num_nonnulls(own_status, status_text, status_emoji, status_until, status_set_at) as n,
    (select count(*) from dnd_callers) as callers from users where id = ${bob.id}`
  expect(row).toMatchObject({ n: 0, callers: 0 })
})
