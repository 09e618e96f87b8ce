import { expect, test } from 'bun:test'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { permissions } from '../../../src/core/permissions.ts'
import { endSessions } from '../../../src/features/sessions/store.ts'
import { boot, type Person, standard, stop } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place, session } from '../../support/places.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = await passersBy(parley, 'alice', 'bob')
const inDays = (days: number) => new Date(Math.ceil(Date.now() / 60_000) * 60_000 + days * 86_400_000).toISOString()
const create = async (who: Person, server_id: number, more: object = {}) => {
  const draft = {
    title: 'The long walk',
    starts_at: inDays(2),
    ends_at: inDays(2.5),
    time_zone: 'Europe/Berlin',
    place: { text: 'The old bridge' },
    ...more,
  }
  const { status, body } = await who.post(`/api/servers/${server_id}/events`, draft)
  expect(status).toBe(201)
  return body
}
const feedOf = async (who: Person, server_id: number | null) => {
  const { status, body } = await who.post('/api/calendar/feeds', { server_id })
  expect(status).toBe(201)
  return body as { id: number; url: string }
}
const read = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${parley.url}${new URL(url).pathname}`, { headers })

/** The dates of a calendar, as two libraries read them. */
async function datesIn(text: string) {
  const byIcal = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component)
    return {
      uid: event.uid,
      summary: event.summary,
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
      location: event.location,
      description: event.description ?? '',
      sequence: event.sequence,
      status: String(component.getFirstPropertyValue('status')),
    }
  })
  const byNode = Object.values(nodeIcal.sync.parseICS(text)).flatMap((event) =>
    event?.type === 'VEVENT'
      ? [
          {
            uid: event.uid,
            summary: String(event.summary),
            start: event.start.toISOString(),
            end: (event.end ?? event.start).toISOString(),
            location: String(event.location),
            description: event.description === undefined ? '' : String(event.description),
            sequence: Number(event.sequence),
            status: String(event.status),
          },
        ]
      : [],
  )
  const byUid = (rows: typeof byIcal) => rows.toSorted((a, b) => a.uid.localeCompare(b.uid))
  expect(byUid(byNode)).toEqual(byUid(byIcal))
  return byUid(byIcal)
}

test('a feed has the dates of events as two libraries read them, with moves and cancellations', async () => {
  const { server_id } = await place(alice, bob)
  const title = 'Tea, cake; and a "walk" \\ 🥾'
  const description = `First line\nX-EVIL:1\n${'ä'.repeat(200)}`
  const event = await create(alice, server_id, { title, description, recurrence: 'FREQ=DAILY;COUNT=3' })
  const { url } = await feedOf(bob, server_id)
  expect(new URL(url).pathname).toMatch(/^\/calendar\/[\w-]{43}\.ics$/)
  const answer = await read(url)
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'text/calendar; charset=utf-8',
    'private, no-cache',
  ])
  const text = await answer.text()
  expect(text.split('\r\n').every((one) => Buffer.byteLength(one) <= 75)).toBeTrue()
  const host = new URL(parley.url).hostname
  const uid = (n: number) => `event-${event.id}-${n}@${host}`
  const dates = await datesIn(text)
  expect(dates.map((date) => [date.uid, date.start, date.end, date.sequence, date.status])).toEqual(
    event.dates.map(({ n, starts_at, ends_at }: any) => [uid(n), starts_at, ends_at, 0, 'CONFIRMED']),
  )
  expect(dates[0]).toMatchObject({ summary: title, location: 'The old bridge' })
  expect(dates[0]?.description).toBe((await bob.get(`/api/events/${event.id}`)).body.description)
  // The same again is not sent again.
  const etag = answer.headers.get('etag') ?? ''
  expect((await read(url, { 'if-none-match': etag })).status).toBe(304)
  await alice.put(`/api/events/${event.id}`, { recurrence: 'FREQ=DAILY;COUNT=2' })
  const changed = await read(url, { 'if-none-match': etag })
  expect(changed.status).toBe(200)
  expect((await datesIn(await changed.text())).map(({ status, sequence }) => [status, sequence])).toEqual([
    ['CONFIRMED', 1],
    ['CONFIRMED', 1],
    ['CANCELLED', 1],
  ])
  await alice.delete(`/api/events/${event.id}`)
  expect((await datesIn(await (await read(url)).text())).map(({ status }) => status)).toEqual(
    Array(3).fill('CANCELLED'),
  )
})

test('a feed shows what its account sees at that moment, of one server or of all', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob)
  const other = await place(bob, alice)
  const hidden = await create(alice, server_id, { title: 'Hidden', place: { channel_id } })
  await create(bob, other.server_id, { title: 'Elsewhere' })
  await create(alice, server_id, { title: 'Open' })
  const [one, all] = [await feedOf(bob, server_id), await feedOf(bob, null)]
  const titles = async (url: string) =>
    (await datesIn(await (await read(url)).text())).map(({ summary }) => summary).toSorted()
  expect(await titles(one.url)).toEqual(['Hidden', 'Open'])
  expect(await titles(all.url)).toContain('Elsewhere')
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, {
    allow: 0,
    deny: permissions('view_channel'),
  })
  expect(await titles(one.url)).toEqual(['Open'])
  expect((await bob.get(`/api/events/${hidden.id}/ics`)).status).toBe(404)
  const [stranger] = await passersBy(parley, 'mallory')
  expect((await stranger.post('/api/calendar/feeds', { server_id })).status).toBe(404)
  // The server's feed ends with the membership.
  await bob.delete(`/api/servers/${server_id}/members/@me`)
  expect((await read(one.url)).status).toBe(404)
  expect(await titles(all.url)).not.toContain('Open')
})

test('a feed ends by deletion, renewal, a suspension and the end of all sessions', async () => {
  const { server_id } = await place(alice)
  const { id, url } = await feedOf(alice, server_id)
  expect((await alice.get('/api/calendar/feeds')).body).toContainEqual({
    id,
    server_id,
    created_at: expect.any(String),
  })
  expect((await bob.post(`/api/calendar/feeds/${id}/renew`, {})).status).toBe(404)
  expect((await bob.delete(`/api/calendar/feeds/${id}`)).status).toBe(404)
  const renewed = (await alice.post(`/api/calendar/feeds/${id}/renew`, {})).body
  expect([(await read(url)).status, (await read(renewed.url)).status]).toEqual([404, 200])
  await sql`update users set suspended_at = now(), suspended_reason = 'spam' where id = ${alice.id}`
  expect((await read(renewed.url)).status).toBe(404)
  await sql`update users set suspended_at = null, suspended_reason = null where id = ${alice.id}`
  expect((await read(renewed.url)).status).toBe(200)
  await parley.parts.write((tx, _emit, notify) => endSessions(tx, notify, alice.id))
  expect((await read(renewed.url)).status).toBe(404)
  alice.token = await session(parley, alice.id)
  const last = await feedOf(alice, null)
  expect((await alice.delete(`/api/calendar/feeds/${last.id}`)).status).toBe(204)
  expect((await read(last.url)).status).toBe(404)
  for (const path of ['/calendar/x.ics', `/calendar/${'A'.repeat(43)}`, `/calendar/${'A'.repeat(43)}.ics`])
    expect((await fetch(`${parley.url}${path}`)).status).toBe(404)
  const [row] = await sql`select hash from calendar_feeds where user_id = ${alice.id}`
  expect(row).toBeUndefined()
  for (let n = 0; n < 20; n++) await feedOf(alice, null)
  expect((await alice.post('/api/calendar/feeds', { server_id: null })).body.code).toBe('too_many_feeds')
})

test('an event is a file of its own', async () => {
  const [carol] = await passersBy(parley, 'carol')
  const { server_id } = await place(carol)
  const { id } = await create(carol, server_id, { recurrence: 'FREQ=WEEKLY;COUNT=2' })
  const answer = await fetch(`${parley.url}/api/events/${id}/ics`, {
    headers: { authorization: `Bearer ${carol.token}` },
  })
  expect(answer.headers.get('content-disposition')).toContain('events.ics')
  expect(await datesIn(await answer.text())).toHaveLength(2)
})

test('a feed is read sixty times an hour, and its address is in no log', async () => {
  const lines: string[] = []
  const write = process.stdout.write.bind(process.stdout)
  const own = await boot({ RATE_LIMITS: 'on', LOG_LEVEL: 'info' })
  process.stdout.write = ((chunk: string | Uint8Array) => lines.push(String(chunk)) > 0) as typeof process.stdout.write
  try {
    const [dora] = await passersBy(own, 'dora')
    const { url } = (await dora.post('/api/calendar/feeds', { server_id: null })).body
    const at = `${own.url}${new URL(url).pathname}`
    let reads = 0
    for (let answer = await fetch(at); ; answer = await fetch(at)) {
      if (answer.status === 200) reads += 1
      else {
        const { detail, retry_after } = await answer.json()
        if (detail.includes('calendar-feeds')) break
        // The limit of an address counts time too, and goes by it.
        await Bun.sleep(retry_after * 1_000)
      }
    }
    expect(reads).toBe(60)
    expect(lines.join('')).not.toContain(new URL(url).pathname.slice(10, 40))
  } finally {
    process.stdout.write = write
    await stop(own)
  }
})

test('a feed has the next dates of an event, and the file of the event all of them', async () => {
  const [erin] = await passersBy(parley, 'erin')
  const { server_id } = await place(erin)
  const { id } = await create(erin, server_id, { ends_at: inDays(2.1), recurrence: 'FREQ=DAILY;COUNT=366' })
  const { url } = await feedOf(erin, server_id)
  expect(await datesIn(await (await read(url)).text())).toHaveLength(100)
  const file = await fetch(`${parley.url}/api/events/${id}/ics`, {
    headers: { authorization: `Bearer ${erin.token}` },
  })
  expect(await datesIn(await file.text())).toHaveLength(366)
})
