import { expect, test } from 'bun:test'
import { holds, permissionNames, permissions } from '../../../src/core/permissions.ts'
import { boot, person, standard, stop } from '../../support/harness.ts'
import { deleteAccountOf, peopleWithPassword } from '../../support/people.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'
import { post, webhook } from '../../support/webhooks.ts'
import { until } from '../../support/until.ts'

const parley = await standard()
const [alice, bob, mallory] = [
  await person(parley, 'alice'),
  await passerBy(parley, 'bob'),
  await passerBy(parley, 'mallory'),
]
type Who = typeof bob
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.code]

/** A server with a moderator, bob, and mallory below. */
async function birds() {
  const home = await place(alice, bob, mallory)
  await rank(parley, home.server_id, permissions('moderate_members'), bob)
  const hold = (who: Who, target: Who, held_back: unknown, reason?: string) =>
    who.put(`/api/servers/${home.server_id}/members/${target.id}`, { held_back, reason })
  const send = (who: Who) => who.post(`/api/channels/${home.channel_id}/messages`, { content: 'Hi' })
  return { ...home, hold, send }
}

test('a quarantined member only looks and reads, whatever the roles say, until a moderator lifts it', async () => {
  const { server_id, channel_id, everyone, hold, send } = await birds()
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { allow: permissions('send_messages') })
  const message = (await send(mallory)).body
  await alice.put(`/api/messages/${message.id}/reactions/🎉/@me`)
  const thread = (await mallory.post(`/api/channels/${channel_id}/threads`, { name: 'Terns' })).body
  const live = await connect(alice)
  const { status, body } = await hold(bob, mallory, 'quarantined', 'Sells crypto')
  expect([status, body.held_back]).toEqual([200, 'quarantined'])
  expect((await live.next('member.updated')).d).toMatchObject({ user: { id: mallory.id }, held_back: 'quarantined' })
  live.close()
  expect(codeOf(await send(mallory))).toEqual([403, 'missing_permission'])
  for (const [method, path, draft] of [
    ['put', `/api/messages/${message.id}`, { content: 'Ha' }],
    ['put', `/api/messages/${message.id}/reactions/👍/@me`, undefined],
    // Somebody else's reaction, which needs no permission otherwise.
    ['put', `/api/messages/${message.id}/reactions/🎉/@me`, undefined],
    ['post', `/api/channels/${thread.id}/messages`, { content: 'Hi' }],
    ['put', `/api/channels/${thread.id}`, { name: 'Gulls' }],
    ['delete', `/api/channels/${thread.id}`, undefined],
    ['post', `/api/channels/${channel_id}/threads`, { name: 'Owls' }],
    ['post', '/api/invites', { server_id }],
    ['put', `/api/servers/${server_id}/members/${mallory.id}`, { nickname: 'x' }],
  ] as const)
    expect([path, ...codeOf(await mallory[method](path, draft))]).toEqual([path, 403, 'missing_permission'])
  expect((await mallory.get(`/api/channels/${channel_id}/messages`)).status).toBe(200)
  const { permissions: sum, bits } = (await mallory.get(`/api/channels/${channel_id}/permissions/explain`)).body
  expect(permissionNames.filter((name) => holds(sum, name))).toEqual(['view_channel', 'read_history'])
  expect(bits.find((bit: any) => bit.name === 'connect')).toMatchObject({ allowed: false, because: 'quarantined' })
  expect((await hold(bob, mallory, null)).body.held_back).toBe(null)
  expect((await send(mallory)).status).toBe(201)
  const log = (await alice.get(`/api/servers/${server_id}/audit-log?user_id=${mallory.id}`)).body
  expect(log.map((entry: any) => [entry.action, entry.changes])).toEqual([
    ['member.released', { held_back: { before: 'quarantined', after: null } }],
    [
      'member.quarantined',
      { held_back: { before: null, after: 'quarantined' }, reason: { before: null, after: 'Sells crypto' } },
    ],
  ])
})

test('a quarantine needs moderate_members and a member below, and spares owner, administrators and bots', async () => {
  const { server_id, hold, send } = await birds()
  expect(codeOf(await hold(mallory, bob, 'quarantined'))).toEqual([403, 'missing_permission'])
  expect(codeOf(await hold(bob, alice, 'quarantined'))).toEqual([403, 'forbidden'])
  expect(codeOf(await hold(bob, bob, 'quarantined'))).toEqual([422, 'cannot_target_self'])
  for (const bad of ['pending', 'unverified', 'x', 7, true])
    expect(codeOf(await hold(bob, mallory, bad))).toEqual([422, 'validation_failed'])
  await rank(parley, server_id, permissions('administrator'), mallory)
  expect(codeOf(await hold(alice, mallory, 'quarantined'))).toEqual([403, 'forbidden'])
  expect((await send(mallory)).status).toBe(201)
})

test('an administrator is not held back, and a moderator who is held back moderates nobody', async () => {
  const { server_id, hold, send } = await birds()
  await hold(alice, mallory, 'quarantined')
  await hold(alice, bob, 'quarantined')
  expect(codeOf(await hold(bob, mallory, null))).toEqual([403, 'missing_permission'])
  await rank(parley, server_id, permissions('administrator'), mallory)
  expect((await send(mallory)).status).toBe(201)
})

test('a quarantine outlives leaving and joining again', async () => {
  const { server_id, hold, send } = await birds()
  await hold(bob, mallory, 'quarantined')
  const { body } = await alice.post('/api/invites', { server_id })
  await mallory.delete(`/api/servers/${server_id}/members/@me`)
  const live = await connect(alice)
  expect((await mallory.post(`/api/invites/${body.code}/join`)).status).toBe(201)
  expect((await live.next('member.joined')).d.held_back).toBe('quarantined')
  expect(codeOf(await send(mallory))).toEqual([403, 'missing_permission'])
  await hold(bob, mallory, null)
  await mallory.delete(`/api/servers/${server_id}/members/@me`)
  await mallory.post(`/api/invites/${body.code}/join`)
  expect((await send(mallory)).status).toBe(201)
  live.close()
})

test('sockets of a quarantined member lose what the member may no longer do, and say so at once', async () => {
  const { server_id, channel_id, hold } = await birds()
  const live = await connect(mallory)
  expect((await live.command('typing.start', { channel_id })).error).toBeUndefined()
  await hold(bob, mallory, 'quarantined')
  expect((await live.command('typing.start', { channel_id })).error?.code).toBe('missing_permission')
  live.close()
  const again = await connect(mallory)
  const { me, permissions: sum } = again.of('server.snapshot').find(({ d }) => d.server.id === server_id)!.d
  expect([me.held_back, sum]).toEqual(['quarantined', permissions('view_channel', 'read_history')])
  again.close()
})

test('a member who is held back reaches nobody by the server that they share', async () => {
  const { hold } = await birds()
  const stranger = await passerBy(parley, 'stranger')
  const home = await place(alice, stranger, mallory)
  expect((await stranger.put('/api/auth/privacy', { dms_from: 'servers' })).status).toBe(200)
  const whisper = () => mallory.post('/api/dm/messages', { recipient_id: stranger.id, content: 'Hi' })
  expect((await whisper()).status).toBe(201)
  await alice.put(`/api/servers/${home.server_id}/members/${mallory.id}`, { held_back: 'quarantined' })
  expect(codeOf(await whisper())).toEqual([403, 'cannot_contact'])
  await hold(bob, mallory, null)
})

test('a quarantine ends the calls of a member, and stops the webhooks that the member made', async () => {
  const { server_id, channel_id, hold } = await birds()
  await rank(parley, server_id, permissions('manage_webhooks', 'connect', 'speak'), mallory)
  const { url } = await webhook(mallory, channel_id)
  const voice = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'Call', type: 'voice' })).body.id
  const live = await connect(mallory)
  const join = { channel_id: voice, self_mute: false, self_deaf: false }
  expect((await live.command('voice.join', join)).error).toBeUndefined()
  await hold(alice, mallory, 'quarantined')
  expect((await live.next('voice.disconnected')).d).toMatchObject({ reason: 'access' })
  expect((await live.command('voice.join', join)).error?.code).toBe('missing_permission')
  live.close()
  expect((await post(mallory, url, { content: 'Still here' })).status).toBe(404)
  await hold(alice, mallory, null)
  expect((await post(mallory, url, { content: 'Hello' })).status).toBe(204)
})

test('a quarantine with an end ends by itself, which is announced', async () => {
  const own = await boot()
  const [owner, late] = [await person(own, 'olga'), await passerBy(own, 'late')]
  const { server_id, channel_id } = await place(owner, late)
  const row = { server_id, user_id: late.id, until: new Date(Date.now() - 1000) }
  await own.parts.sql`update members set held_back = 'quarantined' where user_id = ${late.id}`
  const live = await connect(owner)
  await own.parts.sql`insert into quarantines ${own.parts.sql(row)}`
  await Promise.all([live.next('member.updated', (frame) => frame.d.held_back === null), own.sweep()])
  await until(async () => (await own.parts.sql`select 1 from quarantines`).length === 0)
  expect((await late.post(`/api/channels/${channel_id}/messages`, { content: 'Hi' })).status).toBe(201)
  live.close()
  await stop(own)
})

test('a quarantine goes with the account and with the server', async () => {
  const own = await boot()
  const [owner, guest, other] = await peopleWithPassword(own, 'owner', 'guest', 'other')
  const { server_id } = await place(owner, guest, other)
  for (const { id } of [guest, other])
    expect((await owner.put(`/api/servers/${server_id}/members/${id}`, { held_back: 'quarantined' })).status).toBe(200)
  expect((await deleteAccountOf(guest)).status).toBe(204)
  expect((await owner.delete(`/api/servers/${server_id}`)).status).toBe(204)
  expect(await own.parts.sql`select 1 from quarantines`).toHaveLength(0)
  await stop(own)
})
