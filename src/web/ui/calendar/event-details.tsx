import { useEffect, useState } from 'preact/hooks'
import type { Attendee, CalendarEvent } from '../../../features/calendar/model.ts'
import type { z } from 'zod'
import { momentOf } from '../../state/format.ts'
import { nameOf, titleOf } from '../../state/names.ts'
import { placePath } from '../../state/route.ts'
import { serverNow } from '../../state/server-clock.ts'
import { call, follow, gateway, state } from '../../state/session.ts'
import { eventWords } from '../../words/events.ts'
import { words } from '../../words/words.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { Avatar } from '../kit/controls.tsx'
import { SelectField, Switch } from '../kit/dialog-forms.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, closeDialogs, showDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { RichText } from '../messages/rich-text.tsx'
import { EventForm, EventPicture } from './event-form.tsx'
import { type EventDate, timeIn } from './occurrences.ts'

/** Reminders to choose from, minutes before the beginning. */
const REMINDERS = [1440, 60, 10] as const
type Minutes = (typeof REMINDERS)[number]
const ATTENDEES_MAX = 100

/** An event as it is now; undefined while it loads, null once it is gone. */
function useEvent(event_id: number) {
  const [event, setEvent] = useState<CalendarEvent | null>()
  const load = () =>
    call('GET /api/events/:event_id', { event_id }).then(setEvent, () => setEvent((now) => (now ? now : null)))
  useEffect(() => {
    void load()
    return gateway.listen(({ t, d }) => {
      if (t === 'event.deleted' && d.id === event_id) setEvent(null)
      if ((t === 'event.changed' && d.id === event_id) || (t === 'event.signup' && d.event_id === event_id)) void load()
    })
  }, [event_id])
  return { event, load }
}

const mayChange = ({ server_id, creator }: CalendarEvent): boolean =>
  state.may(server_id, 'manage_events') || (creator.id === state.me() && state.may(server_id, 'create_events'))

/** Asks above the details of an event, which close with it. */
function askToCancel({ id }: CalendarEvent) {
  const closeDetails = topDialogCloser()
  return askToConfirm({
    title: eventWords.cancel,
    text: eventWords.cancelText,
    action: eventWords.cancel,
    work: async () => {
      await call('DELETE /api/events/:event_id', { event_id: id })
      return closeDetails
    },
  })
}

/** One date of an event: when and where it is, and who comes. */
export const EventDetails = ({ event_id, n }: { event_id: number; n: number }) => {
  follow('shell', 'members')
  const { event, load } = useEvent(event_id)
  const date = event?.dates.find((one) => one.n === n)
  const title = event?.title ?? eventWords.title
  return (
    <Dialog title={title} onClose={closeDialog} class="small event">
      <div>
        {event === undefined ? (
          <p class="quiet">{words.loading}</p>
        ) : !event || !date ? (
          <p>{eventWords.gone}</p>
        ) : (
          <>
            {event.image_file_id === null ? null : <EventPicture id={event.image_file_id} />}
            <When event={event} date={date} />
            <Where event={event} />
            {event.description ? <RichText text={event.description} /> : null}
            {event.signup ? <SignUp event={event} date={date} onChange={load} /> : null}
            <div class="footer">
              <a class="button" href={`/api/events/${event.id}/ics`} download="event.ics">
                {eventWords.file}
              </a>
              {mayChange(event) ? (
                <>
                  <button type="button" onClick={() => showDialog(() => <EventForm event={event} />)}>
                    {eventWords.edit}
                  </button>
                  <button type="button" class="danger" onClick={() => void askToCancel(event)}>
                    {eventWords.cancel}
                  </button>
                </>
              ) : null}
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}

const When = ({ event, date }: { event: CalendarEvent; date: EventDate }) => {
  const there = timeIn(date, event.time_zone)
  return (
    <p>
      <time dateTime={date.starts_at}>{momentOf(date.starts_at)}</time> –{' '}
      <time dateTime={date.ends_at}>{momentOf(date.ends_at)}</time>
      {there ? (
        <>
          <br />
          <small class="quiet">{eventWords.there({ time: there, zone: event.time_zone.replaceAll('_', ' ') })}</small>
        </>
      ) : null}
    </p>
  )
}

const Where = ({ event: { place, creator } }: { event: CalendarEvent }) => {
  const channel = place.channel_id === undefined ? undefined : state.channels.get(place.channel_id)
  return (
    <p>
      {channel ? (
        <a href={placePath(channel.id)} onClick={() => closeDialogs()}>
          {titleOf(channel)}
        </a>
      ) : place.url ? (
        <a href={place.url} target="_blank" rel="noopener noreferrer nofollow">
          {place.url}
        </a>
      ) : (
        <bdi>{place.text}</bdi>
      )}{' '}
      <small class="quiet">{eventWords.by(nameOf(creator.id, creator.display_name))}</small>
    </p>
  )
}

const roleName = ({ name, emoji }: { name: string; emoji: string | null }) => (emoji ? `${emoji} ${name}` : name)

interface SignUpProps {
  event: CalendarEvent
  date: EventDate
  onChange: () => void
}

/** The account's answer, its role and reminders, and the others. */
const SignUp = ({ event, date, onChange }: SignUpProps) => {
  const { attempt, busy, error } = useAttempt()
  const { mine } = date
  const [role, setRole] = useState(mine?.role ?? -1)
  const [remind, setRemind] = useState<Minutes[]>(
    mine ? REMINDERS.filter((minutes) => mine.remind.includes(minutes)) : [60],
  )
  const isOpen = Date.parse(date.starts_at) - (event.signup?.closes_minutes ?? 0) * 60_000 > serverNow()
  const answer = async (status: 'yes' | 'maybe' | 'no', isForAll = false) => {
    const draft = { status, role: role < 0 ? null : role, remind, ...(isForAll ? {} : { date: date.n }) }
    await attempt(() => call('PUT /api/events/:event_id/signup', { event_id: event.id }, draft))
    onChange()
  }
  const roles = event.signup?.roles ?? []
  return (
    <section aria-label={eventWords.signUp}>
      <p role="status">
        {mine ? eventWords.status[mine.status] : eventWords.notYet} · {eventWords.going(date.yes)}
        {date.maybe > 0 ? ` · ${eventWords.maybes(date.maybe)}` : ''}
        {date.waiting > 0 ? ` · ${eventWords.waiting(date.waiting)}` : ''}
      </p>
      {isOpen ? (
        <>
          {roles.length > 0 ? (
            <SelectField
              label={eventWords.role}
              value={role}
              options={[[-1, eventWords.noRole] as const, ...roles.map((one, at) => [at, roleName(one)] as const)]}
              onChange={setRole}
            />
          ) : null}
          <fieldset class="field">
            <legend>{eventWords.remind}</legend>
            {REMINDERS.map((minutes) => (
              <Switch
                key={minutes}
                label={eventWords.span(minutes * 60)}
                on={remind.includes(minutes)}
                onChange={(isOn) =>
                  setRemind(REMINDERS.filter((one) => (one === minutes ? isOn : remind.includes(one))))
                }
              />
            ))}
          </fieldset>
          <div class="choices">
            <button type="button" class="primary" disabled={busy} onClick={() => void answer('yes')}>
              {eventWords.yes}
            </button>
            <button type="button" disabled={busy} onClick={() => void answer('maybe')}>
              {eventWords.maybe}
            </button>
            <button type="button" disabled={busy} onClick={() => void answer('no')}>
              {eventWords.no}
            </button>
            {event.dates.length > 1 ? (
              <button type="button" disabled={busy} onClick={() => void answer('yes', true)}>
                {eventWords.yesToAll}
              </button>
            ) : null}
          </div>
        </>
      ) : (
        <p class="quiet">{eventWords.closed}</p>
      )}
      <Refusal error={error} />
      <Attendees event={event} date={date} roles={roles.map(roleName)} />
    </section>
  )
}

const Attendees = ({ event, date, roles }: { event: CalendarEvent; date: EventDate; roles: string[] }) => {
  const [people, setPeople] = useState<z.infer<typeof Attendee>[]>([])
  const path = { event_id: event.id, date: date.n, limit: ATTENDEES_MAX }
  useEffect(() => {
    void call('GET /api/events/:event_id/dates/:date/signups', path).then(setPeople, () => {})
  }, [event, date.n])
  return (
    <ul class="table">
      {people.map(({ user, status, role }) => (
        <li key={user.id} class="row">
          <Avatar id={user.id} size={28} /> <bdi>{nameOf(user.id, user.display_name)}</bdi>{' '}
          <small class="quiet">
            {eventWords.status[status]}
            {role === null ? '' : ` · ${roles[role] ?? ''}`}
          </small>
        </li>
      ))}
    </ul>
  )
}
