import type { Events } from '../../core/events.ts'
import type { HandlerContext } from './event-handlers.ts'
import { updateConversation } from './people-events.ts'
import type { State } from './state.ts'
import { change, type Entry, prune } from './timeline.ts'
import { messageGone } from './unread.ts'

type Pruned = Events['channel.pruned_by']

/** True if the event says that the author's message is deleted. */
export const isPruned = (
  { author_id, after_id, before_id }: Pruned,
  { id, author }: { id: number; author: { id: number } },
): boolean => author.id === author_id && id > after_id && id < before_id

/** Drops the messages of a place that the server has deleted by their age. @param key of the place */
function dropOld({ reminders, timelines }: State, key: string, beforeId: number): void {
  for (const [id, { channel_id }] of reminders) if (id < beforeId && key === `c${channel_id}`) reminders.delete(id)
  const timeline = timelines.get(key)
  if (!timeline) return
  change(timeline, (row) => prune(row, beforeId))
  // No message of the loaded range is left: fetch the following ones.
  if (timeline.loaded && timeline.entries.length === 0 && !timeline.atNewest) timelines.delete(key)
}

/** Messages were deleted by their age. */
export function pruned(
  context: HandlerContext,
  { channel_id, before_id, last_message_id, unread_count }: Events['channel.pruned'],
  s: number,
): void {
  const { state } = context
  dropOld(state, `c${channel_id}`, before_id)
  const channel = state.channels.get(channel_id)
  if (channel) state.channels.set(channel_id, { ...channel, pruned_before_id: before_id })
  context.noteChange(`unread:${channel_id}`)
  if (state.newest.has(channel_id)) context.unknown.unread.add(channel_id)
  if (unread_count !== undefined)
    updateConversation(context, channel_id, s, (before) =>
      last_message_id ? { ...before, last_message_id, unread_count } : undefined,
    )
  context.touch('shell', `timeline c${channel_id}`)
}

/** Drops messages of one author that a moderator has deleted, also from a page that is on its way. */
export function prunedBy(context: HandlerContext, d: Pruned): void {
  const { channel_id } = d
  const { state } = context
  const timeline = state.timelines.get(`c${channel_id}`)
  const isGone = (entry: Entry) => isPruned(d, entry)
  for (const { id } of timeline?.entries.filter(isGone) ?? []) messageGone(context, channel_id, id)
  if (timeline)
    change(timeline, (row) => {
      row.entries = row.entries.filter((entry) => !isGone(entry))
    })
  // No message of the loaded range is left: fetch those around it.
  if (timeline?.loaded && timeline.entries.length === 0 && !(timeline.atOldest && timeline.atNewest))
    state.timelines.delete(`c${channel_id}`)
  context.noteChange(`unread:${channel_id}`)
  if (state.newest.has(channel_id)) context.unknown.unread.add(channel_id)
  context.touch('shell', `timeline c${channel_id}`)
}
