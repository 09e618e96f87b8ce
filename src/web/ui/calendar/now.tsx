import { effect, signal } from '@preact/signals'
import { placePath, push, serverHere } from '../../state/route.ts'
import { serverNow } from '../../state/server-clock.ts'
import { call, connection, follow, gateway, state } from '../../state/session.ts'
import { isSpoken } from '../../state/spoken.ts'
import { canCall } from '../../voice/shown-call.ts'
import { eventWords } from '../../words/events.ts'
import { Icon } from '../kit/icons.tsx'
import { eventsAt } from './now-slot.ts'
import { type Occurrence, occurrencesOf } from './occurrences.ts'

/** Dates are looked at again this often, and requested again before their span is over. */
const LOOK_MS = 15_000
const [SPAN_MS, RENEW_MS] = [86_400_000, 12 * 3_600_000]
/** Changes are collected for this long, so that a series of them costs one request. */
const COLLECT_MS = 1_000

let loaded: { server_id: number; at: number; occurrences: Occurrence[] } | undefined
/** Dates that are on now, in voice channels of the server on the page. */
const running = signal<Occurrence[]>([])

const isOn = ({ date }: Occurrence): boolean =>
  Date.parse(date.starts_at) <= serverNow() && serverNow() < Date.parse(date.ends_at)

function look(): void {
  const dates = loaded?.server_id === serverHere.peek() ? (loaded?.occurrences ?? []) : []
  const next = dates.filter(isOn)
  if (next.length > 0 || running.peek().length > 0) running.value = next
}

/** Requests the dates of the next day, unless no event of the server could be at a voice channel. */
async function load(): Promise<void> {
  const server_id = serverHere.peek()
  if (server_id === undefined || !state.channelsOf(server_id).some(isSpoken)) return
  const at = serverNow()
  const to = new Date(at + SPAN_MS).toISOString()
  const events = await call('GET /api/servers/:server_id/events', { server_id, to }).catch(() => [])
  if (server_id !== serverHere.peek()) return
  const isAtVoice = ({ place }: Occurrence['event']) => {
    const channel = state.channels.get(place.channel_id ?? 0)
    return channel !== undefined && isSpoken(channel)
  }
  loaded = { server_id, at, occurrences: occurrencesOf(events.filter(isAtVoice)) }
  look()
}

/** From now on, voice channels of the server on the page show the events that are on there. */
export function watchEventsNow(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const loadSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => (state.isSynced ? void load() : loadSoon()), COLLECT_MS)
  }
  effect(() => {
    if (serverHere.value !== undefined && connection.value === 'online') loadSoon()
    look()
  })
  gateway.listen(({ t, d }) => {
    if ((t === 'event.changed' || t === 'event.deleted') && d.server_id === serverHere.peek()) loadSoon()
  })
  setInterval(() => {
    if (loaded && serverNow() > loaded.at + RENEW_MS) loadSoon()
    look()
  }, LOOK_MS)
  eventsAt.value = (channelId) => <EventsNow channel_id={channelId} />
}

/** Joins the call of an event's channel, and goes there. */
async function joinAt(channelId: number): Promise<void> {
  const channel = state.channels.get(channelId)
  if (!channel) return
  push(placePath(channelId))
  if (!canCall() || !state.mayIn(channel, 'connect')) return
  const { join } = await import('../../voice/current-call.ts')
  await join(channelId)
}

const EventsNow = ({ channel_id }: { channel_id: number }) => {
  follow('shell')
  return (
    <>
      {running.value
        .filter(({ event }) => event.place.channel_id === channel_id)
        .map(({ event, date }) => (
          <li key={`${event.id} ${date.n}`} class="row inside">
            <button
              type="button"
              class="bare"
              aria-label={eventWords.join(event.title)}
              onClick={() => void joinAt(channel_id)}
            >
              <Icon name="calendar" size={16} />
              <bdi>{event.title}</bdi>
            </button>
          </li>
        ))}
    </>
  )
}
