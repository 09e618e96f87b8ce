import type { Events } from '../../core/events.ts'
import type { HandlerContext, Handlers } from './event-handlers.ts'
import type { KeptConversation } from './state.ts'
import { change, remove, type Timeline, upsert } from './timeline.ts'

/** Handlers of friends and conversations. */
export function peopleHandlers({ state, unknown, touch, applyIfNewer }: HandlerContext): Handlers {
  /** Several event types carry the own view of a conversation: it has a version of its own. */
  const updateConversation = (
    user_id: number,
    s: number,
    change: (kept: KeptConversation) => KeptConversation | undefined,
  ) =>
    applyIfNewer(`conversation:${user_id}`, s, () => {
      const kept = state.conversations.get(user_id)
      const next = change(kept ?? { last_message_id: 0, unread_count: 0 })
      if (!next) return state.dropConversation(user_id)
      // No event carried the name changes of a stranger: fetch the current name.
      if (!kept) unknown.people.add(user_id)
      state.conversations.set(user_id, next)
    })
  const changeTimeline = (user_id: number, apply: (timeline: Timeline) => void) => {
    const timeline = state.timelines.get(`u${user_id}`)
    if (timeline) change(timeline, apply)
    touch('shell', `timeline u${user_id}`)
  }
  return {
    'friend.updated': ({ user_id, relation: { user, state: relation, since } }, s) => {
      if (relation === 'none') state.relations.delete(user_id)
      else state.relations.set(user_id, { state: relation, since })
      applyIfNewer(`user:${user_id}`, s, () => state.users.set(user_id, user))
      touch('shell')
    },
    'dm.created': ({ unread_count, ...message }, s) => {
      const user_id = state.partnerOf(message)
      state.typing.get(`u${user_id}`)?.delete(user_id)
      changeTimeline(user_id, (timeline) => upsert(timeline, message))
      updateConversation(user_id, s, (kept) => ({
        last_message_id: Math.max(kept.last_message_id, message.id),
        unread_count,
      }))
    },
    'dm.updated': (d) => changeTimeline(state.partnerOf(d), (timeline) => upsert(timeline, d)),
    'dm.deleted': ({ id, last_message_id, unread_count, ...people }, s) => {
      const user_id = state.partnerOf(people)
      changeTimeline(user_id, (timeline) => remove(timeline, id))
      updateConversation(user_id, s, () => (last_message_id === null ? undefined : { last_message_id, unread_count }))
    },
    'dm.read': (d, s) => {
      const user_id = state.partnerOf(d)
      changeTimeline(user_id, (timeline) => markRead(timeline, d))
      if (state.conversations.has(user_id))
        updateConversation(user_id, s, (kept) => ({ ...kept, unread_count: d.unread_count }))
    },
    'dm.pruned': ({ user_id, before_id, last_message_id, unread_count }, s) => {
      state.prune(`u${user_id}`, before_id)
      touch('shell', `timeline u${user_id}`)
      updateConversation(user_id, s, () => (last_message_id === null ? undefined : { last_message_id, unread_count }))
    },
    'dm.hidden': ({ user_id }, s) => {
      updateConversation(user_id, s, () => undefined)
      touch('shell')
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

/** Keeps the conversations and relations that `ready` names, and drops the others. */
export function peopleOfReady({ state, unknown }: HandlerContext, ready: Events['ready']): void {
  const named = new Map(ready.conversations.map(({ user_id, ...conversation }) => [user_id, conversation]))
  for (const id of state.conversations.keys()) if (!ready.resumed || !named.has(id)) state.dropConversation(id)
  for (const [id, conversation] of named) {
    if (!state.conversations.has(id)) unknown.people.add(id)
    state.conversations.set(id, conversation)
  }
  state.relations.clear()
  for (const { user_id, state: relation, since } of ready.relations)
    state.relations.set(user_id, { state: relation, since })
  for (const id of state.relations.keys()) if (!state.users.has(id)) unknown.people.add(id)
}
