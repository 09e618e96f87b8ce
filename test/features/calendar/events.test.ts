import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { addRule, wordsRule } from '../../support/automod.ts'
import { type Person, standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
const inDays = (days: number, hours = 0) =>
  new Date(Math.ceil(Date.now() / 60_000) * 60_000 + days * 86_400_000 + hours * 3_600_000).toISOString()
const WALK = () => ({
  title: 'The long walk',
  starts_at: inDays(2),
  ends_at: inDays(2, 2),
  time_zone: 'Europe/Berlin',
  place: { text: 'The old bridge' },
})
const create = (who: Person, server_id: number, change: object = {}) =>
  who.post(`/api/servers/${server_id}/events`, { ...WALK(), ...change })
const list = async (who: Person, server_id: number, query = '') =>
  (await who.get(`/api/servers/${server_id}/events${query}`)).body

test('an event is created, listed, changed and cancelled, and members hear of it', async () => {
  const { server_id } = await place(alice, bob)
  const live = await connect(bob)
  const { status, body } = await create(alice, server_id, { description: 'With **tea**' })
  expect(status).toBe(201)
  const { id } = body
  expect(body).toMatchObject({
    server_id,
    creator: { id: alice.id },
    title: 'The long walk',
    description: 'With **tea**',
    recurrence: null,
    place: { text: 'The old bridge' },
    signup: null,
    sequence: 0,
    dates: [{ n: 0, starts_at: body.starts_at, ends_at: body.ends_at, yes: 0, maybe: 0, waiting: 0, mine: null }],
  })
  expect((await live.next('event.changed')).d).toEqual({ id, server_id, channel_id: null })
  expect(await list(bob, server_id)).toEqual([body])
  expect((await bob.get(`/api/events/${id}`)).body).toEqual(body)
  expect((await bob.put(`/api/events/${id}`, { title: 'Mine' })).status).toBe(403)
  expect((await bob.delete(`/api/events/${id}`)).status).toBe(403)
  const moved = await alice.put(`/api/events/${id}`, { starts_at: inDays(3), ends_at: inDays(3, 1) })
  expect(moved.body).toMatchObject({ sequence: 1, dates: [{ n: 0, starts_at: inDays(3), ends_at: inDays(3, 1) }] })
  expect((await alice.delete(`/api/events/${id}`)).status).toBe(204)
  expect((await live.next('event.deleted')).d).toEqual({ id, server_id })
  expect((await bob.get(`/api/events/${id}`)).status).toBe(404)
  expect(await list(bob, server_id)).toEqual([])
  live.close()
})

test('creating needs create_events, and changing another’s event manage_events', async () => {
  const { server_id } = await place(alice, bob, carol)
  expect((await create(bob, server_id)).body.code).toBe('missing_permission')
  await rank(parley, server_id, permissions('create_events'), bob)
  await rank(parley, server_id, permissions('manage_events'), carol)
  const { id } = (await create(bob, server_id)).body
  expect((await bob.put(`/api/events/${id}`, { title: 'Walk' })).body.title).toBe('Walk')
  expect((await carol.put(`/api/events/${id}`, { title: 'Run' })).body.title).toBe('Run')
  expect((await create(carol, server_id)).status).toBe(403)
  // Its creator may no longer create events.
  await sql`delete from member_roles where user_id = ${bob.id} and server_id = ${server_id}`
  expect((await bob.put(`/api/events/${id}`, { title: 'Mine' })).status).toBe(403)
  expect((await carol.delete(`/api/events/${id}`)).status).toBe(204)
})

test('an event in a channel is seen by those who see the channel', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob, carol)
  const role = await rank(parley, server_id, permissions('create_events'), bob)
  const view = permissions('view_channel')
  const overwrite = (roleId: number, body: object) =>
    alice.put(`/api/channels/${channel_id}/permissions/${roleId}`, body)
  expect((await overwrite(role, { allow: view, deny: 0 })).status).toBe(200)
  expect((await overwrite(everyone, { allow: 0, deny: view })).status).toBe(200)
  const hidden = await connect(carol)
  const { body } = await create(alice, server_id, { place: { channel_id } })
  expect((await bob.get(`/api/events/${body.id}`)).body.place).toEqual({ channel_id })
  expect((await carol.get(`/api/events/${body.id}`)).status).toBe(404)
  expect(await list(carol, server_id)).toEqual([])
  expect(await list(bob, server_id)).toHaveLength(1)
  const [stranger] = await passersBy(parley, 'mallory')
  expect((await stranger.get(`/api/events/${body.id}`)).status).toBe(404)
  await hidden.settled()
  expect(hidden.of('event.changed')).toEqual([])
  // A channel that its creator does not see, or of another server.
  const other = await place(bob)
  expect((await create(alice, server_id, { place: { channel_id: other.channel_id } })).status).toBe(422)
  hidden.close()
})

test('a recurring event has its dates, and a change moves those to come', async () => {
  const { server_id } = await place(alice)
  const { body } = await create(alice, server_id, { recurrence: 'FREQ=DAILY;COUNT=5' })
  expect(body.dates.map(({ n }: any) => n)).toEqual([0, 1, 2, 3, 4])
  await sql`update event_dates set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour'
    where event_id = ${body.id} and n = 0`
  const fewer = await alice.put(`/api/events/${body.id}`, { recurrence: 'FREQ=DAILY;COUNT=3' })
  expect(fewer.body.dates.map(({ n }: any) => n)).toEqual([0, 1, 2, 3])
  const more = await alice.put(`/api/events/${body.id}`, { recurrence: 'FREQ=DAILY;COUNT=6' })
  expect(more.body.dates.map(({ n }: any) => n)).toEqual([0, 1, 2, 3, 5, 6, 7])
  const [first] = await list(alice, server_id, `?from=${inDays(2, 1)}&to=${inDays(3, 1)}`)
  expect(first.dates).toHaveLength(2)
  expect((await alice.get(`/api/servers/${server_id}/events?from=${inDays(0)}&to=${inDays(46)}`)).status).toBe(422)
})

test('a draft is refused if a rule is broken, and changes nothing', async () => {
  const { server_id } = await place(alice)
  for (const change of [
    { title: '' },
    { title: 'x'.repeat(101) },
    { starts_at: inDays(-1) },
    { ends_at: inDays(1) },
    { ends_at: inDays(20) },
    { starts_at: inDays(800), ends_at: inDays(801) },
    { time_zone: 'Europe/Atlantis' },
    { recurrence: 'FREQ=YEARLY;COUNT=2' },
    { recurrence: 'FREQ=DAILY;UNTIL=20500101T000000Z' },
    { place: {} },
    { place: { text: 'x', url: 'https://example.org' } },
    { place: { url: 'javascript:alert(1)' } },
    { place: { channel_id: 1 } },
    { signup: { roles: Array(11).fill({ name: 'Driver' }) } },
  ])
    expect([change, (await create(alice, server_id, change)).status]).toEqual([change, 422])
  expect(await list(alice, server_id)).toEqual([])
  await sql`insert into calendar_events
    (server_id, creator_id, title, description, starts_at, ends_at, time_zone, place_text)
    select ${server_id}, ${alice.id}, n, '', now() + interval '1 day', now() + interval '2 days', 'UTC', 'x'
    from generate_series(1, 100) n`
  await sql`insert into event_dates
    select id, 0, starts_at, ends_at from calendar_events where server_id = ${server_id}`
  expect((await create(alice, server_id)).body.code).toBe('too_many_events')
})

test('AutoMod judges titles and texts', async () => {
  const { server_id } = await place(alice, bob)
  await rank(parley, server_id, permissions('create_events'), bob)
  await addRule(alice, server_id, wordsRule(['heron']))
  for (const change of [{ title: 'The heron' }, { description: 'a heron' }, { place: { text: 'Heron' } }])
    expect((await create(bob, server_id, change)).body.code).toBe('automod_blocked')
  const { id } = (await create(bob, server_id)).body
  expect((await bob.put(`/api/events/${id}`, { title: 'Heron' })).body.code).toBe('automod_blocked')
})
