import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { addRule, wordsRule } from '../../support/automod.ts'
import { type Person, standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'
import { png, upload } from '../../support/uploads.ts'

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
    image_file_id: null,
    signup: null,
    sequence: 0,
    dates: [{ n: 0, starts_at: body.starts_at, ends_at: body.ends_at, yes: 0, maybe: 0, waiting: 0, mine: null }],
  })
  expect((await live.next('event.changed')).d).toEqual({ id, server_id, is_new: true })
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
  for (const change of [
    { title: 'The heron' },
    { description: 'a heron' },
    { place: { text: 'Heron' } },
    { place: { url: 'https://example.org/heron' } },
  ])
    expect((await create(bob, server_id, change)).body.code).toBe('automod_blocked')
  const { id } = (await create(bob, server_id)).body
  expect((await bob.put(`/api/events/${id}`, { title: 'Heron' })).body.code).toBe('automod_blocked')
})

test('AutoMod judges the address of the place by its host, and the name and description of the picture', async () => {
  const { server_id } = await place(alice, bob)
  await rank(parley, server_id, permissions('create_events'), bob)
  await addRule(alice, server_id, wordsRule(['heron']))
  const links = { type: 'links', mode: 'deny', hosts: ['spam.example'] }
  await addRule(alice, server_id, { name: 'Links', trigger: links, actions: [{ type: 'block' }] })
  const url = 'https://spam.example/x'
  expect((await create(bob, server_id, { place: { url } })).body.code).toBe('automod_blocked')
  const named = await upload(bob, 'heron.png', 'image/png', await png(8, 8))
  const described = await upload(bob, 'bird.png', 'image/png', await png(8, 8))
  const describe = (alt: string) => bob.put(`/api/files/${described.id}`, { alt })
  expect((await describe('A heron')).status).toBe(200)
  const { id } = (await create(bob, server_id)).body
  for (const { id: image_file_id } of [named, described]) {
    expect((await create(bob, server_id, { image_file_id })).body.code).toBe('automod_blocked')
    expect((await bob.put(`/api/events/${id}`, { image_file_id })).body.code).toBe('automod_blocked')
  }
  expect((await describe('A gull')).status).toBe(200)
  expect((await bob.put(`/api/events/${id}`, { image_file_id: described.id })).status).toBe(200)
  expect((await describe('A heron')).body.code).toBe('automod_blocked')
  expect((await bob.get(`/api/files/${described.id}`)).body.alt).toBe('A gull')
  await bob.delete(`/api/events/${id}`)
  expect((await describe('A heron')).status).toBe(200)
})

test('a picture is shown to all who see the event, and goes with its file', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob)
  const [stranger] = await passersBy(parley, 'mallory')
  const file = await upload(alice, 'river.png', 'image/png', await png(64, 32))
  const { id } = (await create(alice, server_id, { place: { channel_id }, image_file_id: file.id })).body
  expect((await bob.get(`/api/events/${id}`)).body.image_file_id).toBe(file.id)
  const seen = async (who: Person) => (await who.get(`/api/files/${file.id}/download-url`)).status
  expect([await seen(bob), await seen(stranger)]).toEqual([200, 404])
  // Only one's own upload that has a thumbnail.
  const foreign = await upload(bob, 'lake.png', 'image/png', await png(64, 32))
  const text = await upload(alice, 'notes.txt', 'text/plain', Buffer.from('Notes'))
  expect((await alice.put(`/api/events/${id}`, { image_file_id: foreign.id })).status).toBe(404)
  expect((await alice.put(`/api/events/${id}`, { image_file_id: text.id })).body.code).toBe('picture_unreadable')
  // An unused file goes after a day; this one is used.
  await sql`update files set created_at = now() - interval '2 days' where id = ${file.id}`
  await parley.sweep()
  expect(await seen(bob)).toBe(200)
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, {
    allow: 0,
    deny: permissions('view_channel'),
  })
  expect(await seen(bob)).toBe(404)
  expect((await alice.delete(`/api/files/${file.id}`)).status).toBe(204)
  expect((await alice.get(`/api/events/${id}`)).body.image_file_id).toBeNull()
})

test('a cancelled event keeps only dates of the next month, goes after it, and counts for a day', async () => {
  const { server_id } = await place(alice)
  const { id } = (await create(alice, server_id, { recurrence: 'FREQ=WEEKLY;COUNT=20' })).body
  expect((await alice.delete(`/api/events/${id}`)).status).toBe(204)
  expect(await sql`select 1 from event_dates where event_id = ${id}`).toHaveLength(5)
  await sql`insert into calendar_events
      (server_id, creator_id, title, description, starts_at, ends_at, time_zone, place_text, cancelled_at)
    select ${server_id}, ${alice.id}, n, '', now(), now() + interval '2 days', 'UTC', 'x', now()
    from generate_series(1, 99) n`
  expect((await create(alice, server_id)).body.code).toBe('too_many_events')
  await sql`update calendar_events set cancelled_at = now() - interval '32 days' where id = ${id}`
  await parley.sweep()
  expect(await sql`select 1 from calendar_events where id = ${id}`).toHaveLength(0)
})
