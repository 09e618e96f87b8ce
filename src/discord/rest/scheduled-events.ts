import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import type { CalendarEvent } from '../../features/calendar/model.ts'
import type { PublicUser } from '../../core/schema.ts'
import { ENTITY, ruleText, scheduledEventOf, STATUS } from '../shapes/scheduled-events.ts'
import { memberById, userOf } from '../shapes/users.ts'
import { field } from '../../http/answers.ts'
import { numberIn, parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { withPicture } from './pictures.ts'
import { route } from './router.ts'

// Scheduled events: those of Parley's calendar.

/** The duration of an event in a voice channel, for which Discord requires no end. */
const CALL_MS = 3_600_000
const USERS_MAX = 100

const Rule = z.object({
  frequency: z.int().min(0).max(3),
  interval: z.int().min(1).max(99).nullish(),
  by_weekday: z.array(z.int().min(0).max(6)).max(7).nullish(),
  by_n_weekday: z
    .array(z.object({ n: z.int().min(1).max(5), day: z.int().min(0).max(6) }))
    .max(1)
    .nullish(),
  by_month_day: z.array(z.int()).max(1).nullish(),
})
/** Libraries write times with other offsets than Z. */
const Moment = z.string().max(64).transform(utc)
const EventBody = z.object({
  name: z.string().optional(),
  description: z.string().nullish(),
  scheduled_start_time: Moment.optional(),
  scheduled_end_time: Moment.nullish(),
  entity_type: z.int().nullish(),
  channel_id: z.string().nullish(),
  entity_metadata: z.object({ location: z.string().nullish() }).nullish(),
  image: z.string().nullish(),
  recurrence_rule: Rule.nullish(),
  status: z.int().nullish(),
})
type EventBody = z.infer<typeof EventBody>

function utc(text: string): string {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? text : new Date(ms).toISOString()
}

/** The place in a body, as Parley's API takes it; none if the body has none. @throws Unknown */
async function placeFields(call: Call, { channel_id, entity_metadata }: EventBody): Promise<object> {
  if (channel_id) return { place: { channel_id: await call.find('channel', channel_id) } }
  const location = entity_metadata?.location?.trim()
  if (!location) return {}
  // A channel may be named as its mention, as this door writes it.
  const [, mentioned] = /^<#(\d{15,19})>$/.exec(location) ?? []
  if (mentioned !== undefined) return { place: { channel_id: await call.find('channel', mentioned) } }
  return { place: URL.canParse(location) && /^https?:/.test(location) ? { url: location } : { text: location } }
}

/** The fields of a body that it has, as Parley's API takes them. */
async function fieldsOf(call: Call, body: EventBody): Promise<object> {
  const { name, description, scheduled_start_time, scheduled_end_time, recurrence_rule } = body
  return {
    ...(name === undefined ? {} : { title: name }),
    ...(description === undefined ? {} : { description: description ?? '' }),
    ...(scheduled_start_time === undefined ? {} : { starts_at: scheduled_start_time }),
    ...(scheduled_end_time ? { ends_at: scheduled_end_time } : {}),
    ...(recurrence_rule === undefined ? {} : { recurrence: recurrence_rule && ruleText(recurrence_rule) }),
    ...(await placeFields(call, body)),
  }
}

const show = (call: Call, event: CalendarEvent): Promise<object> => call.resolve((of) => scheduledEventOf(of, event))

async function list(call: Call): Promise<Reply> {
  const { id } = await call.own<{ id: number }>('GET', `/api/servers/${await call.id('server', 'guild')}`)
  return call.resolve((of) =>
    (of.fact('server_events', `${id}:${call.me.id}`) ?? []).map((event) => scheduledEventOf(of, event)),
  )
}

/** The event in the path, which is of the server in the path. @throws Unknown */
async function eventIn(call: Call): Promise<CalendarEvent> {
  const serverId = await call.id('server', 'guild')
  const event = await call.own<CalendarEvent>('GET', `/api/events/${await call.id('event')}`)
  if (event.server_id !== serverId) throw new Problem('not_found')
  return event
}

async function create(call: Call): Promise<Reply> {
  const serverId = await call.id('server', 'guild')
  const body = parseBody(EventBody, call.body)
  const { scheduled_start_time, scheduled_end_time, entity_type } = body
  if (scheduled_start_time === undefined) throw field('scheduled_start_time', 'Required')
  if (!Object.values<unknown>(ENTITY).includes(entity_type))
    throw field('entity_type', 'Must be 1, in a stage, 2, in a voice channel, or 3, elsewhere')
  if (entity_type === ENTITY.external && !scheduled_end_time) throw field('scheduled_end_time', 'Required')
  const ends_at = scheduled_end_time ?? new Date(Date.parse(scheduled_start_time) + CALL_MS).toISOString()
  // Everybody may say that they are interested.
  const draft = { ...(await fieldsOf(call, body)), ends_at, time_zone: 'UTC', signup: {} }
  const event = await withPicture(call, 'image_file_id', body.image ?? undefined, (fields) =>
    call.own<CalendarEvent>('POST', `/api/servers/${serverId}/events`, { ...draft, ...fields }),
  )
  return show(call, event)
}

/** Changes an event. Its times decide whether it has begun; only a cancellation can be asked for. */
async function edit(call: Call): Promise<Reply> {
  const before = await eventIn(call)
  const body = parseBody(EventBody, call.body)
  const path = `/api/events/${before.id}`
  if (body.status === STATUS.cancelled) {
    await call.own('DELETE', path)
    return call.resolve((of) => scheduledEventOf(of, before, true))
  }
  const current = await call.resolve((of) => scheduledEventOf(of, before))
  if (body.status && body.status !== current.status)
    throw new Problem('forbidden', 'An event begins and ends at its times')
  const fields = await fieldsOf(call, body)
  if (Object.keys(fields).length === 0 && body.image === undefined) return current
  const event = await withPicture(call, 'image_file_id', body.image, (picture) =>
    call.own<CalendarEvent>('PUT', path, { ...fields, ...picture }),
  )
  return show(call, event)
}

async function remove(call: Call): Promise<Reply> {
  await call.own('DELETE', `/api/events/${(await eventIn(call)).id}`)
  return undefined
}

/** The accounts that have signed up for the next date of an event. */
async function users(call: Call): Promise<Reply> {
  const event = await eventIn(call)
  const [next] = event.dates
  if (!next) return []
  const limit = Math.max(1, numberIn(call.query, 'limit', USERS_MAX) ?? USERS_MAX)
  const after = call.query.get('after')
  const before = call.query.get('before')
  const cursor = after
    ? await call.cursor('user', 'after', after)
    : before
      ? await call.cursor('user', 'before', before)
      : ''
  const path = `/api/events/${event.id}/dates/${next.n}/signups?limit=${limit}${cursor}`
  const attendees = await call.own<{ user: PublicUser }[]>('GET', path)
  const hasMembers = call.query.get('with_member') === 'true'
  return call.resolve((of) =>
    attendees.map(({ user }) => {
      const member = hasMembers ? memberById(of, event.server_id, user.id) : undefined
      return {
        guild_scheduled_event_id: of.id('event', event.id),
        user: userOf(of, user),
        ...(member ? { member: { ...member, user: userOf(of, user) } } : {}),
      }
    }),
  )
}

export const scheduledEventRoutes = [
  route('GET', '/guilds/:guild/scheduled-events', 'server', list),
  route('POST', '/guilds/:guild/scheduled-events', 'server', create),
  route('GET', '/guilds/:guild/scheduled-events/:event', 'event', async (call) => show(call, await eventIn(call))),
  route('PATCH', '/guilds/:guild/scheduled-events/:event', 'event', edit),
  route('DELETE', '/guilds/:guild/scheduled-events/:event', 'event', remove),
  route('GET', '/guilds/:guild/scheduled-events/:event/users', 'event', users),
]
