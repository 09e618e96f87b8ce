import { timeText } from '../../core/markup/times.ts'
import { serverNow } from './server-clock.ts'
import { spoken } from '../words/plural.ts'
import { words } from '../words/words.ts'

const formatOf = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(spoken.locale, options)
const clock = formatOf({ hour: '2-digit', minute: '2-digit' })
const day = formatOf({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const short = formatOf({ day: 'numeric', month: 'short', year: 'numeric' })
const full = formatOf({ dateStyle: 'full', timeStyle: 'short' })

export const clockOf = (time: string): string => clock.format(new Date(time))
export const dayOf = (time: string): string => day.format(new Date(time))
export const dateOf = (time: string): string => short.format(new Date(time))
export const momentOf = (time: string): string => full.format(new Date(time))
/** A time in a text, in one of Discord's styles. */
export const momentIn = (seconds: number, style: string): string => timeText(seconds, style, spoken.locale)
const midnightOf = (time: string): number => new Date(time).setHours(0, 0, 0, 0)
export const isSameDay = (one: string, other: string): boolean => midnightOf(one) === midnightOf(other)

/** The time of a moment of today, the date of any other. */
export const briefOf = (time: string): string =>
  isSameDay(time, new Date(serverNow()).toISOString()) ? clockOf(time) : dateOf(time)

/** A number of bytes with its unit. */
export function sizeOf(bytes: number): string {
  let at = 0
  for (; bytes >= 1000 && at < words.sizes.length - 1; at++) bytes /= 1024
  const fraction = at > 0 && bytes < 10 ? 1 : 0
  const format = { minimumFractionDigits: fraction, maximumFractionDigits: fraction }
  return `${bytes.toLocaleString(spoken.locale, format)} ${words.sizes[at]}`
}
