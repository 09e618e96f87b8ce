import type { Events } from '../../core/events.ts'
import type { Side } from './state.ts'
import type { Store } from './store.ts'
import { change, remove, type Timeline, upsert } from './timeline.ts'

type Handlers = { [K in keyof Events]?: (d: Events[K], s: number) => void }

/** What a client makes of the events of friends and conversations. */
export function peopleHandlers(store: Store): Handlers {
  const { state } = store
  /** A side of a conversation is told by several events: it is a resource of its own. */
  const side = (user_id: number, s: number, change: (kept: Side) => Side | undefined) =>
    store.told(`conversation:${user_id}`, s, () => {
      const kept = state.conversations.get(user_id)
      const next = change(kept ?? { last_message_id: 0, unread_count: 0 })
      if (!next) return state.dropConversation(user_id)
      // Who was a stranger until now may have changed the name unheard.
      if (!kept) store.unknown.people.add(user_id)
      state.conversations.set(user_id, next)
    })
  const changed = (user_id: number, apply: (timeline: Timeline) => void) => {
    const timeline = state.timelines.get(`u${user_id}`)
    if (timeline) change(timeline, apply)
    store.touch('shell', `timeline u${user_id}`)
  }
  return {
    'friend.updated': ({ user_id, relation: { user, state: standing, since } }, s) => {
      if (standing === 'none') state.relations.delete(user_id)
      else state.relations.set(user_id, { state: standing, since })
      store.told(`user:${user_id}`, s, () => state.users.set(user_id, user))
      store.touch('shell')
    },
    'dm.created': ({ unread_count, ...message }, s) => {
      const user_id = state.partnerOf(message)
      state.typing.get(`u${user_id}`)?.delete(user_id)
      changed(user_id, (timeline) => upsert(timeline, message))
      side(user_id, s, (kept) => ({ last_message_id: Math.max(kept.last_message_id, message.id), unread_count }))
    },
    'dm.updated': (d) => changed(state.partnerOf(d), (timeline) => upsert(timeline, d)),
    'dm.deleted': ({ id, last_message_id, unread_count, ...people }, s) => {
      const user_id = state.partnerOf(people)
      changed(user_id, (timeline) => remove(timeline, id))
      side(user_id, s, () => (last_message_id === null ? undefined : { last_message_id, unread_count }))
    },
    'dm.read': (d, s) => {
      const user_id = state.partnerOf(d)
      changed(user_id, (timeline) => markRead(timeline, d))
      if (state.conversations.has(user_id)) side(user_id, s, (kept) => ({ ...kept, unread_count: d.unread_count }))
    },
    'dm.hidden': ({ user_id }, s) => {
      side(user_id, s, () => undefined)
      store.touch('shell')
    },
  }
}

function markRead({ entries }: Timeline, { sender_id, message_id, all, read_at }: Events['dm.read']): void {
  entries.forEach((entry, at) => {
    if (!('sender_id' in entry) || entry.sender_id !== sender_id) return
    if (all ? entry.id <= message_id : entry.id === message_id)
      entries[at] = { ...entry, read_at: entry.read_at ?? read_at }
  })
}

/** Takes over what `ready` names of people, drops what it does not. */
export function peopleOfReady({ state, unknown }: Store, ready: Events['ready']): void {
  const named = new Map(ready.conversations.map(({ user_id, ...side }) => [user_id, side]))
  for (const id of state.conversations.keys()) if (!ready.resumed || !named.has(id)) state.dropConversation(id)
  for (const [id, side] of named) {
    if (!state.conversations.has(id)) unknown.people.add(id)
    state.conversations.set(id, side)
  }
  state.relations.clear()
  for (const { user_id, state: standing, since } of ready.relations)
    state.relations.set(user_id, { state: standing, since })
  for (const id of state.relations.keys()) if (!state.users.has(id)) unknown.people.add(id)
}
