import type { Events } from '../../core/events.ts'
import { ring } from './ephemeral-events.ts'
import type { HandlerContext, Handlers } from './event-handlers.ts'
import type { KeptConversation } from './state.ts'
import { change, markRead } from './timeline.ts'
import { askUnread } from './unread.ts'

const UNKNOWN: KeptConversation = { user_id: null, last_message_id: null, unread_count: null, request: null }

/**
 * Updates a dm or group in the state. Several event types carry the account's view of a dm, so the view has a version.
 * @param change returns undefined for a conversation that is no longer shown
 */
export const updateConversation = (
  { state, isReplay, unknown, applyIfNewer }: HandlerContext,
  channel_id: number,
  s: number,
  change: (before: KeptConversation) => KeptConversation | undefined,
): void =>
  applyIfNewer(`conversation:${channel_id}`, s, () => {
    // `ready` has said more of conversations.
    if (isReplay) return
    const next = change(state.conversations.get(channel_id) ?? UNKNOWN)
    if (!next) return state.dropConversation(channel_id)
    if (!state.channels.has(channel_id)) unknown.channels.add(channel_id)
    state.conversations.set(channel_id, next)
  })

/** A dm is a message request, or no longer; of a hidden one its next message says so. */
function noteRequest(
  { state, isReplay, applyIfNewer }: HandlerContext,
  channel_id: number,
  s: number,
  request: KeptConversation['request'],
): void {
  applyIfNewer(`request:${channel_id}`, s, () => {
    const conversation = state.conversations.get(channel_id)
    if (conversation && !isReplay) state.conversations.set(channel_id, { ...conversation, request })
  })
}

/** Takes a message's fields about its dm. They apply even if an edit of the message has arrived first. */
export function countMessage(context: HandlerContext, message: Events['message.created'], s: number): void {
  const { id, channel_id, author, recipient_id, unread_count } = message
  if (unread_count === undefined) return
  updateConversation(context, channel_id, s, (before) => ({
    user_id: (author.id === context.state.me() ? recipient_id : author.id) ?? null,
    last_message_id: Math.max(before.last_message_id ?? 0, id),
    unread_count,
    request: before.request,
  }))
  noteRequest(context, channel_id, s, message.request ?? null)
  context.touch('shell')
}

/** Updates the newest message of a shown dm. A newer event, which may not name the message, may have arrived first. */
export function advanceConversation({ state }: HandlerContext, { id, channel_id }: { id: number; channel_id: number }) {
  const conversation = state.conversations.get(channel_id)
  if (conversation && id > (conversation.last_message_id ?? 0))
    state.conversations.set(channel_id, { ...conversation, last_message_id: id })
}

/** Handlers of events of friends, dms and groups. */
export function peopleHandlers(context: HandlerContext): Handlers {
  const { state, touch, applyIfNewer } = context
  return {
    'friend.updated': ({ user_id, relation: { user, state: relation, since } }, s) => {
      const wasBlocked = state.relations.get(user_id)?.state === 'blocked'
      if (relation === 'none') state.relations.delete(user_id)
      else state.relations.set(user_id, { state: relation, since })
      if (wasBlocked !== (relation === 'blocked')) {
        askUnread(context, undefined, wasBlocked)
        for (const id of state.listed.keys()) context.unknown.servers.add(id)
      }
      applyIfNewer(`user:${user_id}`, s, () => state.users.set(user_id, user))
      touch('shell')
    },
    'dm.read': (d, s) => {
      const timeline = state.timelines.get(`c${d.channel_id}`)
      if (timeline) change(timeline, (row) => markRead(row, d))
      if (state.conversations.has(d.channel_id))
        updateConversation(context, d.channel_id, s, (before) => ({ ...before, unread_count: d.unread_count }))
      if (d.recipient_id === state.me()) context.unknown.unread.add(d.channel_id)
      touch('shell', `timeline c${d.channel_id}`)
    },
    'dm.request': ({ channel_id, request }, s) => {
      noteRequest(context, channel_id, s, request)
      touch('shell', `timeline c${channel_id}`)
    },
    'call.ringing': (d) => {
      ring(state, d)
      touch('voices')
    },
    'call.declined': ({ channel_id, user_id }) => {
      if (user_id === state.me()) state.ringing.delete(channel_id)
      touch('voices')
    },
    'call.ended': ({ channel_id }) => {
      state.ringing.delete(channel_id)
      touch('voices')
    },
    'dm.hidden': ({ channel_id }, s) => {
      updateConversation(context, channel_id, s, () => undefined)
      touch('shell')
    },
  }
}

/** Keeps the conversations and relations that `ready` names, and drops the others. */
export function peopleOfReady({ state, unknown }: HandlerContext, ready: Events['ready']): void {
  const conversations = new Map(
    ready.conversations.map(({ channel_id, ...conversation }) => [channel_id, conversation]),
  )
  for (const id of state.conversations.keys()) if (!ready.resumed || !conversations.has(id)) state.dropConversation(id)
  for (const [id, conversation] of conversations) {
    if (!state.channels.has(id)) unknown.channels.add(id)
    state.conversations.set(id, conversation)
  }
  state.relations.clear()
  for (const { user_id, state: relation, since } of ready.relations)
    state.relations.set(user_id, { state: relation, since })
  for (const id of state.relations.keys()) if (!state.users.has(id)) unknown.people.add(id)
}
