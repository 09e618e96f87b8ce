import type { Channel } from '../../../features/access/model.ts'
import type { Component } from '../../../features/messages/model.ts'
import { isLarge } from '../../state/member-lists.ts'
import { nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { state } from '../../state/session.ts'
import { isLong } from './search-choice.tsx'

type SelectMenu = Extract<Component, { type: 'select' }>

/** Members of a channel's server, or of a dm or group. */
export const peopleIn = ({ server_id, recipients }: Channel): number[] =>
  server_id === null ? (recipients ?? []).map(({ id }) => id) : [...(state.members.get(server_id)?.keys() ?? [])]

/** The choices of a bot's select in a channel, and whether they are searched by name. */
export function offeredIn(select: Pick<SelectMenu, 'of' | 'options'>, channelId: number) {
  const channel = state.channels.get(channelId)
  const choices = choicesOf(select, channel)
  const server_id = channel?.server_id ?? null
  /** The server to search for members: the page knows only some of a large one's. */
  const membersOf = select.of === 'user' && server_id !== null && isLarge(state, server_id) ? server_id : null
  return { choices, membersOf, isSearched: membersOf !== null || (select.of !== 'string' && isLong(choices)) }
}

function choicesOf(
  { of, options }: Pick<SelectMenu, 'of' | 'options'>,
  channel: Channel | undefined,
): [value: string, name: string][] {
  if (of === 'string') return options.map(({ value, label }) => [value, label])
  if (!channel) return []
  const { server_id } = channel
  if (of === 'user') return peopleIn(channel).map((id) => [String(id), nameOf(id)])
  if (server_id === null) return []
  if (of === 'channel') return state.channelsOf(server_id).map((each) => [String(each.id), titleOf(each)])
  const roles = [...state.roles.values()].filter((role) => role.server_id === server_id)
  return roles.map((role) => [String(role.id), withoutBidi(role.name)])
}
