import { useEffect, useState } from 'preact/hooks'
import type { CalendarEvent } from '../../../features/calendar/model.ts'
import { serverNow } from '../../state/server-clock.ts'
import { clockOf, dayOf, isSameDay } from '../../state/format.ts'
import { call, follow, gateway, state } from '../../state/session.ts'
import { eventWords } from '../../words/events.ts'
import { words } from '../../words/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, showDialog } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { EventDetails } from './event-details.tsx'
import { EventForm } from './event-form.tsx'
import { showFeed } from './feed.tsx'
import { Month } from './month.tsx'
import { type Occurrence, occurrencesOf } from './occurrences.ts'

/** The span of a list, and of the weeks of a month, days: less than the server's limit. */
const SPAN_DAYS = 44
const DAY_MS = 86_400_000

/** The events of a server in a span of time, which follow the server's while they are shown. */
function useEvents(server_id: number, from: number) {
  const [events, setEvents] = useState<CalendarEvent[]>()
  const { attempt, error } = useAttempt()
  const load = async () => {
    const span = { from: new Date(from).toISOString(), to: new Date(from + SPAN_DAYS * DAY_MS).toISOString() }
    const answer = await attempt(() => call('GET /api/servers/:server_id/events', { server_id, ...span }))
    if (answer) setEvents(answer)
  }
  useEffect(() => {
    void load()
    return gateway.listen(({ t, d }) => {
      const isOurs = (t === 'event.changed' || t === 'event.deleted') && d.server_id === server_id
      if (isOurs || t === 'event.signup') void load()
    })
  }, [server_id, from])
  return { events, error }
}

/** Opens one date of an event. */
const open = ({ event, date }: Occurrence) => showDialog(() => <EventDetails event_id={event.id} n={date.n} />)

/** The events of a server, as a list or as a month. */
export const EventsDialog = ({ server_id }: { server_id: number }) => {
  follow('shell')
  const [view, setView] = useState<'list' | 'month'>('list')
  const [month, setMonth] = useState(() => new Date(serverNow()))
  const [now] = useState(serverNow)
  const first = new Date(month.getFullYear(), month.getMonth(), 1).getTime()
  // The weeks of a month begin up to six days before it.
  const { events, error } = useEvents(server_id, view === 'list' ? now : first - 6 * DAY_MS)
  const occurrences = occurrencesOf(events ?? [])
  return (
    <Dialog title={eventWords.title} onClose={closeDialog} class="events">
      <div>
        <div class="choices" role="group" aria-label={eventWords.view}>
          <button type="button" aria-pressed={view === 'list'} onClick={() => setView('list')}>
            {eventWords.list}
          </button>
          <button type="button" aria-pressed={view === 'month'} onClick={() => setView('month')}>
            {eventWords.month}
          </button>
          <button type="button" onClick={() => showFeed(server_id)}>
            {eventWords.subscribe}
          </button>
          {state.may(server_id, 'create_events') ? (
            <button type="button" class="primary" onClick={() => showDialog(() => <EventForm server_id={server_id} />)}>
              {eventWords.create}
            </button>
          ) : null}
        </div>
        <Refusal error={error} />
        {view === 'month' ? (
          <Month month={month} occurrences={occurrences} onMonth={setMonth} onOpen={open} />
        ) : events === undefined ? (
          <p class="quiet">{words.loading}</p>
        ) : occurrences.length === 0 ? (
          <Empty icon="calendar" title={eventWords.none} text={eventWords.noneText} />
        ) : (
          <List occurrences={occurrences} />
        )}
      </div>
    </Dialog>
  )
}

const List = ({ occurrences }: { occurrences: Occurrence[] }) => (
  <ul class="table">
    {occurrences.map((occurrence, at) => {
      const { event, date } = occurrence
      const before = occurrences[at - 1]?.date
      const isNewDay = !before || !isSameDay(before.starts_at, date.starts_at)
      return (
        <li key={`${event.id} ${date.n}`}>
          {isNewDay ? <h3>{dayOf(date.starts_at)}</h3> : null}
          <button type="button" class="row" onClick={() => open(occurrence)}>
            <time dateTime={date.starts_at}>{clockOf(date.starts_at)}</time>
            <bdi>{event.title}</bdi>
            <small class="quiet">
              {date.mine ? eventWords.status[date.mine.status] : event.signup ? eventWords.going(date.yes) : ''}
            </small>
          </button>
        </li>
      )
    })}
  </ul>
)
