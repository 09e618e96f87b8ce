import type { Events } from '../../core/events.ts'
import type { Channel } from '../../features/access/model.ts'
import type { Message } from '../../features/messages/model.ts'
import type { HandlerContext, Handlers } from './event-handlers.ts'
import { change, replace } from './timeline.ts'

/** The threads of a channel to fetch. */
export interface ThreadFilter {
  archived?: 'true' | 'false'
  followed?: 'true'
}

/** Updates the thread's summary at the message that started it. */
function setThread({ state, touch }: HandlerContext, { id, parent_id, message_id }: Channel, isThere: boolean): void {
  const timeline = state.timelines.get(`c${parent_id}`)
  const thread = state.channels.get(id)
  if (!timeline) return
  const {
    name = '',
    message_count = 0,
    last_message_id = null,
    last_message_at = null,
    archived_at = null,
  } = thread ?? {}
  const summary = isThere ? { id, name, message_count, last_message_id, last_message_at, archived_at } : null
  change(timeline, (row) => {
    const entry = row.entries.find((each) => each.id === message_id || each.thread?.id === id)
    if (entry) replace(row, entry.id, (now) => ({ ...now, thread: summary }))
  })
  touch(`timeline c${parent_id}`)
}

function dropThread(context: HandlerContext, id: number): void {
  const { state, touch } = context
  const thread = state.channels.get(id)
  state.dropChannel(id)
  state.followed.delete(id)
  if (thread) setThread(context, thread, false)
  touch('shell')
}

/** Takes a thread's state, if its channel is known. */
function takeThread(context: HandlerContext, thread: Channel): void {
  const { state, touch } = context
  const { id, parent_id, last_message_id, archived_at } = thread
  const parent = state.channels.get(parent_id ?? 0)
  if (parent_id === null || !parent) return
  if (thread.hidden && !state.mayIn(parent, 'manage_threads')) return dropThread(context, id)
  const isNews = (last_message_id ?? 0) > (state.channels.get(id)?.last_message_id ?? 0)
  if (isNews && state.isSynced && archived_at === null && !state.followed.has(id)) state.lively.add(parent_id)
  // Of a hidden post, an event without name, counts and newest message comes before the one with them.
  const before = thread.name === '' ? state.channels.get(id) : undefined
  state.upsertChannel(before ? { ...before, hidden: true } : thread)
  setThread(context, thread, true)
  touch('shell')
}

/** Handlers of the events of threads. */
export const threadHandlers = (context: HandlerContext): Handlers => ({
  'thread.created': (d) => takeThread(context, d),
  'thread.updated': (d) => takeThread(context, d),
  'thread.deleted': ({ id }) => dropThread(context, id),
  'thread.followed': ({ channel_id, following }) => {
    const { state, unknown, touch } = context
    if (following) state.followed.add(channel_id)
    else state.followed.delete(channel_id)
    if (following && !state.channels.has(channel_id)) unknown.channels.add(channel_id)
    // Ask what is unread: messages may have been written before the account followed the thread.
    if (following) unknown.unread.add(channel_id)
    touch('shell')
  },
})

/** Authors and mentioned accounts follow the thread. Activity in an unfollowed thread is shown at its channel. */
export function followByMessage({ state, unknown, touch }: HandlerContext, message: Message): void {
  const { channel_id, kind, author, mention_ids, recipient_id } = message
  const channel = state.channels.get(channel_id)
  const isThread = channel ? channel.type === 'thread' : recipient_id === undefined
  if (!isThread || kind !== 'default') return
  touch('shell')
  if (author.id !== state.me() && !mention_ids.includes(state.me())) {
    if (channel?.parent_id && state.isSynced && !state.followed.has(channel_id)) state.lively.add(channel.parent_id)
    return
  }
  if (!state.followed.has(channel_id)) unknown.unread.add(channel_id)
  state.followed.add(channel_id)
  if (!channel) unknown.channels.add(channel_id)
}

/** Stores the threads of `ready`: unarchived ones that the account follows. */
export function threadsOfReady({ state }: HandlerContext, { threads }: Events['ready']): void {
  state.followed.clear()
  for (const thread of threads) {
    // On a fresh connection its server is still to come.
    state.channels.set(thread.id, thread)
    state.followed.add(thread.id)
  }
}
