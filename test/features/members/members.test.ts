import { expect, test } from 'bun:test'
import { newServer, say, standard } from '../../support/harness.ts'
import { persons } from '../../support/people.ts'
import { promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, carol, mallory] = await persons(parley, 'alice', 'bob', 'carol', 'mallory')

const idsOf = (rows: { user: { id: number } }[]) => rows.map((row) => row.user.id)
const ascending = (ids: number[]) => ids.toSorted((a, b) => a - b)

test('members are listed by user id, without their username or e-mail address', async () => {
  const { server_id } = await newServer(carol, bob, alice)
  const roleId = await promote(bob, server_id, { bits: ['speak'] })
  const listed = await alice.get(`/api/servers/${server_id}/members`)
  expect(idsOf(listed.body)).toEqual(ascending([alice.id, bob.id, carol.id]))
  const found = listed.body.find((member: any) => member.user.id === bob.id)
  expect(found).toMatchObject({ role_ids: [roleId], user: { display_name: bob.display_name } })
  const listText = JSON.stringify(listed.body)
  for (const who of [alice, bob, carol])
    for (const secret of [who.username, who.email]) expect(listText).not.toInclude(secret)
})

test('members get an event when somebody joins or leaves, with the member count', async () => {
  const { server_id } = await newServer(alice)
  const live = await connect(alice)
  const invite = await alice.post('/api/invites', { server_id })
  const [joins, own] = [`/api/invites/${invite.body.code}/join`, await connect(bob)]
  expect((await bob.post(joins)).body.member_count).toBe(2)
  const joined = await live.next('member.joined', ({ d }) => d.server_id === server_id)
  expect(joined.d).toMatchObject({ member_count: 2, user: { id: bob.id } })
  expect((await own.next('server.created', ({ d }) => d.id === server_id)).d.member_count).toBe(2)
  expect((await own.next('server.snapshot', ({ d }) => d.server.id === server_id)).d.me.user.id).toBe(bob.id)
  expect((await bob.delete(`/api/servers/${server_id}/members/@me`)).status).toBe(204)
  const departure = await live.next('member.left', ({ d }) => d.server_id === server_id)
  expect(departure.d).toEqual({ server_id, user_id: bob.id, member_count: 1 })
  expect((await own.next('server.deleted', ({ d }) => d.id === server_id)).s).toBeUndefined()
  expect((await bob.delete(`/api/servers/${server_id}/members/@me`)).status).toBe(404)
  for (const gateway of [live, own]) gateway.close()
})

test('leaving removes the member’s roles and read marks', async () => {
  const { server_id, channel_id } = await newServer(alice, bob)
  await promote(bob, server_id, { bits: ['administrator'] })
  const { id: message_id } = await say(alice, channel_id, 'Read this')
  const live = await connect(bob)
  await live.command('channel.ack', { channel_id, message_id })
  expect((await bob.delete(`/api/servers/${server_id}/members/@me`)).status).toBe(204)
  expect(await sql`select 1 from read_marks where user_id = ${bob.id} and channel_id = ${channel_id}`).toHaveLength(0)
  const invite = await alice.post('/api/invites', { server_id })
  expect((await bob.post(`/api/invites/${invite.body.code}/join`)).status).toBe(201)
  expect((await bob.delete(`/api/channels/${channel_id}`)).body.code).toBe('missing_permission')
  live.close()
})

test('the owner cannot leave, not even as an administrator of somebody else', async () => {
  const { server_id } = await newServer(alice, bob)
  const refused = await alice.delete(`/api/servers/${server_id}/members/@me`)
  expect([refused.status, refused.body.code]).toEqual([409, 'owner_cannot_leave'])
})

test('a kicked member receives nothing sent after the kick', async () => {
  const { server_id, channel_id } = await newServer(alice, bob, mallory)
  const live = await connect(mallory)
  const other = await connect(bob)
  await say(alice, channel_id, 'All may hear this')
  await live.next('message.created')
  const kick = await alice.delete(`/api/servers/${server_id}/members/${mallory.id}`, { reason: 'Loud at night' })
  expect(kick.status).toBe(204)
  await say(alice, channel_id, 'Without mallory')
  await alice.put(`/api/servers/${server_id}`, { name: 'Without mallory' })
  await alice.post(`/api/servers/${server_id}/channels`, { name: 'without-mallory', type: 'text' })
  await other.next('channel.created')
  await live.settled()
  expect(live.of('message.created')).toHaveLength(1)
  for (const type of ['server.updated', 'channel.created']) expect(live.of(type)).toEqual([])
  const [deletion] = live.of('server.deleted')
  expect(deletion).toEqual({ t: 'server.deleted', d: { id: server_id } })
  const why = await live.next('membership.ended')
  const name = 'Birdwatchers'
  const facts = { server_id, name, cause: 'kicked', reason: 'Loud at night', until: null, appeal_contact: null }
  expect(why.d).toEqual(facts)
  const after = live.frames.slice(live.frames.indexOf(deletion as never) + 1)
  expect(after.filter(({ t }) => t !== 'membership.ended')).toEqual([])
  const { body } = await alice.get(`/api/servers/${server_id}/audit-log`)
  const entry = body.find(({ action }: { action: string }) => action === 'member.kicked')
  const changes = { reason: { before: null, after: 'Loud at night' } }
  expect(entry).toMatchObject({ changes })
  expect(other.of('server.deleted')).toEqual([])
  for (const gateway of [live, other]) gateway.close()
})

test('a member who is kicked while its socket opens receives nothing sent after the kick', async () => {
  for (let round = 0; round < 5; round++) {
    const { server_id, channel_id } = await newServer(alice, mallory)
    const [live, kicked] = await Promise.all([
      connect(mallory),
      Bun.sleep(round * 3).then(() => alice.delete(`/api/servers/${server_id}/members/${mallory.id}`)),
    ])
    expect(kicked.status).toBe(204)
    await say(alice, channel_id, 'Without mallory')
    await live.settled()
    expect(live.of('message.created')).toEqual([])
    const knew = live.of('ready')[0]?.d.servers.some((server: any) => server.id === server_id)
    expect(live.of('server.deleted')).toHaveLength(knew ? 1 : 0)
    live.close()
  }
})

test('a kicked member gets no replay of what it missed', async () => {
  const { server_id, channel_id } = await newServer(alice, mallory)
  const before = await connect(mallory)
  const { s } = (await before.next('synced')).d
  before.close()
  await say(alice, channel_id, 'Sent while mallory was away')
  expect((await alice.delete(`/api/servers/${server_id}/members/${mallory.id}`)).status).toBe(204)
  const after = await connect(mallory, `&s=${s}`)
  expect(after.frames[0]?.d.resumed).toBe(true)
  expect(after.frames[0]?.d.servers.map((server: any) => server.id)).not.toContain(server_id)
  expect(after.of('message.created').filter(({ d }) => d.channel_id === channel_id)).toEqual([])
  after.close()
})

test('a member kicks only members strictly below, never the owner and never themselves', async () => {
  const { server_id } = await newServer(alice, bob, carol, mallory)
  const kick = async (who: typeof bob, target: { id: number }) => {
    const { status, body } = await who.delete(`/api/servers/${server_id}/members/${target.id}`)
    return status === 204 ? 204 : body.code
  }
  expect(await kick(mallory, bob)).toBe('missing_permission')
  await promote(mallory, server_id, { position: 2, bits: ['kick_members'] })
  await promote(bob, server_id, { position: 2 })
  await promote(carol, server_id, { position: 3, bits: ['administrator'] })
  expect(await kick(mallory, alice)).toBe('forbidden')
  expect(await kick(mallory, bob)).toBe('forbidden')
  expect(await kick(mallory, carol)).toBe('forbidden')
  expect(await kick(mallory, mallory)).toBe('cannot_target_self')
  expect(await kick(mallory, { id: Number.MAX_SAFE_INTEGER })).toBe('not_found')
  expect(await kick(carol, alice)).toBe('forbidden')
  expect(await kick(alice, alice)).toBe('cannot_target_self')
  await promote(mallory, server_id, { position: 4 })
  expect(await kick(mallory, carol)).toBe(204)
  expect(await kick(mallory, carol)).toBe('not_found')
  expect(await kick(alice, mallory)).toBe(204)
})

test('a kick of an unknown target answers 404 before the permission is checked', async () => {
  const { server_id, channel_id } = await newServer(alice, bob)
  const statuses = async (user_id: number) => {
    const answers = await Promise.all([
      bob.delete(`/api/servers/${server_id}/members/${user_id}`),
      bob.put(`/api/servers/${server_id}/bans/${user_id}`, {}),
      bob.post(`/api/servers/${server_id}/transfer`, { user_id }),
      bob.get(`/api/channels/${channel_id}/permissions/explain?user_id=${user_id}`),
    ])
    return answers.map((answer) => answer.status)
  }
  expect(await statuses(999_999_999)).toEqual([404, 404, 404, 404])
  expect(await statuses(alice.id)).toEqual([403, 403, 403, 403])
})

test('a permission to kick counts in its own server only', async () => {
  const [mine, other] = [await newServer(mallory, bob), await newServer(alice, bob)]
  expect((await mallory.delete(`/api/servers/${other.server_id}/members/${bob.id}`)).status).toBe(404)
  expect((await mallory.put(`/api/servers/${other.server_id}/bans/${bob.id}`, {})).status).toBe(404)
  expect((await mallory.delete(`/api/servers/${mine.server_id}/members/${alice.id}`)).status).toBe(404)
  expect((await mallory.delete(`/api/servers/${mine.server_id}/members/${bob.id}`)).status).toBe(204)
  expect((await bob.get(`/api/servers/${other.server_id}`)).status).toBe(200)
})

test('after a transfer the new owner has the owner’s rights and the old one does not', async () => {
  const { server_id } = await newServer(alice, bob)
  const [live, path] = [await connect(bob), `/api/servers/${server_id}`]
  const transfer = (from: typeof alice, user_id: number) => from.post(`${path}/transfer`, { user_id })
  expect((await transfer(bob, bob.id)).body.code).toBe('forbidden')
  expect((await transfer(mallory, mallory.id)).status).toBe(404)
  expect((await transfer(alice, alice.id)).body.code).toBe('cannot_target_self')
  expect((await transfer(alice, mallory.id)).status).toBe(404)
  expect((await alice.post(`${path}/transfer`, {})).status).toBe(422)
  const moved = await transfer(alice, bob.id)
  expect([moved.status, moved.body.owner_id]).toEqual([200, bob.id])
  expect((await live.next('server.updated')).d).toEqual(moved.body)
  await bob.post('/api/invites', { server_id })
  await live.next('invite.created')
  expect((await alice.delete(path)).body.code).toBe('forbidden')
  expect((await alice.put(path, { name: 'Mine' })).body.code).toBe('missing_permission')
  expect((await bob.delete(`${path}/members/@me`)).body.code).toBe('owner_cannot_leave')
  expect((await alice.delete(`${path}/members/@me`)).status).toBe(204)
  expect((await bob.delete(path)).status).toBe(204)
  live.close()
})

test('a transfer racing the departure of the new owner never leaves a server without its owner in it', async () => {
  for (let round = 0; round < 5; round++) {
    const { server_id } = await newServer(alice, bob)
    const [transfer, departure] = await Promise.all([
      alice.post(`/api/servers/${server_id}/transfer`, { user_id: bob.id }),
      bob.delete(`/api/servers/${server_id}/members/@me`),
    ])
    expect([transfer.status, departure.status]).toEqual(transfer.status === 200 ? [200, 409] : [404, 204])
    const inside = await sql`select 1 from servers s join members m on m.server_id = s.id and m.user_id = s.owner_id
      where s.id = ${server_id}`
    expect(inside).toHaveLength(1)
  }
})
