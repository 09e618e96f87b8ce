import type { z } from 'zod'
import type {
  Attendee,
  CalendarEvent,
  EventDraft,
  EventPatch,
  Feed,
  FeedDraft,
  IssuedFeed,
  SignupDraft,
} from '../../features/calendar/model.ts'

/** The endpoints of events and of their calendars. */
export interface CalendarEndpoints {
  'GET /api/servers/:server_id/events': { query: { from?: string; to?: string }; answer: CalendarEvent[] }
  'POST /api/servers/:server_id/events': { body: z.input<typeof EventDraft>; answer: CalendarEvent }
  'GET /api/events/:event_id': { query: object; answer: CalendarEvent }
  'PUT /api/events/:event_id': { body: z.input<typeof EventPatch>; answer: CalendarEvent }
  'DELETE /api/events/:event_id': { query: object; answer: void }
  'PUT /api/events/:event_id/signup': { body: z.input<typeof SignupDraft>; answer: void }
  'GET /api/events/:event_id/dates/:date/signups': {
    query: { limit?: number; offset?: number; before?: number; after?: number; around?: number }
    answer: z.output<typeof Attendee>[]
  }
  'GET /api/calendar/feeds': { query: object; answer: Feed[] }
  'POST /api/calendar/feeds': { body: z.input<typeof FeedDraft>; answer: IssuedFeed }
  'POST /api/calendar/feeds/:feed_id/renew': { body: Record<string, never>; answer: IssuedFeed }
  'DELETE /api/calendar/feeds/:feed_id': { query: object; answer: void }
}
