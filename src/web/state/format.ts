const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })

export const clockOf = (time: string): string => clock.format(new Date(time))
export const dayOf = (time: string): string => day.format(new Date(time))
export const dateOf = (time: string): string => short.format(new Date(time))
export const momentOf = (time: string): string => full.format(new Date(time))
export const isSameDay = (one: string, other: string): boolean =>
  new Date(one).toDateString() === new Date(other).toDateString()

/** A number of bytes with its unit. */
export function sizeOf(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB']
  let at = 0
  for (; bytes >= 1000 && at < units.length - 1; at++) bytes /= 1024
  return `${at === 0 ? bytes : bytes.toFixed(bytes < 10 ? 1 : 0)} ${units[at]}`
}
