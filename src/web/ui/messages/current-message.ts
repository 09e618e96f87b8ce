import { effect, signal } from '@preact/signals'
import type { ChannelPlace } from '../../state/place.ts'
import type { Entry } from '../../state/timeline.ts'
import type { ReplyTarget } from '../../state/unsent.ts'
import { inTab } from '../../state/stored.ts'

export const authorIdOf = (entry: Entry): number => entry.author.id

/** The message whose actions are shown: under the pointer, or with the focus. */
export const active = signal<number | undefined>(undefined)
/**
 * True after a touch, until a mouse or pen, or a key within a message. A touch brings up no buttons above a message,
 * because a long press opens a menu of them.
 */
export const isFinger = signal(false)
document.addEventListener('pointerdown', ({ pointerType }) => (isFinger.value = pointerType === 'touch'), true)
document.addEventListener(
  'keydown',
  // A keyboard that is drawn on the screen writes, and does not lead to a message.
  ({ target }) => target instanceof Element && target.closest('.message') && (isFinger.value = false),
  true,
)
const EDITING = 'parley.editing'
/** The message that is being edited; survives a reload. Another account's message shows no editor. */
export const editing = signal<number | undefined>(Number(inTab.getItem(EDITING)) || undefined)
effect(() => inTab.setItem(EDITING, String(editing.value ?? '')))
/** The message that is being replied to, by channel: a channel and a thread may be open together. */
const replies = signal<ReadonlyMap<number, ReplyTarget>>(new Map())

/** The message that is being replied to in a place. */
export const answeredIn = ({ channel_id }: ChannelPlace): ReplyTarget | undefined => replies.value.get(channel_id)

/** The place whose text was changed from elsewhere: its composer shows it. */
export const rewritten = signal({ channel_id: 0 })

/** Replies to a message in a place, or to none. */
export function answer({ channel_id }: ChannelPlace, target: ReplyTarget | undefined): void {
  const next = new Map(replies.value)
  if (target) next.set(channel_id, target)
  else next.delete(channel_id)
  replies.value = next
}
