import type { Events } from '../../core/events.ts'
import type { HandlerContext, Handlers } from './event-handlers.ts'
import { stageHandlers } from './stage-events.ts'

const TYPING_MS = 7_000

/** Handlers of statuses, typing and voice states: events that a resume does not replay; and of stages. */
export function ephemeralHandlers(context: HandlerContext): Handlers {
  const { state, touch } = context
  return {
    ...stageHandlers(context),
    'presence.updated': ({ users }) => {
      for (const presence of users) setPresence(state, presence)
      touch('statuses')
    },
    'status.updated': (d) => {
      state.ownStatus = d
      touch('statuses', 'shell')
    },
    'voice.state_updated': ({ channel_id, ...voice }) => {
      if (channel_id === null) state.voices.delete(voice.user.id)
      else state.voices.set(voice.user.id, { ...voice, channel_id })
      if (!state.users.has(voice.user.id)) state.users.set(voice.user.id, voice.user)
      touch('voices')
    },
    'typing.started': (d) => {
      const key = `c${d.channel_id}`
      const typing = state.typing.get(key) ?? new Map<number, number>()
      state.typing.set(key, typing.set(d.user.id, Date.now() + TYPING_MS))
      if (!state.users.has(d.user.id)) state.users.set(d.user.id, d.user)
      touch(`typing ${key}`)
    },
  }
}

type State = HandlerContext['state']

export function setPresence(state: State, { user_id, status, ...saying }: Events['ready']['presences'][number]): void {
  state.statuses.set(user_id, status)
  if (saying.text ?? saying.emoji) state.sayings.set(user_id, saying)
  else state.sayings.delete(user_id)
}

export function ring(state: State, { channel_id, by, silent }: Events['call.ringing']): void {
  state.ringing.set(channel_id, by)
  if (silent) state.silentRings.add(channel_id)
  else state.silentRings.delete(channel_id)
}

/** Replaces statuses, ringing calls and numbers of listeners by those of `ready`. */
export function statusesOfReady({ state }: HandlerContext, ready: Events['ready']): void {
  state.ownStatus = ready.status
  for (const map of [state.statuses, state.sayings, state.ringing]) map.clear()
  for (const presence of ready.presences) setPresence(state, presence)
  for (const call of ready.ringing) ring(state, call)
  state.audiences = new Map(ready.audiences.map(({ channel_id, listeners }) => [channel_id, listeners]))
}
