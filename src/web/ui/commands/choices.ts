import type { Channel } from '../../../features/access/model.ts'
import type { Component } from '../../../features/messages/model.ts'
import { isLarge } from '../../state/member-lists.ts'
import { nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { state } from '../../state/session.ts'

type SelectMenu = Extract<Component, { type: 'select' }>

/** Members of a channel's server, or of a dm or group. */
export const peopleIn = ({ server_id, recipients }: Channel): number[] =>
  server_id === null ? (recipients ?? []).map(({ id }) => id) : [...(state.members.get(server_id)?.keys() ?? [])]

/** Options of a select. */
export function offeredIn({ of, options }: Pick<SelectMenu, 'of' | 'options'>, channelId: number): [string, string][] {
  const channel = state.channels.get(channelId)
  if (of === 'string') return options.map(({ value, label }) => [value, label])
  if (!channel) return []
  const { server_id } = channel
  if (of === 'user') return peopleIn(channel).map((id) => [String(id), nameOf(id)])
  if (server_id === null) return []
  if (of === 'channel') return state.channelsOf(server_id).map((each) => [String(each.id), titleOf(each)])
  const roles = [...state.roles.values()].filter((role) => role.server_id === server_id)
  return roles.map((role) => [String(role.id), withoutBidi(role.name)])
}

/** The server that a select of people searches, because the page knows only some of its members; null for others. */
export function largeServer({ of }: Pick<SelectMenu, 'of'>, channelId: number): number | null {
  const server_id = state.channels.get(channelId)?.server_id ?? null
  return of === 'user' && server_id !== null && isLarge(state, server_id) ? server_id : null
}
