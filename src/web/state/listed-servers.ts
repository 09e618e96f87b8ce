import type { Channel } from '../../features/access/model.ts'
import type { Ready, ServerEntry } from '../../gateway/model.ts'
import type { EventFrame } from '../client/gateway.ts'

/** A server that the client has not opened: its list entry. */
export type ListedServer = ServerEntry & Pick<Ready['servers'][number], 'id' | 'channel_ids'>

/** Parts of the state that list entries are in. */
interface State {
  servers: ReadonlyMap<number, { id: number; name: string; icon_file_id: number | null }>
  listed: ReadonlyMap<number, ListedServer>
}

const has = ({ channel_ids, thread_ids }: ListedServer, id: number): boolean =>
  channel_ids.includes(id) || thread_ids.includes(id)

/** The listed server of a channel or followed thread. */
export const listedWith = ({ listed }: Pick<State, 'listed'>, channelId: number): ListedServer | undefined =>
  [...listed.values()].find((server) => has(server, channelId))

/** Events that change the inside of a server, which a list entry does not have. */
const INSIDE = /^(message|channel|thread|role|emoji|sticker|member|invite|typing|notifications)\./
/** Events that may change its counts: messages created, updated, deleted; channels created, deleted, read, pruned. */
const COUNTED = /^(message\.[cud]|channel\.([cdr]|pr)|thread|notif)/

/** The listed server whose inside an event changes, and whether its counts may change too. */
export function insideOf({ listed }: Pick<State, 'listed'>, { t, d }: EventFrame) {
  if (listed.size === 0 || !INSIDE.test(t)) return undefined
  const { server_id, channel_id, id = 0 } = d as { server_id?: number | null; channel_id?: number; id?: number }
  // Without a server's id, an event of these types has a channel's.
  const server = server_id ? listed.get(server_id) : listedWith({ listed }, channel_id ?? id)
  // Only followed threads count.
  const isCounted = COUNTED.test(t) && (!t.startsWith('thread') || server?.thread_ids.includes(channel_id ?? id))
  return server && { id: server.id, isCounted }
}

/** Open and listed servers, in their order. */
export const allServers = ({ servers, listed }: State) =>
  [...servers.values(), ...listed.values()].toSorted((a, b) => a.id - b.id)

/** Channels by id. A lookup of a channel of a listed server misses, and says so: the server is then opened. */
export class Channels extends Map<number, Channel> {
  onMissing = (_id: number): void => {}

  override get(id: number): Channel | undefined {
    const channel = super.get(id)
    if (!channel && id > 0) this.onMissing(id)
    return channel
  }
}
