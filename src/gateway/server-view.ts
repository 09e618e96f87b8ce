import type { Sql } from '../database/database.ts'
import type { Source } from '../database/replicas.ts'
import type { Channel } from '../features/access/model.ts'
import type { OwnMembership } from '../features/members/membership.ts'
import { topicsIn, type VisibleServer } from './access.ts'
import type { ChannelNews } from './channel-news.ts'
import type { SnapshotMark } from './replay.ts'
import { type ServerTexts, type SnapshotPart, snapshotParts } from './snapshots.ts'

/** A server as seen by members of the same standing, encoded. */
export interface ServerView extends VisibleServer {
  /** Tells this view from every other one of this process. */
  number: number
  /** The server for all members: the same object as long as nothing in the server changes. */
  texts: ServerTexts
  /** The server in `ready`. */
  readyText: string
  /** Name and icon, as fields of JSON, for clients that have not opened the server. */
  labelText: string
  /** `server.snapshot`. */
  parts: ViewParts
  /** All members' ids, ascending, if they see each other's presence. */
  near: number[]
  /** True if members choose some of the channels. */
  hasChoices: boolean
}

/** A channel of a server, for all members. */
interface KnownChannel extends Pick<Channel, 'id' | 'parent_id' | 'opt_in_since'> {
  isVoice: boolean
  restricted: boolean
  text: string
  news: ChannelNews | undefined
}

/** A server as of one snapshot of the database. */
export interface KnownServer {
  id: number
  owner_id: number
  mark: SnapshotMark
  /** The server of PostgreSQL that it was read on. */
  source: Source
  /** Number of the read that cached it. */
  reading: number
  /** When a read last found it current, seconds since the epoch by the database's clock. */
  checkedS: number
  isUsed: boolean
  head: string
  labelText: string
  /** JSON of all channels, joined by commas. Each channel's text is a slice of it, without memory of its own. */
  allChannels: string
  channels: KnownChannel[]
  roles: string[]
  emoji: string[]
  stickers: string[]
  near: number[]
  /** Bytes per character: a single character outside of Latin-1 makes a whole text use two. */
  width: 1 | 2
  /** By standing: the facts that determine a member's permissions. */
  views: Map<string, ServerView>
  bytes: number
}

/**
 * The parts of `server.snapshot`, several for a large server. Made when they are first sent, because bots on Discord's
 * door need none, and each of them has a view of its own: bots have roles of their own.
 */
class ViewParts {
  #parts: SnapshotPart[] | undefined

  /** @param noteMade called once, with the parts */
  constructor(
    private readonly server: KnownServer,
    private readonly permissions: number,
    private readonly channels: { id: number }[],
    private readonly noteMade: (parts: SnapshotPart[]) => void,
  ) {}

  all(): SnapshotPart[] {
    if (!this.#parts) {
      this.#parts = this.#make()
      this.noteMade(this.#parts)
    }
    return this.#parts
  }

  #make(): SnapshotPart[] {
    const { head, channels, allChannels, roles, emoji, stickers } = this.server
    const ids = new Set(this.channels.map(({ id }) => id))
    const seen = channels.filter(({ id }) => ids.has(id)).map(({ text }) => text)
    const all = seen.length === channels.length ? allChannels : undefined
    return snapshotParts(head, this.permissions, { channels: seen, roles, emoji, stickers }, all)
  }
}

/** Permissions of members in their server and in the channels they can see, by the member's index. */
export async function loadPermissions(sql: Sql, members: { member: Pick<OwnMembership, 'server_id' | 'user_id'> }[]) {
  const serverIds = members.map(({ member }) => member.server_id)
  const userIds = members.map(({ member }) => member.user_id)
  const [permissions, channels] = await Promise.all([
    sql<{ permissions: number }[]>`
      select mp.permissions from unnest(${serverIds}::bigint[], ${userIds}::bigint[])
        with ordinality as example (server_id, user_id, at)
      cross join lateral (select permissions from member_permissions mp
        where mp.server_id = example.server_id and mp.user_id = example.user_id offset 0) mp order by at`,
    sql<{ at: number; channel_id: number; permissions: number }[]>`
      select example.at - 1 as at, cp.channel_id, cp.permissions
      from unnest(${serverIds}::bigint[], ${userIds}::bigint[]) with ordinality as example (server_id, user_id, at)
      cross join lateral (select channel_id, permissions from channel_permissions cp
        where cp.server_id = example.server_id and cp.user_id = example.user_id and can_view(permissions) offset 0) cp`,
  ])
  return [permissions, Map.groupBy(channels, (row) => row.at)] as const
}

let views = 0

/**
 * A server as members with these permissions see it.
 * @param noteMade called once the parts of its snapshot are made
 */
export function viewFor(
  server: KnownServer,
  permissions: number,
  visible: { channel_id: number; permissions: number }[],
  noteMade: (parts: SnapshotPart[]) => void,
): ServerView {
  const permissionsById = new Map(visible.map((row) => [row.channel_id, row.permissions]))
  const { id, labelText, near } = server
  const visibleChannels = server.channels.filter((channel) => permissionsById.has(channel.id))
  const channels = visibleChannels.map((channel) => ({
    id: channel.id,
    server_id: id,
    restricted: channel.restricted,
    permissions: permissionsById.get(channel.id) ?? 0,
    parent_id: channel.parent_id,
    opt_in_since: channel.opt_in_since,
    news: channel.news,
  }))
  return {
    id,
    number: ++views,
    texts: server,
    permissions,
    channels,
    voiceIds: visibleChannels.filter((channel) => channel.isVoice).map((channel) => channel.id),
    topics: topicsIn({ id, permissions, channels }),
    readyText: JSON.stringify({ id, channel_ids: visibleChannels.map((channel) => channel.id) }),
    labelText,
    parts: new ViewParts(server, permissions, channels, noteMade),
    near,
    hasChoices: channels.some(({ opt_in_since }) => opt_in_since !== null),
  }
}
