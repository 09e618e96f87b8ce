import { signal } from '@preact/signals'
import type { ChannelPlace } from '../../state/place.ts'
import type { Entry } from '../../state/timeline.ts'
import type { ReplyTarget } from '../../state/unsent.ts'

export const authorIdOf = (entry: Entry): number => entry.author.id

/** The message whose actions are shown: under the pointer, or with the focus. */
export const active = signal<number | undefined>(undefined)
/** The own message that is being edited. */
export const editing = signal<number | undefined>(undefined)
/** By channel: the message that is being replied to. A thread may be open beside its channel. */
const replies = signal<ReadonlyMap<number, ReplyTarget>>(new Map())

/** The message that is being replied to in a place. */
export const answeredIn = ({ channel_id }: ChannelPlace): ReplyTarget | undefined => replies.value.get(channel_id)

/** Replies to a message in a place, or to none. */
export function answer({ channel_id }: ChannelPlace, target: ReplyTarget | undefined): void {
  const next = new Map(replies.value)
  if (target) next.set(channel_id, target)
  else next.delete(channel_id)
  replies.value = next
}
