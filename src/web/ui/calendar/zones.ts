const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** The clock of a zone at a moment, as the value of a field for a local date and time. */
export function localIn(at: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const {
    year = '',
    month,
    day,
    hour,
    minute,
  } = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}`
}

/**
 * The moment at which the clock of a zone shows a local date and time. Of two, it is the first; a time that the clock
 * skips counts with the offset before, as in RFC 5545.
 */
export function momentIn(local: string, timeZone: string): number {
  const utc = Date.parse(`${local}Z`)
  const offsetAt = (at: number) => Date.parse(`${localIn(at, timeZone)}Z`) - Math.floor(at / MINUTE_MS) * MINUTE_MS
  const [before, after] = [utc - offsetAt(utc - DAY_MS), utc - offsetAt(utc + DAY_MS)]
  return localIn(before, timeZone) !== local && localIn(after, timeZone) === local ? after : before
}

export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** All zones to choose from; only some where the browser does not list them. */
export function zonesWith(zone: string): string[] {
  const listed = typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : ['UTC']
  return [...new Set([...listed, 'UTC', ownZone(), zone])].sort()
}
