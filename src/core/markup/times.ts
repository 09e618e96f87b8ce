/** A time in a text, `<t:1690000000:F>`, in Discord's styles. */
export const TIME = /<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/y
const ALL_TIMES = new RegExp(TIME.source, 'g')
/** Range of a Date. */
const SECONDS_MAX = 8_640_000_000_000

const STYLES: Record<string, Intl.DateTimeFormatOptions> = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
  s: { dateStyle: 'short', timeStyle: 'short' },
  S: { dateStyle: 'short', timeStyle: 'medium' },
}
/** Units of relative times, in seconds, largest first. */
const UNITS = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

export const isTime = (seconds: number): boolean => Math.abs(seconds) <= SECONDS_MAX

/**
 * Formats a time in a language and this device's time zone.
 * @param locale undefined for the browser's default
 */
export function timeText(seconds: number, style: string, locale: string | undefined, nowMs = Date.now()): string {
  if (style !== 'R') return new Intl.DateTimeFormat(locale, STYLES[style] ?? STYLES.f).format(seconds * 1000)
  const span = seconds - Math.round(nowMs / 1000)
  const [unit, length] = UNITS.find(([, least]) => Math.abs(span) >= least) ?? ['second', 1]
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.trunc(span / length), unit)
}

/** Formats the times in a text without other marks. */
export const withTimes = (text: string, timeOf: (seconds: number, style: string) => string): string =>
  text.replace(ALL_TIMES, (token, seconds: string, style = 'f') =>
    isTime(Number(seconds)) ? timeOf(Number(seconds), style) : token,
  )
