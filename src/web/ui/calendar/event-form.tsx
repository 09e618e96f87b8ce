import { useState } from 'preact/hooks'
import type { CalendarEvent } from '../../../features/calendar/model.ts'
import { urlOf } from '../../state/download-urls.ts'
import { serverNow } from '../../state/server-clock.ts'
import { call, state } from '../../state/session.ts'
import { isSpoken } from '../../state/spoken.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { eventWords } from '../../words/events.ts'
import { words } from '../../words/words.ts'
import { choosePicture } from '../kit/choose-picture.ts'
import { FormFooter, SelectField, Switch } from '../kit/dialog-forms.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { type Repeat, repeatOf, repeatsFor, ruleOf } from './rules.ts'
import { localIn, momentIn, ownZone, zonesWith } from './zones.ts'

const [TITLE_MAX, TEXT_MAX] = [100, 2000]
const HOUR_MS = 3_600_000
/** Minutes before the beginning at which sign-ups close. */
const CLOSES = [0, 60, 1440]

/** When an event is, as its form shows it. */
interface Schedule {
  starts: string
  ends: string
  zone: string
  repeat: Repeat
  count: string
}

function scheduleOf(event: CalendarEvent | undefined): Schedule {
  const zone = event?.time_zone ?? ownZone()
  const soon = Math.ceil((serverNow() + HOUR_MS) / HOUR_MS) * HOUR_MS
  const starts = localIn(event ? Date.parse(event.starts_at) : soon, zone)
  const { repeat, count } = repeatOf(event?.recurrence ?? null, starts)
  const ends = localIn(event ? Date.parse(event.ends_at) : soon + HOUR_MS, zone)
  return { starts, ends, zone, repeat, count: `${count}` }
}

/** The fields of an event for a schedule. @param ownRule the rule of the event, if the form cannot show it */
const datesOf = ({ starts, ends, zone, repeat, count }: Schedule, ownRule: string | null) => ({
  starts_at: new Date(momentIn(starts, zone)).toISOString(),
  ends_at: new Date(momentIn(ends, zone)).toISOString(),
  time_zone: zone,
  recurrence: repeat === 'kept' ? ownRule : ruleOf(repeat, starts, Number(count)),
})

/** Roles as lines of text: a name, and after a colon how many may take it. */
const rolesOf = (text: string, before: { name: string; emoji: string | null }[]) =>
  text
    .split('\n')
    .map((line) => /^(.*?)(?:\s*:\s*(\d+))?$/.exec(line.trim()))
    .flatMap((match) => (match?.[1] ? [{ name: match[1], max: match[2] ? Number(match[2]) : null }] : []))
    .map((role) => ({ ...role, emoji: before.find(({ name }) => name === role.name)?.emoji ?? null }))
const textOf = (roles: { name: string; max: number | null }[]) =>
  roles.map(({ name, max }) => (max === null ? name : `${name}: ${max}`)).join('\n')

/** Creates an event, or changes one. */
export const EventForm = ({ server_id, event }: { server_id?: number; event?: CalendarEvent }) => {
  const home = event?.server_id ?? server_id ?? 0
  const [before] = useState(() => scheduleOf(event))
  const [schedule, setSchedule] = useState(before)
  const [title, setTitle] = useState(event?.title ?? '')
  const [description, setDescription] = useState(event?.description ?? '')
  const [imageId, setImage] = useState(event?.image_file_id ?? null)
  const [channelId, setChannelId] = useState(event?.place.channel_id ?? 0)
  const [place, setPlace] = useState(event?.place.text ?? event?.place.url ?? '')
  const [signup, setSignup] = useState<Signup | null>(() => signupOf(event))
  const { attempt, busy, error } = useAttempt()
  const channels = state.channelsOf(home).filter(({ type }) => type === 'text' || isSpoken({ type }))
  const isAddress = /^https?:\/\/\S+$/i.test(place)
  const save = async (submit: Event) => {
    const closeThis = topDialogCloser()
    submit.preventDefault()
    const isMoved = !event || Object.entries(before).some(([key, value]) => schedule[key as keyof Schedule] !== value)
    const dates = datesOf(schedule, event?.recurrence ?? null)
    const draft = {
      title,
      description,
      image_file_id: imageId,
      place: channelId > 0 ? { channel_id: channelId } : isAddress ? { url: place } : { text: place },
      signup: signup && {
        max: signup.max === '' ? null : Number(signup.max),
        waiting_list: signup.waits,
        closes_minutes: signup.closes,
        roles: rolesOf(signup.roles, event?.signup?.roles ?? []),
      },
    }
    const answer = await attempt(() =>
      event
        ? call('PUT /api/events/:event_id', { event_id: event.id }, { ...draft, ...(isMoved ? dates : {}) })
        : call('POST /api/servers/:server_id/events', { server_id: home }, { ...draft, ...dates }),
    )
    if (answer) closeThis()
  }
  return (
    <Dialog title={event ? eventWords.edit : eventWords.create} onClose={closeDialog} class="small">
      <form onSubmit={save}>
        <Field label={eventWords.name} value={title} onInput={setTitle} maxLength={TITLE_MAX} required autofocus />
        <Field label={eventWords.about} value={description} onInput={setDescription} maxLength={TEXT_MAX} multiline />
        <Times
          schedule={schedule}
          setSchedule={setSchedule}
          repeats={repeatsFor(before.repeat)}
          isSeries={event?.recurrence != null}
        />
        <SelectField
          label={eventWords.channel}
          value={channelId}
          options={[[0, eventWords.elsewhere] as const, ...channels.map(({ id, name }) => [id, `#${name}`] as const)]}
          onChange={setChannelId}
        />
        {channelId > 0 ? null : (
          <Field label={eventWords.place} value={place} onInput={setPlace} hint={eventWords.placeText} required />
        )}
        {imageId === null ? null : <EventPicture id={imageId} />}
        <div class="choices">
          <button type="button" onClick={() => choosePicture(async (id) => setImage(id), attempt)}>
            {imageId === null ? eventWords.picture : dialogWords.picture.choose}
          </button>
          {imageId === null ? null : (
            <button type="button" onClick={() => setImage(null)}>
              {dialogWords.picture.remove}
            </button>
          )}
        </div>
        <Switch
          label={eventWords.signUp}
          on={signup !== null}
          onChange={(isOn) => setSignup(isOn ? (signupOf(event) ?? NEW_SIGNUP) : null)}
        />
        {signup ? <SignupFields signup={signup} setSignup={setSignup} /> : null}
        <Refusal error={error} />
        <FormFooter submit={event ? words.save : eventWords.create} busy={busy} />
      </form>
    </Dialog>
  )
}

/** The picture of an event; nothing until it is loaded, and if it is gone. */
export const EventPicture = ({ id }: { id: number }) => {
  const url = urlOf(id)
  return url ? <img class="event-picture" src={url} alt="" /> : null
}

interface TimesProps {
  schedule: Schedule
  setSchedule: (schedule: Schedule) => void
  repeats: Repeat[]
  isSeries: boolean
}

/** When an event begins and ends on the clocks of its zone, and how it repeats. */
const Times = ({ schedule, setSchedule, repeats, isSeries }: TimesProps) => {
  const { starts, ends, zone, repeat, count } = schedule
  const change = (part: Partial<Schedule>) => setSchedule({ ...schedule, ...part })
  return (
    <>
      <Moment label={eventWords.starts} value={starts} onInput={(value) => change({ starts: value })} />
      <Moment label={eventWords.ends} value={ends} onInput={(value) => change({ ends: value })} />
      <SelectField
        label={eventWords.zone}
        value={zone}
        options={zonesWith(zone).map((name) => [name, name.replaceAll('_', ' ')] as const)}
        onChange={(name) => change({ zone: name })}
      />
      <SelectField
        label={eventWords.repeat}
        value={repeat}
        options={repeats.map((one) => [one, eventWords.repeats[one]] as const)}
        onChange={(one) => change({ repeat: one })}
      />
      {repeat === 'none' || repeat === 'kept' ? null : (
        <Field label={eventWords.count} value={count} onInput={(value) => change({ count: value })} required />
      )}
      {isSeries ? <p class="quiet">{eventWords.series}</p> : null}
    </>
  )
}

interface MomentProps {
  label: string
  value: string
  onInput: (value: string) => void
}

const Moment = ({ label, value, onInput }: MomentProps) => (
  <label class="field">
    <span>{label}</span>
    <input type="datetime-local" required value={value} onInput={(event) => onInput(event.currentTarget.value)} />
  </label>
)

/** The sign-up of an event, as its form shows it. */
interface Signup {
  max: string
  waits: boolean
  closes: number
  roles: string
}
const NEW_SIGNUP: Signup = { max: '', waits: true, closes: 0, roles: '' }

function signupOf(event: CalendarEvent | undefined): Signup | null {
  if (!event) return NEW_SIGNUP
  const { signup } = event
  return (
    signup && {
      max: signup.max === null ? '' : `${signup.max}`,
      waits: signup.waiting_list,
      closes: signup.closes_minutes,
      roles: textOf(signup.roles),
    }
  )
}

const SignupFields = ({ signup, setSignup }: { signup: Signup; setSignup: (signup: Signup) => void }) => {
  const change = (part: Partial<Signup>) => setSignup({ ...signup, ...part })
  const { max, waits, closes, roles } = signup
  return (
    <>
      <Field label={eventWords.max} value={max} onInput={(value) => change({ max: value })} hint={eventWords.maxText} />
      <Switch label={eventWords.waitingList} on={waits} onChange={(isOn) => change({ waits: isOn })} />
      <SelectField
        label={eventWords.closes}
        value={closes}
        options={[...new Set([...CLOSES, closes])].map(
          (minutes) => [minutes, minutes === 0 ? eventWords.atStart : eventWords.ahead(minutes * 60)] as const,
        )}
        onChange={(minutes) => change({ closes: minutes })}
      />
      <Field
        label={eventWords.roles}
        value={roles}
        onInput={(value) => change({ roles: value })}
        hint={eventWords.rolesText}
        multiline
      />
    </>
  )
}
