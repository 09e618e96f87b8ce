import type { Notice } from '../../events/bus.ts'
import type { OwnStatus, Presence, Status } from './model.ts'

/** The status that an account chose, with the number that orders its choices. */
export type Choice = Extract<Notice, { kind: 'status_changed' }>['choice']

/** An account as others see it. Objects without text and emoji are shared, because nearly all accounts have none. */
export type Shown = Readonly<Omit<Presence, 'user_id'>>

export const PLAIN: Readonly<Record<Status, Shown>> = {
  online: Object.freeze({ status: 'online' }),
  idle: Object.freeze({ status: 'idle' }),
  dnd: Object.freeze({ status: 'dnd' }),
  offline: Object.freeze({ status: 'offline' }),
}

/**
 * An account as others see it. Only this function turns a choice into something that leaves the account: every
 * viewer sees the same, because presence goes to whole servers.
 * @param choice undefined for an account that never chose
 * @param activity what its devices say; undefined if none is connected
 */
export function shownStatus(choice: Choice | undefined, activity: 'online' | 'idle' | undefined): Shown {
  if (activity === undefined || choice?.status === 'invisible') return PLAIN.offline
  if (!choice) return PLAIN[activity]
  const status = choice.status === 'online' ? activity : choice.status
  if (choice.text === null && choice.emoji === null) return PLAIN[status]
  return { status, ...(choice.text === null ? {} : { text: choice.text }), ...emojiOf(choice) }
}

const emojiOf = ({ emoji }: Choice) => (emoji === null ? {} : { emoji })

export const isSameShown = (one: Shown, other: Shown): boolean =>
  one === other || (one.status === other.status && one.text === other.text && one.emoji === other.emoji)

/** The newer of two choices of one account. */
export const newerChoice = (one: Choice | undefined, other: Choice | undefined): Choice | undefined =>
  (other?.set_at ?? 0) > (one?.set_at ?? 0) ? other : one

/** A choice as its own account sees it; what it would choose anew if it never chose. */
export const ownStatus = (choice: Choice | undefined): OwnStatus => {
  if (!choice) return { status: 'online', text: null, emoji: null, until: null }
  const { set_at: _, ...own } = choice
  return own
}
