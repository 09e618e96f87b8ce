import { clockOf, dayOf, isSameDay } from '../../state/format.ts'
import { serverNow } from '../../state/server-clock.ts'
import { eventWords } from '../../words/events.ts'
import { spoken } from '../../words/plural.ts'
import { daysOfMonth, type Occurrence } from './occurrences.ts'

interface MonthProps {
  month: Date
  occurrences: Occurrence[]
  onMonth: (month: Date) => void
  onOpen: (occurrence: Occurrence) => void
}

/** A month as a table of weeks, in the zone of this device. */
export const Month = ({ month, occurrences, onMonth, onOpen }: MonthProps) => {
  const [year, at] = [month.getFullYear(), month.getMonth()]
  const days = daysOfMonth(year, at)
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  const format = (options: Intl.DateTimeFormatOptions, day: Date) =>
    new Intl.DateTimeFormat(spoken.locale, options).format(day)
  const today = new Date(serverNow()).toISOString()
  return (
    <>
      <div class="choices month-steps">
        <button type="button" onClick={() => onMonth(new Date(year, at - 1, 1))}>
          {eventWords.before}
        </button>
        <strong role="status">{format({ month: 'long', year: 'numeric' }, month)}</strong>
        <button type="button" onClick={() => onMonth(new Date(year, at + 1, 1))}>
          {eventWords.after}
        </button>
      </div>
      <table class="month">
        <thead>
          <tr>
            {days.slice(0, 7).map((day) => (
              <th key={day.getDay()} scope="col" abbr={format({ weekday: 'long' }, day)}>
                {format({ weekday: 'short' }, day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]?.getTime()}>
              {week.map((day) => {
                const time = day.toISOString()
                const ofDay = occurrences.filter(({ date }) => isSameDay(date.starts_at, time))
                return (
                  <td
                    key={time}
                    class={day.getMonth() === at ? '' : 'other'}
                    aria-current={isSameDay(time, today) ? 'date' : undefined}
                  >
                    <time dateTime={time} aria-label={dayOf(time)}>
                      {day.getDate()}
                    </time>
                    {ofDay.map((occurrence) => (
                      <button
                        key={`${occurrence.event.id} ${occurrence.date.n}`}
                        type="button"
                        class="link"
                        title={`${clockOf(occurrence.date.starts_at)} ${occurrence.event.title}`}
                        onClick={() => onOpen(occurrence)}
                      >
                        <bdi>{occurrence.event.title}</bdi>
                      </button>
                    ))}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
