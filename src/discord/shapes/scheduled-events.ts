import type { CalendarEvent } from '../../features/calendar/model.ts'
import type { Lookup } from '../lookup.ts'
import { discordTime, userOf } from './users.ts'

// Events of the calendar as Discord's scheduled events.

/** Discord's states of an event; the times of Parley's events decide about them. */
export const STATUS = { scheduled: 1, active: 2, completed: 3, cancelled: 4 } as const
/** Discord's kinds of places. */
export const ENTITY = { stage: 1, voice: 2, external: 3 } as const
/** Only members see the event: the only level that Discord has. */
const GUILD_ONLY = 2

const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY'] as const
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
/** Maximum number of dates per frequency, because Discord's rules have no end: about two years. */
const COUNTS: Partial<Record<(typeof FREQUENCIES)[number], number>> = { MONTHLY: 24, WEEKLY: 100, DAILY: 366 }

/** A rule as Discord writes it. */
export interface DiscordRule {
  frequency: number
  interval?: number | null | undefined
  by_weekday?: number[] | null | undefined
  by_n_weekday?: { n: number; day: number }[] | null | undefined
  by_month_day?: number[] | null | undefined
}

/** The rule as RFC 5545 writes it; our own routes refuse what Parley does not repeat by. */
export function ruleText({ frequency, interval, by_weekday, by_n_weekday, by_month_day }: DiscordRule): string {
  const name = FREQUENCIES[frequency] ?? 'YEARLY'
  const [nth] = by_n_weekday ?? []
  // Discord's daily rule on some days is a weekly one.
  const isWeekly = name === 'WEEKLY' || (name === 'DAILY' && Boolean(by_weekday?.length))
  const days = nth ? [`${nth.n}${DAYS[nth.day]}`] : (by_weekday ?? []).map((day) => DAYS[day])
  const frequencyName = isWeekly ? 'WEEKLY' : name
  const step = interval ?? 1
  return [
    `FREQ=${frequencyName}`,
    ...(step === 1 ? [] : [`INTERVAL=${step}`]),
    ...(days.length > 0 ? [`BYDAY=${days.join(',')}`] : []),
    ...(by_month_day?.length ? [`BYMONTHDAY=${by_month_day.join(',')}`] : []),
    `COUNT=${Math.max(1, Math.floor((COUNTS[frequencyName] ?? 1) / step))}`,
  ].join(';')
}

/** A rule of RFC 5545 as Discord writes it. @param start of the first date */
function discordRule(text: string, start: string) {
  const parts = Object.fromEntries(text.split(';').map((part) => part.split('='))) as Record<string, string>
  const { FREQ = '', BYDAY = '', BYMONTHDAY } = parts
  const days = BYDAY === '' ? [] : BYDAY.split(',')
  const isNth = FREQ === 'MONTHLY' && days.length > 0
  const dayOf = (day: string) => DAYS.findIndex((name) => day.endsWith(name))
  return {
    start: discordTime(start),
    end: null,
    frequency: FREQUENCIES.findIndex((name) => name === FREQ),
    interval: Number(parts.INTERVAL ?? 1),
    by_weekday: isNth || days.length === 0 ? null : days.map(dayOf),
    by_n_weekday: isNth ? days.map((day) => ({ n: Number.parseInt(day, 10), day: dayOf(day) })) : null,
    by_month: null,
    by_month_day: BYMONTHDAY === undefined ? null : [Number(BYMONTHDAY)],
    by_year_day: null,
    count: parts.COUNT === undefined ? null : Number(parts.COUNT),
  }
}

/** The place of an event. Discord has no events in text channels, so the channel is named as a place outside. */
function placeOf(of: Lookup, { place: { channel_id, text, url } }: CalendarEvent) {
  if (channel_id === undefined)
    return { channel_id: null, entity_type: ENTITY.external, entity_metadata: { location: text ?? url ?? '' } }
  const id = of.id('channel', channel_id)
  const type = of.fact('channel_row', channel_id)?.type
  return type === 'voice' || type === 'stage'
    ? { channel_id: id, entity_type: ENTITY[type], entity_metadata: null }
    : { channel_id: null, entity_type: ENTITY.external, entity_metadata: { location: `<#${id}>` } }
}

function statusOf(startsAt: string, endsAt: string, nowMs: number): number {
  if (nowMs < Date.parse(startsAt)) return STATUS.scheduled
  return nowMs < Date.parse(endsAt) ? STATUS.active : STATUS.completed
}

/** An event of the calendar. One that repeats has the times of its next date. */
export function scheduledEventOf(of: Lookup, event: CalendarEvent, isCancelled = false, nowMs = Date.now()) {
  const next = event.dates.find(({ ends_at }) => Date.parse(ends_at) > nowMs) ?? event.dates.at(-1)
  const { starts_at, ends_at } = next ?? event
  return {
    id: of.id('event', event.id),
    guild_id: of.id('server', event.server_id),
    ...placeOf(of, event),
    creator_id: of.id('user', event.creator.id),
    creator: userOf(of, event.creator),
    name: event.title,
    description: event.description === '' ? null : event.description,
    image: null,
    scheduled_start_time: discordTime(starts_at),
    scheduled_end_time: discordTime(ends_at),
    privacy_level: GUILD_ONLY,
    status: isCancelled ? STATUS.cancelled : statusOf(starts_at, ends_at, nowMs),
    entity_id: null,
    user_count: next ? next.yes + next.maybe + next.waiting : 0,
    recurrence_rule: event.recurrence === null ? null : discordRule(event.recurrence, event.starts_at),
  }
}

/** When an event begins of which a bot learns only that it is gone: the date that libraries want says nothing. */
const NO_TIME = discordTime(new Date(0).toISOString())

/** An event that a bot does not see: only its ids, among the fields that libraries want. */
export const unseenEventOf = (of: Lookup, { id, server_id }: Pick<CalendarEvent, 'id' | 'server_id'>) => ({
  id: of.id('event', id),
  guild_id: of.id('server', server_id),
  channel_id: null,
  entity_type: ENTITY.external,
  entity_metadata: { location: '' },
  creator_id: null,
  name: '',
  description: null,
  image: null,
  scheduled_start_time: NO_TIME,
  scheduled_end_time: NO_TIME,
  privacy_level: GUILD_ONLY,
  status: STATUS.cancelled,
  entity_id: null,
  user_count: 0,
  recurrence_rule: null,
})
