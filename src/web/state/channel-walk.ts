import type { Channel } from '../../features/channels/model.ts'
import { channelPath, placePath, type Route } from './route.ts'
import type { State } from './state.ts'

/** The path of a channel's page. */
export const pathOf = ({ id, server_id }: Channel): string =>
  server_id === null ? placePath(id) : channelPath(server_id, id)

/** The newest message of a dm or group, by which it is sorted; a group without messages is new. */
function newestOf({ conversations }: State, { id, type, last_message_id }: Channel): number {
  const shown = type === 'dm' ? conversations.get(id)?.last_message_id : last_message_id
  return shown ?? Number.POSITIVE_INFINITY
}

/** The dms and groups as the sidebar lists them: the one with the newest message first. */
export const conversationsOf = (state: State): Channel[] =>
  [...state.conversations.keys()]
    .flatMap((id) => state.channels.get(id) ?? [])
    .toSorted((a, b) => newestOf(state, b) - newestOf(state, a) || b.id - a.id)

/**
 * The channel before or behind the one that is shown: in the list that is shown, or, for unread ones, in all of them.
 * @param step -1 is up
 */
export function channelBeside(state: State, here: Route, step: -1 | 1, unread: boolean): Channel | undefined {
  const servers = [...state.servers.keys()].toSorted((a, b) => a - b)
  const shown = here.page === 'server' ? state.channelsOf(here.server_id) : conversationsOf(state)
  const all = unread ? [...conversationsOf(state), ...servers.flatMap((id) => state.channelsOf(id))] : shown
  const id = here.page === 'server' || here.page === 'place' ? here.channel_id : undefined
  const at = all.findIndex((channel) => channel.id === id)
  // From no channel, down leads to the first one and up to the last one.
  const first = at < 0 ? (step > 0 ? -1 : 0) : at
  const walk = all.map((_, n) => all[(first + step * (n + 1) + all.length * 2) % all.length])
  return walk.find((channel) => channel && channel.id !== id && (!unread || state.isUnread(channel)))
}
