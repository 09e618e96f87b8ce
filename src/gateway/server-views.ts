import { columns, type Database, type Sql } from '../database/database.ts'
import { type Read, readOn, type Source } from '../database/replicas.ts'
import { found } from '../core/errors.ts'
import { Channel, channelOf, isSpoken, Server } from '../features/access/model.ts'
import { type OwnMembership, selectMemberships } from '../features/members/membership.ts'
import { PRESENCE_MEMBERS_MAX } from '../features/members/model.ts'
import { Role } from '../features/roles/model.ts'
import { type Access, consistentRead } from './access.ts'
import { newsOf } from './channel-news.ts'
import { MarkCache, type MarkReading } from './mark-cache.ts'
import { markNow, markOnStandby, type SnapshotMark } from './replay.ts'
import { joinTexts, labelOf, type ServerTexts, type SnapshotPart, snapshotHead } from './snapshots.ts'
import { picturesOf } from './server-pictures.ts'
import { type KnownServer, loadPermissions, type ServerView, viewFor } from './server-view.ts'

export type { ServerView } from './server-view.ts'

/** Approximate size of all cached servers. */
const BYTES_MAX = 32 * 1024 * 1024
/** Approximate size of a compressed snapshot, as a share of its text. */
const COMPRESSED_SHARE = 0.15
/** Approximate size of an object in a list. */
const OBJECT_BYTES = 64
/** A server unused for this long is read again. Events stay in the log longer than that. */
const UNUSED_SECONDS_MAX = 60
/** Share of the heap worth collecting; a collection blocks the process for some 0.4 ms per megabyte of heap. */
const COLLECTED_MIN = 0.1

/** An account in a server. */
export interface Membership {
  member: OwnMembership
  view: ServerView
}

/** The access of an account with these memberships. */
export const accessOf = (user_id: number, memberships: Membership[]): Access => ({
  user_id,
  servers: memberships.map(({ view }) => view),
})

/** Result of a read. */
export interface Loaded {
  /** The read's position in the event log. */
  mark: SnapshotMark
  /** Memberships of each account, by server id. */
  memberships: Map<number, Membership[]>
}

type Load = (user_ids: number[]) => Promise<Loaded>
/** Reads in one snapshot. @param load reads memberships @param marks reads read marks */
type Work<T> = (sql: Sql, load: Load, marks: MarkReading) => Promise<T>

/** A read that may use the cache. */
interface Reading {
  /** The number of reads that had cached servers when it began. */
  readings: number
  source: Source
}

/** A member, with the standing that selects its view of the server. */
interface Standing {
  member: Membership['member']
  server: KnownServer
  standing: string
}

/**
 * Caches servers as members see them. Each read asks the event log, in its own database snapshot, whether a cached
 * server has changed. So a read sees every change whose commit it sees, on every node, without invalidation messages.
 */
export class ServerViews {
  /** Least recently used first. */
  readonly #servers = new Map<number, KnownServer>()
  #bytes = 0
  /** Numbers the reads that cached servers. */
  #readings = 0
  /** Reads with a lower number may not cache anything. */
  #oldestStoring = 0
  readonly #timer = setInterval(() => this.#forgetUnused(), UNUSED_SECONDS_MAX * 1000)

  readonly #marks: MarkCache

  /**
   * @param windowS how long events stay in the log at least, in seconds
   * @param readAnywhere reads on replicas, if there are any
   */
  constructor(
    private readonly sql: Database,
    windowS = UNUSED_SECONDS_MAX,
    private readonly readAnywhere: Read = readOn(sql),
  ) {
    this.#marks = new MarkCache(windowS)
  }

  /** Runs reads in one snapshot of the primary. @param work may call `load` once, to read accounts' memberships */
  read<T>(work: Work<T>): Promise<T> {
    return this.#read(readOn(this.sql), work)
  }

  /** The same in one snapshot of a replica, if there are any. The work may run twice. */
  readOpenings<T>(work: Work<T>): Promise<T> {
    return this.#read(this.readAnywhere, work)
  }

  #read<T>(read: Read, work: Work<T>): Promise<T> {
    // A server cached by another read from now on may be newer than this read's snapshot.
    const [readings, markReadings] = [this.#readings, this.#marks.readings]
    return read('openings', (database, source) => {
      const marks = this.#marks.begin(source, markReadings)
      return consistentRead(database, (sql) =>
        work(sql, (user_ids) => this.#load(sql, { readings, source }, user_ids), marks),
      )
    })
  }

  /**
   * Clears the cache, and that of read marks. Call when another database may be answering, whose transactions have
   * other ids.
   */
  forgetAll(): void {
    this.#oldestStoring = ++this.#readings
    this.#servers.clear()
    this.#bytes = 0
    this.#marks.forgetAll()
  }

  /**
   * Counts what another module keeps for as long as it has the texts of a server, which are garbage once the server has
   * changed, or has been unused for long.
   */
  charge(texts: ServerTexts, bytes: number): void {
    const server = this.#servers.get(texts.id)
    if (server !== texts) return
    this.#grow(server, bytes)
    this.#dropOldest()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #load(sql: Sql, reading: Reading, user_ids: number[]): Promise<Loaded> {
    const markOf = reading.source === 'replica' ? markOnStandby : markNow
    const [mark, members] = await Promise.all([markOf(sql), selectMemberships(sql, user_ids)])
    const ids = [...new Set(members.map((member) => member.server_id))]
    const current = await this.#currentOf(sql, reading, mark, ids)
    const loadedServers = await loadServers(
      sql,
      mark,
      reading.source,
      ids.filter((id) => !current.has(id)),
    )
    const standings = members.map((member): Standing => {
      const server = found(current.get(member.server_id) ?? loadedServers.get(member.server_id))
      return { member, server, standing: standingOf(server, member) }
    })
    await this.#addViews(sql, standings)
    if (loadedServers.size > 0) this.#store(reading.readings, loadedServers)
    const memberships = Map.groupBy(
      standings.map(({ member, server, standing }) => ({ member, view: found(server.views.get(standing)) })),
      ({ member }) => member.user_id,
    )
    return { mark, memberships }
  }

  /** The cached servers that are current in this read's snapshot of the database. */
  async #currentOf(
    sql: Sql,
    { readings, source }: Reading,
    { now_s }: SnapshotMark,
    ids: number[],
  ): Promise<Map<number, KnownServer>> {
    const isOlder = (server: KnownServer) =>
      server.reading <= readings &&
      now_s - server.checkedS < UNUSED_SECONDS_MAX &&
      // A standby may show a commit that the primary, which waits for another standby, does not show yet.
      (source === 'replica' || server.source === 'primary')
    const cached = ids.flatMap((id) => this.#servers.get(id) ?? []).filter(isOlder)
    if (cached.length === 0) return new Map()
    // Events for a single account, such as read marks, do not change what others see.
    const changedServers = await sql<{ id: number }[]>`
      select kept.id from unnest(${cached.map(({ id }) => id)}::bigint[],
        ${cached.map(({ mark }) => mark.from_xid)}::text[], ${cached.map(({ mark }) => mark.seen)}::text[])
        as kept (id, from_xid, seen)
      where exists (select from events e where e.server_id = kept.id and e.user_id is null
        and e.xid >= kept.from_xid::xid8 and not pg_visible_in_snapshot(e.xid, kept.seen::pg_snapshot))`
    for (const { id } of changedServers) this.#forget(cached.find((server) => server.id === id))
    const current = new Map(cached.map((server) => [server.id, server]))
    for (const { id } of changedServers) current.delete(id)
    for (const server of current.values()) {
      Object.assign(server, { checkedS: Math.max(server.checkedS, now_s), isUsed: true })
      this.#touch(server)
    }
    return current
  }

  /** Adds views for standings that are not cached, each computed for one of the members with it. */
  async #addViews(sql: Sql, standings: Standing[]): Promise<void> {
    const withoutView = standings.filter(({ server, standing }) => !server.views.has(standing))
    const examples = [...new Map(withoutView.map((one) => [`${one.server.id} ${one.standing}`, one])).values()]
    if (examples.length === 0) return
    const [permissions, channels] = await loadPermissions(sql, examples)
    for (const [at, { server, standing }] of examples.entries()) {
      const visible = channels.get(at) ?? []
      // The view keeps what this names, and must not keep the rows.
      const count = visible.length
      const noteMade = (parts: SnapshotPart[]) => this.#grow(server, partsBytes(parts, count, server))
      const view = viewFor(server, found(permissions[at]).permissions, visible, noteMade)
      server.views.set(standing, view)
      this.#grow(server, viewBytes(view))
    }
  }

  #grow(server: KnownServer, bytes: number): void {
    server.bytes += bytes
    if (this.#servers.get(server.id) === server) this.#bytes += bytes
  }

  #store(readings: number, servers: Map<number, KnownServer>): void {
    if (readings < this.#oldestStoring) return
    const reading = ++this.#readings
    for (const server of servers.values()) {
      const newer = this.#servers.get(server.id)
      if (newer && newer.reading > readings) continue
      this.#forget(newer)
      this.#servers.set(server.id, Object.assign(server, { reading }))
      this.#bytes += server.bytes
    }
    this.#dropOldest()
  }

  #dropOldest(): void {
    for (const server of this.#servers.values()) {
      if (this.#bytes <= BYTES_MAX) break
      this.#forget(server)
    }
  }

  #touch(server: KnownServer): void {
    if (this.#servers.get(server.id) !== server) return
    this.#servers.delete(server.id)
    this.#servers.set(server.id, server)
  }

  #forget(server: KnownServer | undefined): void {
    if (!server || this.#servers.get(server.id) !== server) return
    this.#servers.delete(server.id)
    this.#bytes -= server.bytes
  }

  #forgetUnused(): void {
    const bytes = this.#bytes
    for (const server of this.#servers.values()) {
      if (!server.isUsed) this.#forget(server)
      server.isUsed = false
    }
    // The engine would keep the memory while the process is idle.
    if (bytes - this.#bytes > COLLECTED_MIN * process.memoryUsage().heapUsed) Bun.gc(true)
  }
}

/** Everything that channel_permissions and member_permissions depend on for a member, besides the server itself. */
function standingOf({ owner_id }: KnownServer, member: Membership['member']): string {
  const { user_id, held_back, timed_out_until, role_ids, overwrites } = member
  const kind = user_id === owner_id ? 'owner' : member.is_guest ? 'guest' : ''
  const own = kind !== 'owner' && overwrites.length > 0 ? user_id : ''
  return `${kind} ${own} ${held_back ?? (timed_out_until && 'timed out') ?? ''} ${role_ids.join(' ')}`
}

const bytesOf = (texts: string[]): number => texts.reduce((sum, text) => sum + text.length, 0)

function viewBytes({ readyText, topics, channels }: ServerView): number {
  const objects = channels.length + topics.length + 5
  return bytesOf([readyText, ...topics]) + objects * OBJECT_BYTES
}

/** @param channelCount of the channels in the parts */
function partsBytes(parts: SnapshotPart[], channelCount: number, server: KnownServer): number {
  const tails = parts.map(({ tail }) => tail)
  // Do not count the server's text of all channels, which the view shares if it has them all.
  const sharedLength = tails.length === 1 && channelCount === server.channels.length ? server.allChannels.length : 0
  return (bytesOf(tails) - sharedLength) * server.width + bytesOf(tails) * COMPRESSED_SHARE
}

async function loadServers(
  sql: Sql,
  mark: SnapshotMark,
  source: Source,
  ids: number[],
): Promise<Map<number, KnownServer>> {
  if (ids.length === 0) return new Map()
  const [servers, channels, roles, { emojiOf, stickersOf }, near, news] = await Promise.all([
    sql<Server[]>`select ${columns(sql, Server)} from servers where id = any(${ids})`,
    sql<(Channel & { restricted: boolean })[]>`select ${columns(sql, Channel, 'c')}, c.restricted from channels c
      where c.server_id = any(${ids}) and c.type <> 'thread' order by c.position`,
    sql<Role[]>`select ${columns(sql, Role)} from roles where server_id = any(${ids}) order by position`,
    picturesOf(sql, ids),
    sql<{ server_id: number; user_ids: number[] }[]>`
      select m.server_id, json_agg(m.user_id order by m.user_id) as user_ids
      from members m join servers s on s.id = m.server_id
      where s.id = any(${ids}) and s.member_count <= ${PRESENCE_MEMBERS_MAX} group by m.server_id`,
    newsOf(sql, ids),
  ])
  const [channelsOf, rolesOf, nearOf] = [
    Map.groupBy(channels, (channel) => channel.server_id),
    Map.groupBy(roles, (role) => role.server_id),
    new Map(near.map(({ server_id, user_ids }) => [server_id, user_ids])),
  ]
  const loaded = servers.map((server): KnownServer => {
    const channelRows = channelsOf.get(server.id) ?? []
    const { whole, pieces } = joinTexts(channelRows.map((row) => JSON.stringify(channelOf(row))))
    const texts = {
      head: snapshotHead(server),
      labelText: labelOf(server),
      allChannels: whole,
      channels: channelRows.map(({ id, type, restricted, parent_id, opt_in_since }, at) => ({
        id,
        parent_id,
        opt_in_since,
        isVoice: isSpoken(type),
        restricted,
        text: pieces[at] ?? '',
        news: news.get(id),
      })),
      roles: (rolesOf.get(server.id) ?? []).map((role) => JSON.stringify(role)),
      emoji: emojiOf.get(server.id) ?? [],
      stickers: stickersOf.get(server.id) ?? [],
      near: nearOf.get(server.id) ?? [],
    }
    const all = [texts.head, texts.labelText, whole, ...texts.roles, ...texts.emoji, ...texts.stickers]
    const width = all.some((text) => /[^\0-\xff]/.test(text)) ? 2 : 1
    return {
      id: server.id,
      owner_id: server.owner_id,
      mark,
      source,
      reading: 0,
      checkedS: mark.now_s,
      isUsed: true,
      ...texts,
      width,
      views: new Map(),
      bytes: bytesOf(all) * width + texts.channels.length * 2 * OBJECT_BYTES + texts.near.length * 8 + mark.seen.length,
    }
  })
  return new Map(loaded.map((server) => [server.id, server]))
}
