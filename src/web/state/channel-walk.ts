import type { Channel } from '../../features/access/model.ts'
import { channelPath, placePath, type Route } from './route.ts'
import { badgeOf, isUnreadAloud } from './notifications.ts'
import { isServerChannel, type ServerChannel, type State } from './state.ts'

/** The path of a channel's page. */
export const pathOf = ({ id, server_id }: Channel): string =>
  server_id === null ? placePath(id) : channelPath(server_id, id)

/** The newest message of a dm or group, by which it is sorted; a group without messages is new. */
function newestOf({ conversations }: State, { id, type, last_message_id }: Channel): number {
  const newestId = type === 'dm' ? conversations.get(id)?.last_message_id : last_message_id
  return newestId ?? Number.POSITIVE_INFINITY
}

/** The dms and groups as the sidebar lists them: the one with the newest message first. */
export const conversationsOf = (state: State): Channel[] =>
  [...state.conversations.keys()]
    .flatMap((id) => state.channels.get(id) ?? [])
    .toSorted((a, b) => newestOf(state, b) - newestOf(state, a) || b.id - a.id)

/**
 * The unarchived threads below a channel in the sidebar, oldest first.
 * @param currentId the channel on the page: a thread is listed even if the account does not follow it
 */
export const threadsUnder = (state: State, channelId: number, currentId: number | undefined): ServerChannel[] =>
  [...new Set([...state.followed, currentId ?? 0])]
    .flatMap((id) => state.channels.get(id) ?? [])
    .filter(isServerChannel)
    .filter(({ type, parent_id }) => type === 'thread' && parent_id === channelId)
    .filter(({ archived_at }) => archived_at === null)
    .toSorted((a, b) => a.id - b.id)

/**
 * The channel or thread before or after the one on the page: in the visible list, or, among unread ones, in all lists.
 * @param step -1 is up
 */
export function channelBeside(state: State, here: Route, step: -1 | 1, isUnread: boolean): Channel | undefined {
  const servers = [...state.servers.keys()].toSorted((a, b) => a - b)
  const id = here.page === 'server' || here.page === 'place' ? here.channel_id : undefined
  const listOf = (server_id: number) =>
    state
      .channelsOf(server_id)
      .filter((channel) => state.isListed(channel.id) || channel.id === id)
      .flatMap((channel) => [channel, ...threadsUnder(state, channel.id, id)])
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
