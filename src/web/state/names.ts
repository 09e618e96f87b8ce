import type { Channel } from '../../features/access/model.ts'
import { serverHere } from './route.ts'
import { state } from './session.ts'
import { withoutHidden } from '../../core/visible.ts'
import { words } from '../words/words.ts'

/** The server's display name for every deleted account. */
const DELETED = 'Deleted user'
/** The server's display name for guests whose accounts have ended. */
const ENDED_GUEST = 'Guest'
/** The visible form of a name. */
const visibleName = (name: string): string => (name === DELETED ? words.deletedUser : withoutBidi(name))

/** A name without invisible characters and characters that reorder the text around them. */
export const withoutBidi = (text: string): string => withoutHidden(text)

/** Name of a channel: # before that of a text channel; for a dm the partner's, for an unnamed group all members'. */
export const titleOf = (channel: Channel): string =>
  channel.name === '' ? peopleIn(channel) : (channel.type === 'text' ? '#' : '') + withoutBidi(channel.name)

/** The names of the others in a dm or group. */
function peopleIn({ recipients }: Channel): string {
  const others = (recipients ?? []).filter(({ id }) => id !== state.me())
  return others.map(({ id, display_name }) => nameOf(id, display_name)).join(', ') || nameOf(state.me())
}

/**
 * Name of an account on the current page: its nickname in the server, else its display name.
 * @param otherwise name of an unknown account; each message of a webhook carries its own name
 */
export const nameOf = (id: number, otherwise = '…'): string =>
  (state.users.get(id)?.kind === 'webhook' ? undefined : knownNameOf(id)) ?? visibleName(otherwise)

/** The same, if the account is known. */
export const knownNameOf = (id: number): string | undefined => nicknameOf(id) ?? displayNameOf(id)

/** The nickname of an account in the server on the page, without bidirectional control characters. */
function nicknameOf(id: number): string | undefined {
  const name = state.members.get(serverHere.value ?? 0)?.get(id)?.nickname
  return name ? withoutBidi(name) : undefined
}

/** The display name of an account, if it is known, without bidirectional control characters. */
export function displayNameOf(id: number): string | undefined {
  const user = state.users.get(id)
  if (user?.kind === 'guest' && user.display_name === ENDED_GUEST) return words.guest
  const name = user?.display_name ?? (id === state.me() ? state.user?.display_name : undefined)
  return name === undefined ? undefined : visibleName(name)
}

/** True for people and guests. */
export const isHuman = (id: number): boolean => ['person', 'guest'].includes(state.users.get(id)?.kind ?? '')

/** True if two accounts can be friends and write to each other: not if this account or the other is a guest. */
export const canContact = (id: number): boolean => !state.isGuest() && state.users.get(id)?.kind !== 'guest'

/**
 * Name of the token's role or channel with its sign, or `:name:` of its custom emoji; undefined if unknown.
 */
export function tokenNameOf(token: string): string | undefined {
  if (token.startsWith('<:')) return token.replace(/^<|\d+>$/g, '')
  const id = Number(/\d+/.exec(token)?.[0])
  if (token.startsWith('<@&')) {
    const role = state.roles.get(id)
    return role && `@${withoutBidi(role.name)}`
  }
  const channel = state.channels.get(id)
  return channel && `#${withoutBidi(channel.name)}`
}
