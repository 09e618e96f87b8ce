import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { isTimeZone } from '../../core/quiet-hours.ts'
import { GivenTime, Id, isWebAddress, line, patch, PublicUser, shownText, Time } from '../../core/schema.ts'
import { parseRule } from './recurrence.ts'

/** Events of a server that have not ended. */
export const EVENTS_MAX = 100
/** Events of a server that can be cancelled within a day before it creates no more. */
export const CANCELLED_PER_DAY_MAX = 100
/** How long a cancelled event stays, so that calendar programs learn of it. */
export const CANCELLED_KEPT_DAYS = 31
/** Accounts that sign up for one date, the waiting list included. */
export const SIGNUPS_MAX = 1000
/** The span of dates in one list, days. */
export const LIST_DAYS_MAX = 45
/** Minutes before the beginning at which an account may be reminded. */
export const REMINDERS = [1440, 60, 10] as const

const Max = z.int().min(1).max(SIGNUPS_MAX).nullable().default(null)
const Signup = z.strictObject({
  roles: z
    .array(
      z.strictObject({ name: line(50).meta({ example: 'Driver' }), emoji: line(8).nullable().default(null), max: Max }),
    )
    .max(10)
    .default([]),
  max: Max.describe('who may say yes; null: no limit'),
  waiting_list: z.boolean().default(false).describe('whether others wait for a place, instead of being refused'),
  closes_minutes: z.int().min(0).max(43_200).default(0).describe('how long before each date sign-ups close'),
})
export type Signup = z.infer<typeof Signup>

const Place = z
  .union([
    z.strictObject({ channel_id: Id }),
    z.strictObject({ text: line(200).meta({ example: 'The old bridge' }) }),
    z.strictObject({ url: z.string().max(2048).refine(isWebAddress, 'Must be an http or https URL') }),
  ])
  .describe('a channel, whose members see the event, and nobody else; a text; or an address')

const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'Must be a time zone of the IANA')
  .meta({ example: 'Europe/Berlin' })
const Recurrence = z
  .string()
  .max(200)
  .refine((text) => parseRule(text) !== undefined, 'Must be a rule of RFC 5545 that is supported')
  .nullable()
  .describe('FREQ=DAILY, WEEKLY with BYDAY, or MONTHLY with BYMONTHDAY or BYDAY; INTERVAL; and COUNT or UNTIL')
  .meta({ example: 'FREQ=WEEKLY;BYDAY=TU;COUNT=10' })

const fields = {
  title: line(100).meta({ example: 'The long walk' }),
  description: shownText(2000),
  starts_at: GivenTime,
  ends_at: GivenTime,
  time_zone: TimeZone,
  recurrence: Recurrence,
  place: Place,
  image_file_id: Id.nullable().describe('a picture that the caller has uploaded; shown to whoever sees the event'),
  signup: Signup.nullable(),
}

export const EventDraft = z
  .strictObject({
    ...fields,
    description: fields.description.default(''),
    recurrence: fields.recurrence.default(null),
    image_file_id: fields.image_file_id.default(null),
    signup: fields.signup.default(null),
  })
  .meta({
    title: 'EventDraft',
    example: {
      title: 'The long walk',
      starts_at: '2027-05-05T17:00:00Z',
      ends_at: '2027-05-05T19:00:00Z',
      time_zone: 'Europe/Berlin',
      place: { text: 'The old bridge' },
    },
  })
export type EventDraft = z.infer<typeof EventDraft>
export const EventPatch = patch(fields).meta({ title: 'EventPatch', example: { title: 'The longer walk' } })
export type EventPatch = z.infer<typeof EventPatch>

const Remind = z.array(z.literal(REMINDERS)).max(REMINDERS.length).describe('minutes before the beginning')

const EventDate = z.object({
  n: z.int().describe('names the date, also after it has been moved'),
  starts_at: Time,
  ends_at: Time,
  yes: z.int(),
  maybe: z.int(),
  waiting: z.int(),
  mine: z
    .object({ status: z.enum(['yes', 'maybe', 'waiting']), role: z.int().nullable(), remind: z.array(z.int()) })
    .nullable()
    .describe('the sign-up of the caller'),
})

/** An event of a server. */
export const CalendarEvent = z
  .object({
    id: Id,
    server_id: Id,
    creator: PublicUser,
    title: z.string(),
    description: z.string(),
    starts_at: Time.describe('of the first date'),
    ends_at: Time,
    time_zone: z.string(),
    recurrence: z.string().nullable(),
    place: z.object({ channel_id: Id.optional(), text: z.string().optional(), url: z.string().optional() }),
    image_file_id: Id.nullable(),
    signup: Signup.nullable(),
    sequence: z.int().describe('counts the changes'),
    dates: z.array(EventDate),
  })
  .meta({ title: 'CalendarEvent' })
export type CalendarEvent = z.infer<typeof CalendarEvent>

export const EventsQuery = z.object({
  from: GivenTime.optional().describe('by default now'),
  to: GivenTime.optional().describe(`at most ${LIST_DAYS_MAX} days later, which is the default`),
})

export const SignupDraft = z
  .strictObject({
    status: z.enum(['yes', 'maybe', 'no']),
    role: z.int().min(0).max(9).nullable().default(null).describe('the position of a role of the event'),
    date: z.int().min(0).optional().describe('`n` of one date; absent: every date to come'),
    remind: Remind.default([60]),
  })
  .meta({ title: 'SignupDraft', example: { status: 'yes' } })
export type SignupDraft = z.infer<typeof SignupDraft>

export const Attendee = z
  .object({ user: PublicUser, status: z.enum(['yes', 'maybe', 'waiting']), role: z.int().nullable() })
  .meta({ title: 'Attendee' })

/** Calendar feeds per account, and their path, outside `/api`, where every request needs a token. */
export const FEEDS_MAX = 20
export const FEEDS_PATH = '/calendar'

const server_id = Id.nullable().describe('null: the events of all servers of the account')

/** A calendar feed of an account. */
export const Feed = z.object({ id: Id, server_id, created_at: Time }).meta({ title: 'Feed' })
export type Feed = z.infer<typeof Feed>

export const FeedDraft = z.strictObject({ server_id }).meta({ title: 'FeedDraft', example: { server_id: 42 } })

/** A feed with its address, which is shown only this once. */
export const IssuedFeed = Feed.extend({
  url: z
    .string()
    .describe('reads the calendar without an account: a secret; shown once')
    .meta({ example: 'https://chat.example.org/calendar/cQ9f….ics' }),
}).meta({ title: 'IssuedFeed' })
export type IssuedFeed = z.infer<typeof IssuedFeed>

const key = (d: { id: number }) => `event:${d.id}`
const to = 'members; for an event in a channel, members who see the channel'

export const calendarEvents = {
  'event.changed': durable(
    z.object({ id: Id, server_id: Id, is_new: z.literal(true).optional().describe('only of an event just created') }),
    key,
    to,
  ),
  'event.deleted': durable(z.object({ id: Id, server_id: Id }), key, to),
  'event.reminder': durable(
    z.object({ event_id: Id, server_id: Id, n: z.int(), starts_at: Time }),
    (d) => `reminder:${d.event_id}:${d.n}`,
    'your own sockets',
  ),
  'event.attendee': durable(
    z.object({
      event_id: Id,
      server_id: Id,
      user_id: Id,
      coming: z.boolean().describe('false when the account has taken its last sign-up back'),
    }),
    (d) => `attendee:${d.event_id}:${d.user_id}`,
    'bots of the server that see the event, after the first sign-up of an account and the end of its last one',
  ),
  'event.signup': durable(
    z.object({
      event_id: Id,
      promoted: z.array(z.int()).describe('`n` of the dates at which a place became free for you, while you waited'),
    }),
    (d) => `signup:${d.event_id}`,
    'your own sockets',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof calendarEvents> {}
}
