import type { Person } from './harness.ts'

/** The account plans an event, signs up, and makes a feed. @returns the sections of its export */
export async function plans(who: Person, server_id: number) {
  const draft = {
    title: 'The long walk',
    starts_at: new Date(Date.now() + 3_600_000).toISOString(),
    ends_at: new Date(Date.now() + 7_200_000).toISOString(),
    time_zone: 'UTC',
    place: { text: 'The old bridge' },
  }
  const { id, description, recurrence, sequence } = (
    await who.post(`/api/servers/${server_id}/events`, { ...draft, signup: {} })
  ).body
  await who.put(`/api/events/${id}/signup`, { status: 'maybe' })
  const { url: _, ...feed } = (await who.post('/api/calendar/feeds', { server_id })).body
  return {
    events: [{ id, server_id, ...draft, description, recurrence, sequence }],
    event_signups: [{ event_id: id, n: 0, status: 'maybe', role: null }],
    calendar_feeds: [feed],
  }
}
