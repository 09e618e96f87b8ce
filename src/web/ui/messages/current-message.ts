import { signal } from '@preact/signals'
import type { Entry } from '../../state/timeline.ts'
import type { ReplyTarget } from '../../state/unsent.ts'

export const authorIdOf = (entry: Entry): number => entry.author.id

/** The message whose actions are shown: under the pointer, or with the focus. */
export const active = signal<number | undefined>(undefined)
/** The own message that is being edited. */
export const editing = signal<number | undefined>(undefined)
/** The message that is being replied to. */
export const replying = signal<ReplyTarget | undefined>(undefined)
