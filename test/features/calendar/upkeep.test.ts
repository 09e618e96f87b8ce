import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { type Person, standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

async function event(server_id: number, more: object = {}) {
  const draft = {
    title: 'The long walk',
    starts_at: inMinutes(3000),
    ends_at: inMinutes(3060),
    time_zone: 'UTC',
    place: { text: 'The old bridge' },
    signup: {},
    ...more,
  }
  const { status, body } = await alice.post(`/api/servers/${server_id}/events`, draft)
  expect(status).toBe(201)
  return body.id as number
}
const sign = (who: Person, id: number, status: string, remind: number[] = [60]) =>
  who.put(`/api/events/${id}/signup`, { status, remind })
/** Moves the time of the event near, as if it had come. */
const begins = (id: number, minutes: number) => sql`
  with moved as (update event_dates set starts_at = now() + ${minutes} * interval '1 minute' where event_id = ${id})
  update event_signups set next_remind_at = now() where event_id = ${id} and next_remind_at is not null`

test('people are reminded at the times that they chose, once each', async () => {
  const { server_id } = await place(alice, bob, carol)
  const id = await event(server_id)
  await sign(bob, id, 'yes', [1440, 10])
  await sign(carol, id, 'maybe', [])
  const [live, quiet] = [await connect(bob), await connect(carol)]
  await begins(id, 1440)
  await parley.sweep()
  const { d } = await live.next('event.reminder')
  expect(d).toEqual({ event_id: id, server_id, n: 0, starts_at: expect.any(String) })
  await parley.sweep()
  const [row] = await sql<{ left: number }[]>`
    select extract(epoch from d.starts_at - s.next_remind_at)::int as left
    from event_signups s join event_dates d using (event_id, n) where s.event_id = ${id} and s.user_id = ${bob.id}`
  expect(row?.left).toBe(600)
  await begins(id, 9)
  await parley.sweep()
  await live.settled()
  expect(live.of('event.reminder')).toHaveLength(2)
  const rest = await sql`select 1 from event_signups where event_id = ${id} and next_remind_at is not null`
  expect(rest).toHaveLength(0)
  await quiet.settled()
  expect(quiet.of('event.reminder')).toEqual([])
  live.close()
  quiet.close()
})

test('people who wait for a place are not reminded, and those who get one are', async () => {
  const { server_id } = await place(alice, bob, carol)
  const id = await event(server_id, { signup: { max: 1, waiting_list: true } })
  await sign(bob, id, 'yes')
  await sign(carol, id, 'yes', [60, 10])
  const live = await connect(carol)
  await begins(id, 59)
  await parley.sweep()
  await live.settled()
  expect(live.of('event.reminder')).toEqual([])
  await sign(bob, id, 'no')
  await begins(id, 9)
  await parley.sweep()
  expect((await live.next('event.reminder')).d).toMatchObject({ event_id: id, n: 0 })
  live.close()
})

test('a moved date moves its reminders, and a cancelled one has none', async () => {
  const { server_id } = await place(alice, bob)
  const id = await event(server_id, { recurrence: 'FREQ=DAILY;COUNT=2' })
  await sign(bob, id, 'yes')
  const [starts_at, ends_at] = [inMinutes(5000), inMinutes(5060)]
  await alice.put(`/api/events/${id}`, { starts_at, ends_at, recurrence: null })
  const rows = await sql<{ n: number; next_remind_at: string }[]>`
    select n, next_remind_at from event_signups where event_id = ${id}`
  expect(rows.map(({ n, next_remind_at }) => [n, Date.parse(starts_at) - Date.parse(next_remind_at)])).toEqual([
    [0, 3_600_000],
  ])
})

test('a member who no longer sees the channel loses the place, and is not reminded', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob)
  const id = await event(server_id, { place: { channel_id }, signup: { max: 1, waiting_list: true } })
  await sign(bob, id, 'yes')
  await sign(alice, id, 'yes')
  const live = await connect(bob)
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, {
    allow: 0,
    deny: permissions('view_channel'),
  })
  await begins(id, 60)
  await parley.sweep()
  await live.settled()
  expect(live.of('event.reminder')).toEqual([])
  const rows = await sql`select user_id, status from event_signups where event_id = ${id}`
  expect([...rows] as unknown[]).toEqual([{ user_id: alice.id, status: 'yes' }])
  live.close()
})

test('an event goes a year after its last date', async () => {
  const { server_id } = await place(alice)
  const [old, newer] = [await event(server_id), await event(server_id)]
  await sql`update event_dates set starts_at = now() - interval '368 days', ends_at = now() - interval '367 days'
    where event_id = ${old}`
  await sql`update event_dates set starts_at = now() - interval '366 days', ends_at = now() - interval '365 days'
    where event_id = ${newer}`
  await parley.sweep()
  const rows = await sql<{ id: number }[]>`select id from calendar_events where server_id = ${server_id}`
  expect(rows.map(({ id }) => id)).toEqual([newer])
})
