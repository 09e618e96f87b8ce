import type { Events } from '../../core/events.ts'
import type { HandlerContext } from './event-handlers.ts'
import { change, type Entry, remove } from './timeline.ts'
import { messageGone } from './unread.ts'

/** Drops messages of one author that a moderator has deleted. */
export function prunedBy(context: HandlerContext, d: Events['channel.pruned_by']): void {
  const { channel_id, author_id, after_id, before_id } = d
  const { state } = context
  const timeline = state.timelines.get(`c${channel_id}`)
  const isGone = ({ id, author }: Entry) => author.id === author_id && id > after_id && id < before_id
  for (const { id } of timeline?.entries.filter(isGone) ?? []) {
    if (timeline) change(timeline, (row) => remove(row, id))
    messageGone(context, channel_id, id)
  }
  context.noteChange(`unread:${channel_id}`)
  if (state.newest.has(channel_id)) context.unknown.unread.add(channel_id)
  context.touch('shell', `timeline c${channel_id}`)
}
