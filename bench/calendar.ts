import { createHash, randomBytes } from 'node:crypto'
import { atMost, type Figure, median } from './report.ts'
import { seed } from './seed.ts'
import { type BenchServer, withServer } from './server.ts'

const SERVERS = 5
/** The limit of a server. */
const EVENTS_PER_SERVER = 100
/** Dates of each event, of which a feed has the earliest. */
const DATES = 52
const READS = 60
/** Reads per feed: fewer than an hour allows. */
const READS_PER_FEED = 20
/** Limits, ms. */
const FEED_MS_MAX = 100
const LIST_MS_MAX = 50

/** A calendar feed of five servers with 500 weekly events, half of them in channels, and the list of one server. */
export const calendar = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    const [person] = await seed(bench, {
      users: 1,
      servers: SERVERS,
      servers_per_user: SERVERS,
      channels_per_server: 4,
    })
    await fillEvents(bench)
    const secrets = await makeFeeds(bench, Math.ceil((2 * (READS + 5)) / READS_PER_FEED))
    let etag = ''
    let size = 0
    const feed = async (read: number, headers: Record<string, string> = {}) => {
      const response = await fetch(`${bench.url}/calendar/${secrets[Math.floor(read / READS_PER_FEED)]}.ics`, {
        headers,
      })
      const text = await response.text()
      if (response.status !== 200 && response.status !== 304) throw new Error(text.slice(0, 200))
      etag = response.headers.get('etag') ?? ''
      return text
    }
    const cold = await timed(async (read) => (size = (await feed(read)).length))
    const unchanged = await timed(async (read) => {
      if ((await feed(READS + 5 + read, { 'if-none-match': etag })) !== '') throw new Error('The feed has changed')
    })
    const list = await timed(async () => {
      const response = await fetch(`${bench.url}/api/servers/1/events`, {
        headers: { authorization: `Bearer ${person?.token}` },
      })
      const rows = await response.json()
      if (rows.length !== EVENTS_PER_SERVER) throw new Error(JSON.stringify(rows).slice(0, 200))
    }, 15)
    const events = SERVERS * EVENTS_PER_SERVER
    const figure = (name: string, times: number[], max: number): Figure => ({
      name,
      unit: 'ms',
      parley: times,
      target: atMost(max, median(times), `≤ ${max} ms`),
    })
    return [
      figure(`a calendar feed of ${events} events, ${Math.round(size / 1024)} KiB`, cold, FEED_MS_MAX),
      figure(`the same, unchanged: 304`, unchanged, FEED_MS_MAX),
      figure(`the list of ${EVENTS_PER_SERVER} events of a server`, list, LIST_MS_MAX),
    ]
  })

/** Milliseconds per run, after five to warm up. */
async function timed(run: (read: number) => Promise<unknown>, reads = READS): Promise<number[]> {
  const times: number[] = []
  for (let read = 0; read < reads + 5; read++) {
    const at = performance.now()
    await run(read)
    if (read >= 5) times.push(performance.now() - at)
  }
  return times
}

async function fillEvents({ sql }: BenchServer): Promise<void> {
  await sql`insert into calendar_events
      (server_id, creator_id, title, description, starts_at, ends_at, time_zone, channel_id, place_text)
    select s.id, 1, 'Event ' || n, repeat('What it is about. ', 10), now(), now(), 'Europe/Berlin', place.channel_id,
      case when place.channel_id is null then 'The old bridge' end
    from servers s cross join generate_series(1, ${EVENTS_PER_SERVER}::int) n cross join lateral (
      select case when n % 2 = 0 then (
        select min(c.id) from channels c where c.server_id = s.id and c.type = 'text') end as channel_id) place`
  await sql`insert into event_dates
    select e.id, n, now() + (e.id % 168 + n * 168) * interval '1 hour',
      now() + (e.id % 168 + n * 168 + 1) * interval '1 hour'
    from calendar_events e cross join generate_series(0, ${DATES - 1}::int) n`
  await sql`vacuum analyze calendar_events, event_dates`
}

/** Feeds of the first account. @returns their secrets */
async function makeFeeds({ sql }: BenchServer, count: number): Promise<string[]> {
  const secrets = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  for (const secret of secrets)
    await sql`insert into calendar_feeds (user_id, hash) values (1, ${createHash('sha256').update(secret).digest()})`
  return secrets
}
