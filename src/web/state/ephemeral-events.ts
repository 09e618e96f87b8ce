import type { Events } from '../../core/events.ts'
import type { Store } from './store.ts'

const TYPING_MS = 7_000

type Handlers = { [K in keyof Events]?: (d: Events[K]) => void }

/** What a client makes of the events that are lost when nobody listens: presence, typing, voice states. */
export function passingHandlers(store: Store): Handlers {
  const { state } = store
  return {
    'presence.updated': ({ users }) => {
      for (const { user_id, status } of users) state.statuses.set(user_id, status)
      store.touch('statuses')
    },
    'voice.state_updated': ({ channel_id, ...voice }) => {
      if (channel_id === null) state.voices.delete(voice.user.id)
      else state.voices.set(voice.user.id, { ...voice, channel_id })
      if (!state.users.has(voice.user.id)) state.users.set(voice.user.id, voice.user)
      store.touch('voices')
    },
    'typing.started': (d) => {
      const key = 'channel_id' in d ? `c${d.channel_id}` : `u${d.user_id}`
      const typing = state.typing.get(key) ?? new Map<number, number>()
      state.typing.set(key, typing.set(d.user.id, Date.now() + TYPING_MS))
      if (!state.users.has(d.user.id)) state.users.set(d.user.id, d.user)
      store.touch(`typing ${key}`)
    },
  }
}
