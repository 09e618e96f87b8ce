import { account, bit, member, type Row, server, type World } from './authorisation-rows.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const walk = () => ({
  title: 'The long walk',
  starts_at: inDays(2),
  ends_at: inDays(3),
  time_zone: 'UTC',
  place: { text: 'The old bridge' },
})

/** An event of the target's, for which people may sign up. */
async function eventOf({ sql, server_id, target }: World): Promise<string> {
  const row = { server_id, creator_id: target.id, title: 'A walk', description: '', time_zone: 'UTC', place_text: 'x' }
  const [{ id }] = await sql<[{ id: number }]>`
    insert into calendar_events ${sql({ ...row, starts_at: inDays(2), ends_at: inDays(3) })} returning id`
  await sql`update calendar_events set signup = '{"roles": [], "max": null, "waiting_list": false, "closes_minutes": 0}'
    where id = ${id}`
  await sql`insert into event_dates values (${id}, 0, ${inDays(2)}, ${inDays(3)})`
  return `/api/events/${id}`
}

/** A calendar feed of the target's, which is there for nobody else. */
async function feedOfTarget({ sql, target }: World): Promise<string> {
  const row = { user_id: target.id, hash: Buffer.from(crypto.getRandomValues(new Uint8Array(32))) }
  const [{ id }] = await sql<[{ id: number }]>`insert into calendar_feeds ${sql(row)} returning id`
  return `/api/calendar/feeds/${id}`
}

/** Rows of events. */
export const CALENDAR: Record<string, Row> = {
  'POST /api/servers/:server_id/events': bit('create_events', 201, ({ server_id }) => ({
    path: `/api/servers/${server_id}/events`,
    body: walk(),
  })),
  'GET /api/servers/:server_id/events': member(200, server('/events')),
  'GET /api/events/:event_id': member(200, async (world) => ({ path: await eventOf(world) })),
  'PUT /api/events/:event_id': bit('manage_events', 200, async (world) => ({
    path: await eventOf(world),
    body: { title: 'A run' },
  })),
  'DELETE /api/events/:event_id': bit('manage_events', 204, async (world) => ({ path: await eventOf(world) })),
  'PUT /api/events/:event_id/signup': member(204, async (world) => ({
    path: `${await eventOf(world)}/signup`,
    body: { status: 'yes' },
  })),
  'GET /api/events/:event_id/dates/:date/signups': member(200, async (world) => ({
    path: `${await eventOf(world)}/dates/0/signups`,
  })),
  'GET /api/events/:event_id/ics': member(200, async (world) => ({ path: `${await eventOf(world)}/ics` })),
  'POST /api/calendar/feeds': account(201, () => ({ path: '/api/calendar/feeds', body: { server_id: null } }), {
    bot: 403,
    bot_elsewhere: 403,
  }),
  'GET /api/calendar/feeds': account(200, () => ({ path: '/api/calendar/feeds' })),
  'POST /api/calendar/feeds/:feed_id/renew': account(404, async (world) => ({
    path: `${await feedOfTarget(world)}/renew`,
    body: {},
  })),
  'DELETE /api/calendar/feeds/:feed_id': account(404, async (world) => ({ path: await feedOfTarget(world) })),
}
