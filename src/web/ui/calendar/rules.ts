const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const REPEATS = ['none', 'daily', 'weekly', 'fortnightly', 'monthlyByDay', 'monthlyByWeekday'] as const
/** How an event repeats. `kept` is a rule of another client, which the form leaves as it is. */
export type Repeat = (typeof REPEATS)[number] | 'kept'

/** The choices of a form for an event with a rule. */
export const repeatsFor = (repeat: Repeat): Repeat[] => (repeat === 'kept' ? ['kept', ...REPEATS] : [...REPEATS])

/**
 * The rule of RFC 5545 for a choice.
 * @param start the first date, local
 */
export function ruleOf(repeat: Exclude<Repeat, 'kept'>, start: string, count: number): string | null {
  const date = new Date(`${start.slice(0, 10)}T00:00Z`)
  const [weekday, day] = [DAYS[date.getUTCDay()], date.getUTCDate()]
  const nth = Math.ceil(day / 7)
  // A fifth weekday is the last of its month.
  const rules = {
    none: '',
    daily: 'FREQ=DAILY',
    weekly: `FREQ=WEEKLY;BYDAY=${weekday}`,
    fortnightly: `FREQ=WEEKLY;INTERVAL=2;BYDAY=${weekday}`,
    monthlyByDay: `FREQ=MONTHLY;BYMONTHDAY=${day}`,
    monthlyByWeekday: `FREQ=MONTHLY;BYDAY=${nth > 4 ? -1 : nth}${weekday}`,
  }
  return repeat === 'none' ? null : `${rules[repeat]};COUNT=${count}`
}

/** The choice that a rule stands for, and its number of dates. */
export function repeatOf(rule: string | null, start: string): { repeat: Repeat; count: number } {
  const count = Number(/COUNT=(\d+)/.exec(rule ?? '')?.[1] ?? 10)
  return { repeat: REPEATS.find((repeat) => ruleOf(repeat, start, count) === rule) ?? 'kept', count }
}
