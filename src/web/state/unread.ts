import type { Events } from '../../core/events.ts'
import type { Unread } from '../../features/unread/model.ts'
import type { HandlerContext } from './event-handlers.ts'
import { mutingIn } from './notifications.ts'
import type { State } from './state.ts'

const MENTIONS_COUNTED_MAX = 100

type Said = Events['message.created']

/** True if another account's message mentions this one: by name, by one of its roles, or by everyone or here. */
export function isCalled(state: State, message: Said): boolean {
  if (message.author.id === state.me()) return false
  if (message.mention_everyone || message.mention_here || message.mention_ids.includes(state.me())) return true
  return message.mention_role_ids.some((id) => holdsRole(state, message.channel_id, id))
}

function holdsRole(state: State, channel_id: number, roleId: number): boolean {
  const serverId = state.channels.get(channel_id)?.server_id
  return Boolean(serverId && state.members.get(serverId)?.get(state.me())?.role_ids.includes(roleId))
}

/** True if a message counts as a mention of the account by its notification settings. */
export function callsMe(state: State, message: Said): boolean {
  if (message.mention_ids.includes(state.me())) return true
  const channel = state.channels.get(message.channel_id)
  const { muted, suppress_everyone } = mutingIn(state, channel)
  if (muted) return false
  if ((message.mention_everyone || message.mention_here) && !suppress_everyone) return true
  return message.mention_role_ids.some((id) => holdsRole(state, message.channel_id, id))
}

export const isOfOther = (state: State, { kind, author }: Said): boolean =>
  kind === 'default' && author.id !== state.me() && state.relations.get(author.id)?.state !== 'blocked'

/** Replaces the unread state by that of `ready`. */
export function unreadOfReady({ state, unknown }: HandlerContext, marks: Events['ready']['read_marks']): void {
  for (const byChannel of [state.readMarks, state.newest, state.mentions, state.newestSeen]) byChannel.clear()
  unknown.unread.clear()
  for (const { channel_id, message_id, newest_id, mention_count } of marks) {
    state.readMarks.set(channel_id, message_id)
    if (newest_id !== undefined) state.newest.set(channel_id, newest_id)
    if (mention_count) state.mentions.set(channel_id, mention_count)
  }
}

/** Applies the server's answer about a channel; undefined if the account does not see the channel. */
export function applyUnread({ state, touch }: HandlerContext, channel_id: number, answer: Unread | undefined): void {
  const { newest, mentions, readMarks } = state
  if (answer) readMarks.set(channel_id, answer.message_id)
  if (answer?.newest_id) newest.set(channel_id, answer.newest_id)
  else newest.delete(channel_id)
  if (answer?.mention_count) mentions.set(channel_id, answer.mention_count)
  else mentions.delete(channel_id)
  touch('shell')
}

/** A new message makes its channel unread. */
export function messageCame({ state, unknown, noteChange }: HandlerContext, message: Said): void {
  const { id, channel_id } = message
  if (!isOfOther(state, message)) return
  const newest_id = state.newest.get(channel_id)
  // A replay repeats messages that `ready` counted, and an answer may have arrived before the event.
  if (!state.isSynced || !state.channels.has(channel_id) || (newest_id ?? 0) >= id)
    return void unknown.unread.add(channel_id)
  if (id <= (state.readMarks.get(channel_id) ?? 0)) return
  noteChange(`unread:${channel_id}`)
  if (newest_id === undefined) state.readMarks.set(channel_id, id - 1)
  state.newest.set(channel_id, id)
  if (callsMe(state, message)) addMention(state, channel_id)
}

function addMention({ mentions }: State, channel_id: number): void {
  mentions.set(channel_id, Math.min(MENTIONS_COUNTED_MAX, (mentions.get(channel_id) ?? 0) + 1))
}

/** A message that arrives after its edit or deletion: ask the server for the unread state, and end the typing sign. */
export function messageLate({ state, unknown, touch }: HandlerContext, message: Said): void {
  const { channel_id, author } = message
  if (isOfOther(state, message)) unknown.unread.add(channel_id)
  state.typing.get(`c${channel_id}`)?.delete(author.id)
  touch(`typing c${channel_id}`)
}

/** An edit may have added or taken a mention. */
export function messageChanged({ state, unknown, noteChange }: HandlerContext, message: Said): void {
  const { id, channel_id } = message
  noteChange(`unread:${channel_id}`)
  if (!state.newest.has(channel_id) || id <= (state.readMarks.get(channel_id) ?? 0)) return
  if (state.mentions.has(channel_id) || callsMe(state, message)) unknown.unread.add(channel_id)
}

/** A deleted message may have been the newest, or one that mentioned the account. */
export function messageGone({ state, unknown, noteChange }: HandlerContext, channel_id: number, id: number): void {
  noteChange(`unread:${channel_id}`)
  state.reminders.delete(id)
  const newest_id = state.newest.get(channel_id)
  if (newest_id === undefined || id <= (state.readMarks.get(channel_id) ?? 0)) return
  if (newest_id === id || state.mentions.has(channel_id)) unknown.unread.add(channel_id)
}

/** The mark of a channel has moved, here or on another device. */
export function markMoved(
  { state, unknown, noteChange }: HandlerContext,
  { channel_id, message_id }: Events['channel.read'],
): void {
  const channel = state.channels.get(channel_id)
  const end = state.newest.get(channel_id) ?? channel?.last_message_id ?? 0
  // If nothing is unread, everything is read, regardless of the old mark.
  const before = state.newest.has(channel_id) ? (state.readMarks.get(channel_id) ?? 0) : end
  noteChange(`unread:${channel_id}`)
  state.readMarks.set(channel_id, message_id)
  if (message_id < before) {
    state.newestSeen.delete(channel_id)
    state.markedUnread.add(channel_id)
  } else state.markedUnread.delete(channel_id)
  if (message_id < end) return void unknown.unread.add(channel_id)
  state.newest.delete(channel_id)
  state.mentions.delete(channel_id)
}

/**
 * Asks for the unread state after a change that is not a message.
 * @param serverId limits this to the channels of one server
 * @param isEvery true to include channels without unread messages
 */
export function askUnread({ state, unknown, noteChange }: HandlerContext, serverId?: number, isEvery = false): void {
  for (const { id, type, server_id: home } of state.channels.values()) {
    if (type === 'category' || (serverId !== undefined && home !== serverId)) continue
    noteChange(`unread:${id}`)
    if (isEvery || state.newest.has(id)) unknown.unread.add(id)
  }
}
