import ICAL from 'ical.js'

/** Dates per event, and the time from the first to the last. */
const DATES_MAX = 366
const SPAN_DAYS_MAX = 731
const DAY_MS = 86_400_000

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const DAY = `(?:${DAYS.join('|')})`
/** The parts of a rule, by its frequency, besides FREQ, COUNT and UNTIL. */
const PARTS: Record<string, Record<string, RegExp>> = {
  DAILY: { INTERVAL: /^[1-9]\d?$/ },
  WEEKLY: { INTERVAL: /^[1-9]\d?$/, BYDAY: new RegExp(`^${DAY}(?:,${DAY}){0,6}$`) },
  MONTHLY: {
    INTERVAL: /^[1-9]\d?$/,
    BYDAY: new RegExp(`^(?:[1-4]|-1)${DAY}$`),
    BYMONTHDAY: /^(?:[1-9]|[12]\d|3[01])$/,
  },
}
const COUNT = /^[1-9]\d{0,2}$/
const UNTIL = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

/** A rule of RFC 5545 that Parley accepts. */
export interface Rule {
  /** The rule without UNTIL, for the library. */
  text: string
  /** The last moment at which a date may begin. */
  until: number
  /** BYDAY and BYMONTHDAY, which the first date must fit. */
  byDay: string | undefined
  byMonthDay: string | undefined
}

/**
 * Parses our part of RFC 5545 §3.3.10: daily, weekly on days, monthly by day or weekday, with COUNT or UNTIL. The
 * library never sees anything else.
 * @returns undefined for anything else
 */
export function parseRule(text: string): Rule | undefined {
  const pairs = text.split(';').map((part) => part.split('='))
  if (pairs.some((pair) => pair.length !== 2)) return undefined
  const parts = new Map(pairs as [string, string][])
  const { FREQ = '', COUNT: count, UNTIL: until, ...others } = Object.fromEntries(parts)
  const allowed = Object.hasOwn(PARTS, FREQ) ? PARTS[FREQ] : undefined
  if (!allowed || parts.size < pairs.length || (count === undefined) === (until === undefined)) return undefined
  if (Object.entries(others).some(([name, value]) => !Object.hasOwn(allowed, name) || !allowed[name]?.test(value)))
    return undefined
  if (others.BYDAY !== undefined && others.BYMONTHDAY !== undefined) return undefined
  const days = FREQ === 'WEEKLY' ? (others.BYDAY?.split(',') ?? []) : []
  if (new Set(days).size < days.length) return undefined
  if (count !== undefined && (!COUNT.test(count) || Number(count) > DATES_MAX)) return undefined
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : momentOf(until)
  if (Number.isNaN(untilMs)) return undefined
  return {
    text: pairs
      .filter(([name]) => name !== 'UNTIL')
      .map((pair) => pair.join('='))
      .join(';'),
    until: untilMs,
    byDay: others.BYDAY,
    byMonthDay: others.BYMONTHDAY,
  }
}

/** True if a date has the day that a rule names. The library would look for one forever that no month has. */
function fits({ day, dayOfWeek, daysInMonth }: Temporal.PlainDateTime, { byDay, byMonthDay }: Rule): boolean {
  if (byMonthDay !== undefined) return day === Number(byMonthDay)
  if (byDay === undefined) return true
  const nth = [`${Math.ceil(day / 7)}`, ...(day + 7 > daysInMonth ? ['-1'] : []), '']
  return byDay.split(',').some((one) => nth.some((prefix) => one === `${prefix}${DAYS[dayOfWeek - 1]}`))
}

/** A date and time of RFC 5545 in UTC; NaN for one that does not exist. */
function momentOf(text: string): number {
  const [, ...numbers] = UNTIL.exec(text) ?? []
  if (numbers.length < 6) return Number.NaN
  const [year, month, day, hour, minute, second] = numbers
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`
  const at = Date.parse(iso)
  return !Number.isNaN(at) && new Date(at).toISOString() === iso ? at : Number.NaN
}

/** The moment of a time on the clocks of a zone. Of a time that a clock skips, RFC 5545 takes the offset before. */
const momentIn = (local: string, timeZone: string): number =>
  Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds

/**
 * The moments at which an event begins, in order: each at the same time on the clocks of its zone.
 * @returns undefined if the first date does not follow the rule, or there are more than DATES_MAX dates or two years
 */
export function datesOf(startsAt: number, timeZone: string, rule: Rule): number[] | undefined {
  const { text, until } = rule
  const first = Temporal.Instant.fromEpochMilliseconds(startsAt).toZonedDateTimeISO(timeZone).toPlainDateTime()
  // The library counts whole seconds.
  const start = first.with({ millisecond: 0, microsecond: 0, nanosecond: 0 })
  if (!fits(start, rule)) return undefined
  const rest = startsAt - momentIn(start.toString(), timeZone)
  const startText = start.toString({ smallestUnit: 'second' })
  const { year, month, day, hour, minute, second } = start
  const dtstart = ICAL.Time.fromData({ year, month, day, hour, minute, second, isDate: false })
  const dates = ICAL.Recur.fromString(text).iterator(dtstart)
  const moments: number[] = []
  for (let date = dates.next(); date; date = dates.next()) {
    const at = momentIn(date.toString(), timeZone) + rest
    if (at > until) break
    if (moments.length === 0 && date.toString() !== startText) return undefined
    moments.push(at)
    if (moments.length > DATES_MAX || at - startsAt > SPAN_DAYS_MAX * DAY_MS) return undefined
  }
  return moments.length > 0 ? moments : undefined
}
