import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { boot, person, standard, stop } from '../../support/harness.ts'
import { botOf, addBot } from '../../support/bots.ts'
import { passersBy } from '../../support/people.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'
import { until } from '../../support/until.ts'

const parley = await standard()
const { sql } = parley.parts
const alice = await person(parley, 'alice')
type Who = typeof alice
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.code]

async function birds(verification: string, verification_minutes = 10, ...members: Who[]) {
  const home = await place(alice, ...members)
  const path = `/api/servers/${home.server_id}`
  const change = (draft: object) => alice.put(path, draft)
  expect((await change({ verification, verification_minutes })).status).toBe(200)
  const { code } = (await alice.post('/api/invites', { server_id: home.server_id })).body
  const join = async (who: Who) => {
    expect((await who.post(`/api/invites/${code}/join`)).status).toBe(201)
    const [row] = await sql<{ held_back: string | null; left_s: number | null }[]>`
      select held_back, extract(epoch from held_until - now())::int as left_s from members
      where server_id = ${home.server_id} and user_id = ${who.id}`
    return row
  }
  const send = (who: Who) => who.post(`/api/channels/${home.channel_id}/messages`, { content: 'Hi' })
  const expire = async (who: Who) => {
    // The change of verification still has to judge the members, which would set their time again.
    await parley.sweep()
    await sql`update members set held_until = now() - interval '1 second'
      where server_id = ${home.server_id} and user_id = ${who.id}`
  }
  return { ...home, change, join, send, expire }
}

test('members wait as long as the server says, from joining or from registration, and are then let in', async () => {
  const [bob, carol] = await passersBy(parley, 'bob', 'carol')
  const early = await passerBy(parley, 'early')
  const { server_id, change, join, send, expire } = await birds('member_minutes', 30, early)
  const row = await join(bob)
  expect([row?.held_back, Math.round((row?.left_s ?? 0) / 60)]).toEqual(['unverified', 30])
  expect(codeOf(await send(bob))).toEqual([403, 'missing_permission'])
  expect((await send(early)).status).toBe(201)
  const live = await connect(bob)
  expect(live.of('server.snapshot').find(({ d }) => d.server.id === server_id)?.d.me).toMatchObject({
    held_back: 'unverified',
    held_until: expect.any(String),
  })
  await expire(bob)
  await Promise.all([live.next('member.updated', ({ d }) => d.held_back === null), parley.sweep()])
  live.close()
  expect((await send(bob)).status).toBe(201)

  await change({ verification: 'account_minutes', verification_minutes: 60 })
  expect((await join(carol))?.held_back).toBe('unverified')
  const old = await passerBy(parley, 'old')
  await sql`update users set created_at = now() - interval '61 minutes' where id = ${old.id}`
  expect(await join(old)).toEqual({ held_back: null, left_s: null })
  expect((await send(old)).status).toBe(201)
})

test('a change binds members who join afterwards, and lets in who waits in vain', async () => {
  const [bob, carol] = await passersBy(parley, 'bob', 'carol')
  const { change, join, send } = await birds('none')
  expect((await join(bob))?.held_back).toBe(null)
  await change({ verification: 'member_minutes' })
  expect((await send(bob)).status).toBe(201)
  expect((await join(carol))?.held_back).toBe('unverified')
  await change({ verification: 'none' })
  await until(async () => (await parley.sweep(), (await send(carol)).status === 201))
})

test('the owner binds existing members too, and sees their number before; roles and bots pass', async () => {
  const [bob, carol, dave] = await passersBy(parley, 'bob', 'carol', 'dave')
  const { server_id, change, join, send, expire } = await birds('none', 10, bob, carol, dave)
  const bot = await botOf(alice, 'Dice')
  await addBot(alice, server_id, bot)
  await rank(parley, server_id, permissions('manage_server'), carol)
  await sql`update members set joined_at = now() - interval '2 hours'
    where server_id = ${server_id} and user_id = ${dave.id}`
  const countOf = async (who: Who, minutes: number) =>
    (
      await who.get(
        `/api/servers/${server_id}/verification?verification=member_minutes&verification_minutes=${minutes}`,
      )
    ).body.count
  expect([await countOf(carol, 60), await countOf(carol, 180), await countOf(bob, 60)]).toEqual([1, 2, undefined])
  const path = `/api/servers/${server_id}`
  const draft = { verification: 'member_minutes', verification_minutes: 60, binds_members: true }
  expect(codeOf(await carol.put(path, draft))).toEqual([403, 'forbidden'])
  expect((await send(bob)).status).toBe(201)
  const live = await connect(bob)
  await change(draft)
  await Promise.all([live.next('member.updated', ({ d }) => d.held_back === 'unverified'), parley.sweep()])
  live.close()
  await until(async () => (await sql`select 1 from verification_sweeps where server_id = ${server_id}`).length === 0)
  expect(codeOf(await send(bob))).toEqual([403, 'missing_permission'])
  for (const who of [alice, carol, dave, bot]) expect((await send(who)).status).toBe(201)
  const [entry] = (await alice.get(`${path}/audit-log?limit=1`)).body
  expect([entry.action, entry.changes.binds_members.after]).toEqual(['server.updated', true])
  await expire(bob)
  await until(async () => (await parley.sweep(), (await send(bob)).status === 201))

  // A later change binds those who join afterwards, and no others.
  await change({ verification_minutes: 5000 })
  const erin = await passerBy(parley, 'erin')
  await join(erin)
  await parley.sweep()
  expect([(await send(dave)).status, (await send(erin)).status]).toEqual([201, 403])
})

test('a change of the time is announced to members who wait', async () => {
  const bob = await passerBy(parley, 'bob')
  const { change, join } = await birds('member_minutes', 30)
  await join(bob)
  const live = await connect(bob)
  await change({ verification_minutes: 600 })
  const isLater = ({ d }: any) => Date.parse(d.held_until) > Date.now() + 9 * 3_600_000
  await Promise.all([live.next('member.updated', isLater), parley.sweep()])
  live.close()
})

test('bots, and members with a role from a moderator, are verified', async () => {
  const bob = await passerBy(parley, 'bob')
  const { server_id, join, send } = await birds('member_minutes')
  const bot = await botOf(alice, 'Dice')
  await addBot(alice, server_id, bot)
  expect((await send(bot)).status).toBe(201)
  expect((await join(bob))?.held_back).toBe('unverified')
  const role = await rank(parley, server_id, 0)
  const { body } = await alice.post(`/api/servers/${server_id}/members/${bob.id}/roles/${role}`)
  expect([body.held_back, body.held_until]).toEqual([null, null])
  expect((await send(bob)).status).toBe(201)
})

test('mail is refused where no mail can be sent, and every value within its bounds', async () => {
  const { change } = await birds('none')
  expect(codeOf(await change({ verification: 'mail' }))).toEqual([409, 'mail_unavailable'])
  for (const bad of [{ verification: 'sms' }, { verification_minutes: 0 }, { verification_minutes: 10_081 }])
    expect(codeOf(await change(bad))).toEqual([422, 'validation_failed'])
})

test('an account that proves its address is let in where that was missing', async () => {
  const own = await boot({
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'parley@example.org',
    PUBLIC_URL: 'http://localhost',
  })
  const owner = await person(own, 'olga')
  const home = await place(owner)
  const [bob, carol] = await passersBy(own, 'bob', 'carol')
  await own.parts.sql`update users set email_verified_at = now() where id = ${carol.id}`
  expect((await owner.put(`/api/servers/${home.server_id}`, { verification: 'mail' })).status).toBe(200)
  const { code } = (await owner.post('/api/invites', { server_id: home.server_id })).body
  for (const who of [bob, carol]) expect((await who.post(`/api/invites/${code}/join`)).status).toBe(201)
  const send = async (who: Who) =>
    (await who.post(`/api/channels/${home.channel_id}/messages`, { content: 'Hi' })).status
  expect([await send(bob), await send(carol)]).toEqual([403, 201])
  const { proveAddress } = await import('../../../src/features/login/proven-address.ts')
  await own.parts.write((tx, _, notify) => proveAddress(tx, notify, bob.id, bob.email, 'own'))
  await until(async () => (await own.sweep(), (await send(bob)) === 201))
  await stop(own)
})
