import type { ErrorCode } from '../../core/errors.ts'

/** The relation of two accounts, from the side of one. */
export interface Tie {
  bond: 'none' | 'asked_by_me' | 'asked_by_them' | 'friends'
  blocked_by_me: boolean
  /** Never revealed: the refusal looks like that of an account that accepts no requests. */
  blocked_by_them: boolean
}

export const actions = ['request', 'accept', 'decline', 'cancel', 'remove', 'block', 'unblock'] as const
export type Action = (typeof actions)[number]
export type RelationState = 'none' | 'friends' | 'pending_incoming' | 'pending_outgoing' | 'blocked'

type Bond = Tie['bond']
type Refusal = Extract<
  ErrorCode,
  'already_requested' | 'already_friends' | 'blocked_by_you' | 'cannot_contact' | 'not_found'
>

/** The bond or refusal that each action leads to, by the present bond; a missing entry means `not_found`. */
const moves: Record<Exclude<Action, 'block' | 'unblock'>, Partial<Record<Bond, Bond | Refusal>>> = {
  request: {
    none: 'asked_by_me',
    asked_by_me: 'already_requested',
    asked_by_them: 'friends',
    friends: 'already_friends',
  },
  accept: { asked_by_them: 'friends' },
  decline: { asked_by_them: 'none' },
  cancel: { asked_by_me: 'none' },
  remove: { friends: 'none' },
}

const mirrorBond: Record<Bond, Bond> = {
  none: 'none',
  asked_by_me: 'asked_by_them',
  asked_by_them: 'asked_by_me',
  friends: 'friends',
}
const isBond = (to: Bond | Refusal): to is Bond => to in mirrorBond

/**
 * Applies my action to a relation.
 * @param canRequest true if the other account accepts a new request from me
 * @returns the new relation, or the code of the refusal
 */
export function act(tie: Tie, action: Action, canRequest: boolean): Tie | Refusal {
  if (action === 'block') return { ...tie, bond: 'none', blocked_by_me: true }
  if (action === 'unblock') return tie.blocked_by_me ? { ...tie, blocked_by_me: false } : 'not_found'
  if (action === 'request' && tie.blocked_by_me) return 'blocked_by_you'
  const to = moves[action][tie.bond] ?? 'not_found'
  if (to === 'asked_by_me' && (tie.blocked_by_them || !canRequest)) return 'cannot_contact'
  return isBond(to) ? { ...tie, bond: to } : to
}

const states: Record<Bond, RelationState> = {
  none: 'none',
  asked_by_me: 'pending_outgoing',
  asked_by_them: 'pending_incoming',
  friends: 'friends',
}

/** The state as I see it. */
export const stateOf = (tie: Tie): RelationState => (tie.blocked_by_me ? 'blocked' : states[tie.bond])

/** The relation from the other side. */
export const mirrorTie = (tie: Tie): Tie => ({
  bond: mirrorBond[tie.bond],
  blocked_by_me: tie.blocked_by_them,
  blocked_by_them: tie.blocked_by_me,
})
