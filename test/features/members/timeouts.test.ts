import { expect, test } from 'bun:test'
import { holds, permissionNames, permissions } from '../../../src/core/permissions.ts'
import { boot, person, say, standard, stop } from '../../support/harness.ts'
import { deleteAccountOf, peopleWithPassword } from '../../support/people.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { race } from '../../support/races.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = [
  await person(parley, 'alice'),
  await passerBy(parley, 'bob'),
  await passerBy(parley, 'mallory'),
]
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.code]
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const DAY = 86_400_000

/** A server with a moderator, bob, and mallory below. */
async function birds(bits = permissions('moderate_members')) {
  const home = await place(alice, bob, mallory)
  const role = await rank(parley, home.server_id, bits, bob)
  const out = (who: typeof bob, target: typeof bob, timed_out_until: unknown) =>
    who.put(`/api/servers/${home.server_id}/members/${target.id}`, { timed_out_until })
  const send = (who: typeof bob) => who.post(`/api/channels/${home.channel_id}/messages`, { content: 'Hi' })
  return { ...home, role, out, send }
}

test('a timed-out member sees, reads and may connect, and nothing else, in every channel', async () => {
  const { server_id, channel_id, everyone, out, send } = await birds()
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { allow: permissions('send_messages') })
  const message = (await send(mallory)).body
  const { status, body } = await out(bob, mallory, inMs(DAY))
  expect([status, body.user.id, body.timed_out_until]).toEqual([200, mallory.id, expect.any(String)])
  expect(codeOf(await send(mallory))).toEqual([403, 'missing_permission'])
  const edit = await mallory.put(`/api/messages/${message.id}`, { content: 'Ha' })
  expect(codeOf(edit)).toEqual([403, 'missing_permission'])
  expect((await mallory.get(`/api/channels/${channel_id}/messages`)).status).toBe(200)
  const nickname = await mallory.put(`/api/servers/${server_id}/members/${mallory.id}`, { nickname: 'x' })
  expect(codeOf(nickname)).toEqual([403, 'missing_permission'])
  const { permissions: sum, bits } = (await mallory.get(`/api/channels/${channel_id}/permissions/explain`)).body
  expect(permissionNames.filter((name) => holds(sum, name))).toEqual(['view_channel', 'read_history', 'connect'])
  expect(bits.find((bit: any) => bit.name === 'send_messages')).toMatchObject({ allowed: false, because: 'timed_out' })
  expect((await out(bob, mallory, null)).body.timed_out_until).toBe(null)
  expect((await send(mallory)).status).toBe(201)
  const log = (await alice.get(`/api/servers/${server_id}/audit-log?limit=2`)).body
  expect(log.map((entry: any) => [entry.action, entry.target_id])).toEqual(
    Array(2).fill(['member.timed_out', mallory.id]),
  )
})

test('a timeout needs moderate_members and a member below, and spares the owner and administrators', async () => {
  const { server_id, out, send } = await birds()
  expect(codeOf(await out(mallory, bob, inMs(DAY)))).toEqual([403, 'missing_permission'])
  expect(codeOf(await out(bob, alice, inMs(DAY)))).toEqual([403, 'forbidden'])
  expect(codeOf(await out(bob, bob, inMs(DAY)))).toEqual([422, 'cannot_target_self'])
  await out(alice, mallory, inMs(DAY))
  await rank(parley, server_id, permissions('administrator'), mallory)
  expect((await send(mallory)).status).toBe(201)
  expect(codeOf(await out(alice, mallory, inMs(DAY)))).toEqual([403, 'forbidden'])
  expect((await out(alice, mallory, null)).status).toBe(200)
})

test('a timeout ends within 28 days and in the future, else nothing changes', async () => {
  const { server_id, out } = await birds()
  for (const bad of [inMs(28 * DAY + 60_000), inMs(-1000), '2026-02-30T00:00:00.000Z', 'soon', 7, ''])
    expect(codeOf(await out(bob, mallory, bad))).toEqual([422, 'validation_failed'])
  const both = { nickname: 'Puffin', timed_out_until: inMs(29 * DAY) }
  expect((await alice.put(`/api/servers/${server_id}/members/${mallory.id}`, both)).status).toBe(422)
  const [row] = await sql`select nickname from members where server_id = ${server_id} and user_id = ${mallory.id}`
  expect(row?.nickname).toBe(null)
  expect((await out(bob, mallory, inMs(28 * DAY - 60_000))).status).toBe(200)
  const whole = inMs(DAY).slice(0, 19)
  expect((await out(bob, mallory, `${whole}Z`)).body.timed_out_until).toBe(`${whole}.000Z`)
  expect((await alice.put(`/api/servers/${server_id}/members/${mallory.id}`, {})).status).toBe(422)
})

test('a timeout outlives leaving and joining again', async () => {
  const { server_id, out, send } = await birds()
  await out(bob, mallory, inMs(DAY))
  const { body } = await alice.post('/api/invites', { server_id })
  await mallory.delete(`/api/servers/${server_id}/members/@me`)
  const live = await connect(alice)
  expect((await mallory.post(`/api/invites/${body.code}/join`)).status).toBe(201)
  expect((await live.next('member.joined')).d.timed_out_until).toEqual(expect.any(String))
  expect(codeOf(await send(mallory))).toEqual([403, 'missing_permission'])
  live.close()
})

test('an expired timeout counts for nothing, and its end is announced, also after a restart', async () => {
  const own = await boot()
  const [owner, late] = [await person(own, 'olga'), await passerBy(own, 'late')]
  const { server_id, channel_id } = await place(owner, late)
  const path = `/api/servers/${server_id}/members/${late.id}`
  const live = await connect(late)
  await owner.put(path, { timed_out_until: inMs(2000) })
  expect((await late.post(`/api/channels/${channel_id}/messages`, { content: 'Hi' })).status).toBe(403)
  const { d } = await live.next('member.updated', (frame) => frame.d.timed_out_until === null)
  expect(d.server_id).toBe(server_id)
  expect((await late.post(`/api/channels/${channel_id}/messages`, { content: 'Hi' })).status).toBe(201)
  live.close()
  // No process was running when this timeout ended.
  await own.parts.sql`insert into timeouts ${own.parts.sql({ server_id, user_id: late.id, until: inMs(-5000) })}`
  const second = await connect(owner)
  const [update] = await Promise.all([second.next('member.updated'), own.sweep()])
  expect(update.d).toMatchObject({ user: { id: late.id }, timed_out_until: null })
  expect([...(await own.parts.sql`select 1 from timeouts`)]).toEqual([])
  second.close()
  await stop(own)
})

test('if a message and a timeout race, the earlier of the two counts', async () => {
  const { out, send } = await birds()
  const [sent, timed] = await race(parley, (tx) => tx`select 1 from users where id = ${mallory.id} for update`, [
    () => send(mallory),
    () => out(bob, mallory, inMs(DAY)),
  ])
  expect([sent?.status, timed?.status]).toEqual([201, 200])
  expect(codeOf(await send(mallory))).toEqual([403, 'missing_permission'])
  await out(bob, mallory, null)
  const home = await birds()
  const answers = await race(parley, (tx) => tx`select 1 from servers where id = ${home.server_id} for no key update`, [
    () => home.out(bob, mallory, inMs(DAY)),
  ])
  expect(answers.map((answer) => answer.status)).toEqual([200])
  expect((await home.send(mallory)).status).toBe(403)
  await say(alice, home.channel_id, 'Quiet now')
})

test('a timed-out member can delete the account, and the timeout goes with a deleted server', async () => {
  const parley = await boot()
  const [owner, guest, other] = await peopleWithPassword(parley, 'owner', 'guest', 'other')
  const { server_id } = await place(owner, guest, other)
  const timeout = { timed_out_until: inMs(DAY) }
  for (const { id } of [guest, other])
    expect((await owner.put(`/api/servers/${server_id}/members/${id}`, timeout)).status).toBe(200)
  expect((await deleteAccountOf(guest)).status).toBe(204)
  expect((await owner.delete(`/api/servers/${server_id}`)).status).toBe(204)
  expect(await parley.parts.sql`select 1 from timeouts`).toHaveLength(0)
  await stop(parley)
})

test('a timeout takes a reason, which is in the audit log', async () => {
  const { server_id } = await birds()
  const reason = 'Shouts at herons'
  const path = `/api/servers/${server_id}/members/${mallory.id}`
  expect((await bob.put(path, { timed_out_until: inMs(DAY), reason })).status).toBe(200)
  expect((await bob.put(path, { timed_out_until: inMs(DAY), reason: 'x'.repeat(513) })).status).toBe(422)
  const [entry] = (await alice.get(`/api/servers/${server_id}/audit-log?action=member.timed_out`)).body
  expect(entry.changes.reason).toEqual({ before: null, after: reason })
})
