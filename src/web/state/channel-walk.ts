import type { Channel } from '../../features/access/model.ts'
import { channelPath, placePath } from './route.ts'
import { isServerChannel, type ServerChannel, type State } from './state.ts'

/** The path of a channel's page. */
export const pathOf = ({ id, server_id }: Channel): string =>
  server_id === null ? placePath(id) : channelPath(server_id, id)

/** The newest message of a dm or group, by which it is sorted; a group without messages is new. */
function newestOf({ conversations }: State, { id, type, last_message_id }: Channel): number {
  const newestId = type === 'dm' ? conversations.get(id)?.last_message_id : last_message_id
  return newestId ?? Number.POSITIVE_INFINITY
}

/** The dms and groups as the sidebar lists them: the one with the newest message first, without message requests. */
export const conversationsOf = (state: State): Channel[] =>
  [...state.conversations]
    .flatMap(([id, { request }]) => (request ? [] : (state.channels.get(id) ?? [])))
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
