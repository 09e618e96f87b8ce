import type { Channel } from '../../features/access/model.ts'
import { conversationsOf, threadsUnder } from './channel-walk.ts'
import { badgeOf, isUnreadAloud } from './notifications.ts'
import type { Route } from './route.ts'
import type { State } from './state.ts'

/**
 * The channel or thread before or after the one on the page: in the visible list, or, among unread ones, in all lists.
 * @param step -1 is up
 */
export function channelBeside(state: State, here: Route, step: -1 | 1, isUnread: boolean): Channel | undefined {
  const servers = [...state.servers.keys()].toSorted((a, b) => a - b)
  const id = here.page === 'server' || here.page === 'place' ? here.channel_id : undefined
  const listOf = (serverId: number) =>
    state.channelsOf(serverId).flatMap((channel) => [channel, ...threadsUnder(state, channel.id, id)])
  const listed = here.page === 'server' ? listOf(here.server_id) : conversationsOf(state)
  const all = isUnread ? [...conversationsOf(state), ...servers.flatMap(listOf)] : listed
  const placeOf = (channelId: number | undefined) => all.findIndex((channel) => channel.id === channelId)
  // An unlisted thread counts as its channel.
  const index = placeOf(id)
  const at = index < 0 ? placeOf(state.channels.get(id ?? 0)?.parent_id ?? 0) : index
  // From no channel, down leads to the first one and up to the last one.
  const first = at < 0 ? (step > 0 ? -1 : 0) : at
  const walk = all.map((_, n) => all[(first + step * (n + 1) + all.length * 2) % all.length])
  const isSought = (channel: Channel) => !isUnread || isUnreadAloud(state, channel) || badgeOf(state, channel) > 0
  return walk.find((channel) => channel && channel.id !== id && isSought(channel))
}
