import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { boot, Person, person, standard, stop } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = [await person(parley, 'alice'), await passerBy(parley, 'bob')]
type Who = typeof bob
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.code]
/** The flood: 300 joins, and 3,000 messages of 50 accounts. */
const [JOINS, WRITERS, MESSAGES_EACH] = [300, 50, 60]
const many = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}`)

/** A server with a moderator, bob, a channel for alerts that only moderators see, and an invite. */
async function birds(owner = alice, moderator = bob) {
  const home = await place(owner, moderator)
  const role = await rank(owner.parley, home.server_id, permissions('moderate_members'), moderator)
  const alerts = (await owner.post(`/api/servers/${home.server_id}/channels`, { name: 'alerts', type: 'text' })).body.id
  const view = permissions('view_channel')
  await owner.put(`/api/channels/${alerts}/permissions/${home.everyone}`, { deny: view })
  await owner.put(`/api/channels/${alerts}/permissions/${role}`, { allow: view })
  const { code } = (await owner.post('/api/invites', { server_id: home.server_id })).body
  const raid = `/api/servers/${home.server_id}/raid`
  const join = (who: Who) => who.post(`/api/invites/${code}/join`)
  const send = (who: Who, content = 'Hi') => who.post(`/api/channels/${home.channel_id}/messages`, { content })
  return { ...home, alerts, raid, code, join, send }
}

test('raid mode begins when too many accounts join at once: they are quarantined, and nobody else joins', async () => {
  const { server_id, alerts, raid, join, send } = await birds()
  const early = await passerBy(parley, 'early')
  expect((await join(early)).status).toBe(201)
  expect((await alice.put(raid, { alert_channel_id: alerts, raid_joins: 3, raid_seconds: 60 })).status).toBe(200)
  const live = await connect(bob)
  const [raiders, late] = [await passersBy(parley, 'a', 'b', 'c', 'd'), await passerBy(parley, 'late')]
  for (const who of raiders) expect((await join(who)).status).toBe(201)
  const { d: alert } = await live.next('message.created', ({ d }) => d.channel_id === alerts)
  expect([alert.kind, alert.data.count, alert.content]).toEqual(['raid_alert', 4, ''])
  for (const who of raiders) expect(codeOf(await send(who))).toEqual([403, 'missing_permission'])
  expect((await send(early)).status).toBe(201)
  const refusal = await join(late)
  expect([...codeOf(refusal), Number(refusal.headers.get('retry-after')) > 1700]).toEqual([403, 'joining_paused', true])
  expect((await join(early)).status).toBe(200)
  const { body: state } = await bob.get(raid)
  expect(state).toMatchObject({ quarantined: 4, until: expect.any(String), since: expect.any(String) })
  live.close()

  expect((await bob.put(raid, { on: false })).body).toMatchObject({ until: null, quarantined: 0 })
  for (const who of raiders) expect((await send(who)).status).toBe(201)
  expect((await join(late)).status).toBe(201)
  const { body: log } = await alice.get(`/api/servers/${server_id}/audit-log?limit=3`)
  expect(log.map(({ action }: any) => action)).toEqual(['raid.ended', 'raid.began', 'raid.updated'])
})

test('leaving does not empty the count, and joining twice counts once', async () => {
  const { server_id, alerts, raid, join } = await birds()
  await alice.put(raid, { alert_channel_id: alerts, raid_joins: 2 })
  const [a, b, c] = await passersBy(parley, 'a', 'b', 'c')
  for (let n = 0; n < 3; n++) {
    expect((await join(a)).status).toBe(201)
    await a.delete(`/api/servers/${server_id}/members/@me`)
  }
  expect((await bob.get(raid)).body.until).toBe(null)
  await join(b)
  await b.delete(`/api/servers/${server_id}/members/@me`)
  await join(c)
  expect((await bob.get(raid)).body.until).toEqual(expect.any(String))
})

test('raid mode never begins by itself without a channel for alerts that few see', async () => {
  const { channel_id, raid, join } = await birds()
  expect(codeOf(await alice.put(raid, { alert_channel_id: channel_id }))).toEqual([422, 'validation_failed'])
  await alice.put(raid, { raid_joins: 2 })
  for (const who of await passersBy(parley, 'a', 'b', 'c', 'd')) expect((await join(who)).status).toBe(201)
  expect((await bob.get(raid)).body.until).toBe(null)
})

test('a moderator begins, extends and ends raid mode by hand; its settings take manage_server', async () => {
  const { alerts, raid, join } = await birds()
  const [carol, dave] = await passersBy(parley, 'carol', 'dave')
  await join(carol)
  expect(codeOf(await carol.put(raid, { on: true }))).toEqual([403, 'missing_permission'])
  expect(codeOf(await bob.put(raid, { raid_joins: 5 }))).toEqual([403, 'missing_permission'])
  expect(codeOf(await bob.put(raid, { alert_channel_id: alerts }))).toEqual([403, 'missing_permission'])
  for (const bad of [{ minutes: 0 }, { minutes: 1441 }, { raid_joins: 1 }, { raid_seconds: 601 }, { on: 1 }, {}])
    expect(codeOf(await alice.put(raid, bad))).toEqual([422, 'validation_failed'])
  const leftMs = ({ until }: { until: string }) => Date.parse(until) - Date.now()
  expect(leftMs((await bob.put(raid, { on: true, minutes: 5 })).body)).toBeGreaterThan(290_000)
  expect(codeOf(await join(dave))).toEqual([403, 'joining_paused'])
  expect(leftMs((await bob.put(raid, { on: true, minutes: 60 })).body)).toBeGreaterThan(3_500_000)
  await bob.put(raid, { on: false })
  expect((await join(dave)).status).toBe(201)
})

test('raid mode spares who was quarantined by a moderator, and the accounts that joined before', async () => {
  const { server_id, alerts, raid, join } = await birds()
  const raiders = await passersBy(parley, 'a', 'b', 'c')
  const [first] = raiders
  await join(first)
  await alice.put(`/api/servers/${server_id}/members/${first.id}`, { held_back: 'quarantined' })
  await alice.put(raid, { alert_channel_id: alerts, raid_joins: 2 })
  await first.delete(`/api/servers/${server_id}/members/@me`)
  for (const who of raiders) await join(who)
  expect((await bob.get(raid)).body.quarantined).toBe(2)
  await bob.put(raid, { on: false })
  const rows = await sql`select user_id from members where server_id = ${server_id} and held_back is not null`
  expect([...rows]).toEqual([{ user_id: first.id }] as never)
})

test('the end of a raid, or of its quarantines, verifies nobody who was not verified before', async () => {
  const { server_id, alerts, raid, join, send } = await birds()
  await alice.put(`/api/servers/${server_id}`, { verification: 'member_minutes', verification_minutes: 60 })
  await alice.put(raid, { alert_channel_id: alerts, raid_joins: 2 })
  const raiders = await passersBy(parley, 'a', 'b', 'c')
  for (const who of raiders) await join(who)
  const states = async () =>
    (
      await sql<{ held_back: string | null; is_timed: boolean }[]>`
        select held_back, held_until < now() + interval '61 minutes' as is_timed from members
        where server_id = ${server_id} and user_id = any(${raiders.map(({ id }) => id)}) order by user_id`
    ).map(({ held_back, is_timed }) => [held_back, is_timed])
  expect(await states()).toEqual(Array(3).fill(['quarantined', false]))
  const [first, second] = raiders
  // Leaving and joining again changes nothing.
  await bob.put(raid, { on: true, minutes: 1 })
  await sql`update raid_guards set until = now() where server_id = ${server_id}`
  await first.delete(`/api/servers/${server_id}/members/@me`)
  await join(first)
  await sql`update quarantines set until = now() where server_id = ${server_id} and user_id = ${second.id}`
  await parley.sweep()
  await bob.put(raid, { on: false })
  expect(await states()).toEqual(Array(3).fill(['unverified', true]))
  for (const who of raiders) expect(codeOf(await send(who))).toEqual([403, 'missing_permission'])
  // A moderator verifies by letting a member in.
  await bob.put(`/api/servers/${server_id}/members/${first.id}`, { held_back: null })
  expect((await send(first)).status).toBe(201)
})

test.if(redisProgram !== undefined)(
  'a flood over two processes is stopped within two seconds, and one click undoes the raid mode',
  async () => {
    const redis = await redisServer()
    const one = await boot({ REDIS_URL: redis.url })
    const two = await boot({}, one)
    const [owner, moderator] = [await person(one, 'olga'), await passerBy(one, 'mod')]
    const { server_id, alerts, raid, join, send } = await birds(owner, moderator)
    await owner.put(raid, { alert_channel_id: alerts })
    const crowd = await passersBy(one, ...many(JOINS, 'raider'))
    const elsewhere = ({ id, username, email, display_name, token }: Who) =>
      new Person(two, id, username, email, display_name, token)
    const raiders = crowd.map((who, at) => (at % 2 ? elsewhere(who) : who))
    await Promise.all(
      raiders.map(async (who, at) => {
        await join(who)
        // Each writes as fast as it can, for as long as it can.
        if (at < WRITERS) for (let n = 0; n < MESSAGES_EACH; n++) await send(who, `Raid ${n}`)
      }),
    )
    // By the database's clock: answers of joins from before may come late.
    const [{ late_s }] = await one.parts.sql<[{ late_s: number }]>`
      select extract(epoch from max(m.joined_at) - (g.until - g.raid_minutes * interval '1 minute'))::float as late_s
      from members m join raid_guards g using (server_id)
      where server_id = ${server_id} and user_id = any(${crowd.map(({ id }) => id)}) group by g.until, g.raid_minutes`
    expect(late_s).toBeLessThan(2)
    const members = await one.parts.sql<{ held_back: string | null }[]>`
      select held_back from members where server_id = ${server_id} and user_id = any(${crowd.map(({ id }) => id)})`
    expect(members.length).toBeLessThan(JOINS)
    expect(members.every(({ held_back }) => held_back === 'quarantined')).toBe(true)
    for (const who of raiders.slice(0, WRITERS)) expect([403, 404]).toContain((await send(who)).status)
    expect((await moderator.put(raid, { on: false })).body.quarantined).toBe(0)
    const heldBack = await one.parts.sql`select 1 from members where server_id = ${server_id} and held_back is not null`
    expect(heldBack).toHaveLength(0)
    await stop(two)
    await stop(one)
  },
  240_000,
)
