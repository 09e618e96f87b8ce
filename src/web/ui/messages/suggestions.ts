import type { Channel } from '../../../features/access/model.ts'
import { matches } from '../../state/matches.ts'
import type { Composition } from '../../state/mentions.ts'
import { nameOf, withoutBidi } from '../../state/names.ts'
import { state } from '../../state/session.ts'
import { queryAt } from '../../state/unfinished-mention.ts'
import { completionWords } from '../../words/completions.ts'

const SUGGESTED_MAX = 6

/** A completion of an unfinished mention. */
export interface Suggestion {
  kind: 'person' | 'role' | 'all' | 'channel'
  id: number
  /** The name that is looked for, without its sign. */
  name: string
  /** The account or the token to insert; undefined if the account may not mention it. */
  target: number | string | undefined
  color?: string | null
  hint?: string
}

/** Completions of the text after an @ or # before the caret, and the position of that sign. */
export function suggestionsAt(value: Composition, caret: number, channel: Channel) {
  const people = queryAt(value, caret)
  const matching = people && matches(people.query, mentionable(channel), SUGGESTED_MAX)
  if (people && matching && matching.length > 0) return { ...people, found: matching }
  const place = queryAt(value, caret, '#')
  if (!place || channel.server_id === null) return undefined
  return { ...place, found: matches(place.query, channelsOf(channel.server_id), SUGGESTED_MAX) }
}

/** The members of the channel's server and what else may be mentioned there, or the participants of a dm or group. */
function mentionable(channel: Channel): Suggestion[] {
  const { server_id, recipients } = channel
  const person = (id: number): Suggestion => ({ kind: 'person', id, name: nameOf(id), target: id })
  if (server_id === null) return (recipients ?? []).map(({ id }) => person(id))
  const mayAll = state.mayIn(channel, 'mention_everyone')
  const mayNot = completionWords.mayNot
  const roles = [...state.roles.values()]
    .filter((role) => role.server_id === server_id && !role.is_everyone)
    .map(({ id, name, color, mentionable }): Suggestion => {
      const may = mayAll || mentionable
      const hint = may ? completionWords.role : mayNot
      return { kind: 'role', id, name: withoutBidi(name), target: may ? `<@&${id}>` : undefined, color, hint }
    })
  const all = (['everyone', 'here'] as const).map((name): Suggestion => {
    const hint = mayAll ? completionWords[name] : mayNot
    return { kind: 'all', id: 0, name, target: mayAll ? `@${name}` : undefined, hint }
  })
  return [...[...(state.members.get(server_id)?.keys() ?? [])].map(person), ...roles, ...all]
}

const channelsOf = (server_id: number): Suggestion[] =>
  state
    .channelsOf(server_id)
    .map(({ id, name }) => ({ kind: 'channel', id, name: withoutBidi(name), target: `<#${id}>` }))

/** Text inserted for a suggestion. */
export const writtenOf = ({ kind, name }: Suggestion): string =>
  kind === 'person' ? name : `${kind === 'channel' ? '#' : '@'}${name}`
