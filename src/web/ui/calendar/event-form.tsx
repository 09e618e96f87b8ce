import { useState } from 'preact/hooks'
import type { CalendarEvent } from '../../../features/calendar/model.ts'
import { serverNow } from '../../state/server-clock.ts'
import { call, state } from '../../state/session.ts'
import { eventWords } from '../../words/events.ts'
import { words } from '../../words/words.ts'
import { FormFooter, SelectField, Switch } from '../kit/dialog-forms.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { ownZone } from './occurrences.ts'

const [TITLE_MAX, TEXT_MAX] = [100, 2000]
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const REPEATS = ['none', 'daily', 'weekly', 'fortnightly', 'monthlyByDay', 'monthlyByWeekday'] as const
type Repeat = (typeof REPEATS)[number]

/** A moment as the value of a field for a local date and time. */
function localOf(time: string | number): string {
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The rule of RFC 5545 for a choice. @param start the first date, local */
function ruleOf(repeat: Repeat, start: Date, count: number): string | null {
  const weekday = DAYS[start.getDay()] ?? 'MO'
  const nth = Math.ceil(start.getDate() / 7)
  // A fifth weekday is the last of its month.
  const rules = {
    none: '',
    daily: 'FREQ=DAILY',
    weekly: `FREQ=WEEKLY;BYDAY=${weekday}`,
    fortnightly: `FREQ=WEEKLY;INTERVAL=2;BYDAY=${weekday}`,
    monthlyByDay: `FREQ=MONTHLY;BYMONTHDAY=${start.getDate()}`,
    monthlyByWeekday: `FREQ=MONTHLY;BYDAY=${nth > 4 ? -1 : nth}${weekday}`,
  }
  return repeat === 'none' ? null : `${rules[repeat]};COUNT=${count}`
}

/** Roles as lines of text: a name, and after a colon how many may take it. */
const rolesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => /^(.*?)(?:\s*:\s*(\d+))?$/.exec(line.trim()))
    .flatMap((match) => (match?.[1] ? [{ name: match[1], max: match[2] ? Number(match[2]) : null }] : []))
const textOf = (roles: { name: string; max: number | null }[]) =>
  roles.map(({ name, max }) => (max === null ? name : `${name}: ${max}`)).join('\n')

/** Creates an event, or changes one. */
export const EventForm = ({ server_id, event }: { server_id?: number; event?: CalendarEvent }) => {
  const home = event?.server_id ?? server_id ?? 0
  const soon = Math.ceil((serverNow() + 3_600_000) / 3_600_000) * 3_600_000
  const [next] = event?.dates ?? []
  const before = { starts: localOf(next?.starts_at ?? soon), ends: localOf(next?.ends_at ?? soon + 3_600_000) }
  const [title, setTitle] = useState(event?.title ?? '')
  const [description, setDescription] = useState(event?.description ?? '')
  const [starts, setStarts] = useState(before.starts)
  const [ends, setEnds] = useState(before.ends)
  const [repeat, setRepeat] = useState<Repeat>('none')
  const [count, setCount] = useState('10')
  const [channelId, setChannelId] = useState(event?.place.channel_id ?? 0)
  const [place, setPlace] = useState(event?.place.text ?? event?.place.url ?? '')
  const [hasSignup, setSignup] = useState(event ? event.signup !== null : true)
  const [max, setMax] = useState(event?.signup?.max ? `${event.signup.max}` : '')
  const [waits, setWaits] = useState(event?.signup?.waiting_list ?? true)
  const [roles, setRoles] = useState(textOf(event?.signup?.roles ?? []))
  const { attempt, busy, error } = useAttempt()
  const channels = state.channelsOf(home).filter(({ type }) => type === 'text' || type === 'voice')
  const isAddress = /^https?:\/\/\S+$/i.test(place)
  const save = async (submit: Event) => {
    submit.preventDefault()
    const isMoved = !event || starts !== before.starts || ends !== before.ends
    const schedule = {
      starts_at: new Date(starts).toISOString(),
      ends_at: new Date(ends).toISOString(),
      time_zone: ownZone(),
      recurrence: ruleOf(repeat, new Date(starts), Number(count)),
    }
    const signup = { max: max === '' ? null : Number(max), waiting_list: waits, roles: rolesOf(roles) }
    const draft = {
      title,
      description,
      place: channelId > 0 ? { channel_id: channelId } : isAddress ? { url: place } : { text: place },
      signup: hasSignup ? { ...signup, closes_minutes: event?.signup?.closes_minutes ?? 0 } : null,
    }
    const answer = await attempt(() =>
      event
        ? call('PUT /api/events/:event_id', { event_id: event.id }, { ...draft, ...(isMoved ? schedule : {}) })
        : call('POST /api/servers/:server_id/events', { server_id: home }, { ...draft, ...schedule }),
    )
    if (answer) closeDialog()
  }
  // A change of one time moves a series as a whole, which its dates cannot say.
  const isSeries = event?.recurrence != null
  return (
    <Dialog title={event ? eventWords.edit : eventWords.create} onClose={closeDialog} class="small">
      <form onSubmit={save}>
        <Field label={eventWords.name} value={title} onInput={setTitle} maxLength={TITLE_MAX} required autofocus />
        <Field label={eventWords.about} value={description} onInput={setDescription} maxLength={TEXT_MAX} multiline />
        {isSeries ? (
          <p class="quiet">{eventWords.series}</p>
        ) : (
          <>
            <Moment label={eventWords.starts} value={starts} onInput={setStarts} />
            <Moment label={eventWords.ends} value={ends} onInput={setEnds} />
            <SelectField
              label={eventWords.repeat}
              value={repeat}
              options={REPEATS.map((one) => [one, eventWords.repeats[one]] as const)}
              onChange={setRepeat}
            />
            {repeat === 'none' ? null : <Field label={eventWords.count} value={count} onInput={setCount} required />}
          </>
        )}
        <SelectField
          label={eventWords.channel}
          value={channelId}
          options={[[0, eventWords.elsewhere] as const, ...channels.map(({ id, name }) => [id, `#${name}`] as const)]}
          onChange={setChannelId}
        />
        {channelId > 0 ? null : (
          <Field label={eventWords.place} value={place} onInput={setPlace} hint={eventWords.placeText} required />
        )}
        <Switch label={eventWords.signUp} on={hasSignup} onChange={setSignup} />
        {hasSignup ? (
          <>
            <Field label={eventWords.max} value={max} onInput={setMax} hint={eventWords.maxText} />
            <Switch label={eventWords.waitingList} on={waits} onChange={setWaits} />
            <Field label={eventWords.roles} value={roles} onInput={setRoles} hint={eventWords.rolesText} multiline />
          </>
        ) : null}
        <Refusal error={error} />
        <FormFooter submit={event ? words.save : eventWords.create} busy={busy} />
      </form>
    </Dialog>
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
