import type { HandlerContext, Handlers } from './event-handlers.ts'

const TYPING_MS = 7_000

/** Handlers of presence, typing and voice states: events that a resume does not replay. */
export function ephemeralHandlers({ state, touch }: HandlerContext): Handlers {
  return {
    'presence.updated': ({ users }) => {
      for (const { user_id, status } of users) state.statuses.set(user_id, status)
      touch('statuses')
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
