import type { CalendarEvent } from '../../../features/calendar/model.ts'
import { spoken } from '../../words/plural.ts'

export type EventDate = CalendarEvent['dates'][number]

/** One date of an event. */
export interface Occurrence {
  event: CalendarEvent
  date: EventDate
}

/** The dates of events, the next first. */
export const occurrencesOf = (events: CalendarEvent[]): Occurrence[] =>
  events
    .flatMap((event) => event.dates.map((date) => ({ event, date })))
    .toSorted((a, b) => a.date.starts_at.localeCompare(b.date.starts_at) || a.event.id - b.event.id)

/** The time of a date on the clocks of another zone; undefined if they show the same. */
export function timeIn({ starts_at }: EventDate, timeZone: string): string | undefined {
  const format = (zone?: string) =>
    new Intl.DateTimeFormat(spoken.locale, { weekday: 'short', hour: '2-digit', minute: '2-digit', timeZone: zone })
  const there = format(timeZone).format(new Date(starts_at))
  return there === format().format(new Date(starts_at)) ? undefined : there
}

/** The first day of the week of the language: 1 for Monday, 7 for Sunday. */
function firstDay(): number {
  const locale: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(
    new Intl.DateTimeFormat(spoken.locale).resolvedOptions().locale,
  )
  return locale.getWeekInfo?.().firstDay ?? 1
}

/** The days of the weeks that show a month, from midnight. */
export function daysOfMonth(year: number, month: number): Date[] {
  const before = (new Date(year, month, 1).getDay() - (firstDay() % 7) + 7) % 7
  const count = Math.ceil((before + new Date(year, month + 1, 0).getDate()) / 7) * 7
  return Array.from({ length: count }, (_, at) => new Date(year, month, 1 - before + at))
}
