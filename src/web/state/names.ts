import type { Channel } from '../../features/channels/model.ts'
import { state } from './session.ts'

/** Removes Unicode's bidirectional control characters, which reorder the text beside them. */
export const withoutBidi = (text: string): string => text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')

/** The name of a channel, with # before that of a text channel. */
export const titleOf = ({ name, type }: Pick<Channel, 'name' | 'type'>): string =>
  (type === 'text' ? '#' : '') + withoutBidi(name)

/** The display name of an account, without bidirectional control characters. */
export const nameOf = (id: number, otherwise = '…'): string => knownNameOf(id) ?? withoutBidi(otherwise)

/** The same, if the account is known. */
export function knownNameOf(id: number): string | undefined {
  const name = state.users.get(id)?.display_name ?? (id === state.me() ? state.user?.display_name : undefined)
  return name === undefined ? undefined : withoutBidi(name)
}
