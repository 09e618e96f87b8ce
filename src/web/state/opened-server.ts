import type { Events } from '../../core/events.ts'
import { setPresence } from './ephemeral-events.ts'
import type { HandlerContext } from './event-handlers.ts'
import { applyUnread } from './unread.ts'

/**
 * Keeps the servers that `ready` names as open, and the list entries of the others.
 * @returns the channels that exist in open servers and outside of servers
 */
export function serversOfReady({ state, unknown }: HandlerContext, ready: Events['ready']): Set<number> {
  const open = ready.servers.filter(({ entry }) => !entry)
  const openIds = new Set(open.map(({ id }) => id))
  const channels = new Set(open.flatMap((server) => server.channel_ids))
  for (const { channel_id } of ready.conversations) channels.add(channel_id)
  for (const id of state.servers.keys()) if (!ready.resumed || !openIds.has(id)) state.dropServer(id)
  state.listed.clear()
  for (const { id, channel_ids, entry } of ready.servers) if (entry) state.listed.set(id, { id, channel_ids, ...entry })
  for (const id of unknown.servers) if (!state.listed.has(id)) unknown.servers.delete(id)
  for (const id of openIds) if (ready.resumed && !state.servers.has(id)) unknown.servers.add(id)
  return channels
}

/** Takes what `ready` says of the servers that it opens: what is read, the followed threads, and who is there. */
export function openedServer(context: HandlerContext, d: Events['server.opened']): void {
  const { state, unknown, touch } = context
  for (const thread of d.threads) {
    state.channels.set(thread.id, thread)
    state.followed.add(thread.id)
  }
  for (const { id, server_id } of state.channels.values()) if (server_id === d.server_id) unknown.unread.delete(id)
  for (const { newest_id = null, mention_count = 0, ...mark } of d.read_marks)
    applyUnread(context, mark.channel_id, { ...mark, newest_id, mention_count })
  for (const presence of d.presences) setPresence(state, presence)
  touch('shell', 'statuses')
}
