/** A daily period, HH:MM to HH:MM, in an IANA time zone. */
interface QuietHours {
  from: string
  until: string
  time_zone: string
}

/** True for a name of an IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    // Offsets are refused because they ignore daylight saving time.
    return !/^[+-]/.test(name)
  } catch {
    return false
  }
}

/**
 * True if a time lies in the quiet hours.
 * @param now milliseconds since the epoch
 */
export function isQuiet(hours: QuietHours | null, now: number): boolean {
  if (!hours || !isTimeZone(hours.time_zone)) return false
  const format = { timeZone: hours.time_zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const clock = new Intl.DateTimeFormat('en-GB', format).format(now)
  const { from, until } = hours
  return from <= until ? from <= clock && clock < until : clock >= from || clock < until
}
