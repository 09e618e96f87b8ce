import { codeOf, Problem } from '../../core/errors.ts'
import { Semaphore } from '../../core/semaphore.ts'
import type { Database, Sql } from '../../database/database.ts'
import { type Read, readOn } from '../../database/replicas.ts'
import type { PageAddress } from './address.ts'
import { buildPage, type Built, type PagePart } from './build.ts'

/** Bytes of all pages in memory. */
const BYTES_MAX = 64 * 1024 * 1024
/** Share of a server that takes room from its own pages only, once the memory is full; and that of one page. */
const SERVER_SHARE_MAX = 1 / 4
const PAGE_SHARE_MAX = 1 / 16
/** Approximate size of an entry besides its text. */
const ENTRY_BYTES = 512
/** Other servers that a kept page shows something of; a page with more is built each time. */
const SERVERS_MAX = 20
/** A page is built again after this time, because what only adds to it has no event, such as the end of 24 hours. */
const SECONDS_MAX = 60
/** A change of an account may be committed this long after it began. */
const COMMIT_SECONDS_MAX = 30
/** Per statement of a build. */
const BUILD_MS_MAX = 2_000
/** Concurrent builds, each on its own connection; at most half of the connections. */
const BUILDS_AT_ONCE = 16
/** Requests that wait for a build, in all and per server. */
const WAITING_MAX = 500
const SERVER_WAITING_MAX = 100

/** PostgreSQL's error code for a statement timeout. */
const QUERY_CANCELED = '57014'

/** A page as it is sent, with the hash of its text. */
export interface Sent extends Omit<Built, 'body'> {
  body: Uint8Array<ArrayBuffer>
  hash: string
}

interface Entry {
  page: Sent
  server_id: number
  /** The last state of the database at which the page was right, as a snapshot, and the time of the build. */
  from_xid: string
  seen: string
  now: string
  builtAt: number
  bytes: number
}

type Mark = Pick<Entry, 'from_xid' | 'seen' | 'now'>

/** The state that a snapshot shows. Also sets the time limit of the following statements of its transaction. */
async function markOf(sql: Sql): Promise<Mark> {
  const [mark] = await sql<[Mark]>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as from_xid, pg_current_snapshot()::text as seen, now(),
      set_config('statement_timeout', ${String(BUILD_MS_MAX)}, true)`
  return mark
}

/**
 * Public pages, each built once for all who wait, and kept until anything changes in a server that it shows something
 * of, or with an account that it names. Messages of private channels change nothing. Every request asks the database
 * whether a page has changed; requests of one turn of the event loop ask together. So a page shows nothing that was
 * withdrawn before the request, on whatever process.
 *
 * An address that leads to nothing is not kept: it costs one small query, and there are endless ones.
 */
export class PublicPages {
  /** By address, the least recently used first; also by server. */
  readonly #entries = new Map<string, Entry>()
  readonly #byServer = new Map<number, { bytes: number; keys: Set<string> }>()
  #bytes = 0
  readonly #building = new Map<string, Promise<Entry | undefined>>()
  readonly #waiting = new Map<number, number>()
  readonly #builds: Semaphore
  #asking: { pages: Entry[]; answer: Promise<Set<Entry>> } | undefined

  /**
   * @param connections of the database, which builds share with everything else
   * @param read builds pages; absent if there are no replicas
   */
  constructor(
    private readonly sql: Database,
    connections: number,
    private readonly bytesMax = BYTES_MAX,
    private readonly read?: Read,
  ) {
    this.#builds = new Semaphore(Math.max(1, Math.min(BUILDS_AT_ONCE, Math.floor(connections / 2))), WAITING_MAX)
  }

  /** Bytes of the pages in memory, of all servers or one. */
  bytes(serverId?: number): number {
    return serverId === undefined ? this.#bytes : (this.#byServer.get(serverId)?.bytes ?? 0)
  }

  /**
   * @param admit called before a page is built
   * @returns undefined if the address leads to nothing that everybody may see
   * @throws Problem `unavailable` while too many pages are waiting to be built, or if one takes too long; what `admit`
   * throws
   */
  async page(
    address: PageAddress,
    part: PagePart,
    base: string,
    admit: () => Promise<void>,
  ): Promise<Sent | undefined> {
    const key = JSON.stringify([address, part, base])
    const entry = this.#entries.get(key)
    if (entry && Date.now() - entry.builtAt < SECONDS_MAX * 1000 && (await this.#isCurrent(entry))) {
      this.#touch(key, entry)
      return entry.page
    }
    await admit()
    const running = this.#building.get(key)
    // A build that began before this request may have read the database before a change.
    if (running) await running.catch(() => {})
    return (await this.#buildOnce(key, address, part, base))?.page
  }

  #buildOnce(key: string, address: PageAddress, part: PagePart, base: string): Promise<Entry | undefined> {
    const running = this.#building.get(key)
    if (running) return running
    const { server_id } = address
    const waiting = this.#waiting.get(server_id) ?? 0
    if (this.#builds.isFull() || waiting >= SERVER_WAITING_MAX)
      throw new Problem('unavailable', 'Too many pages are being built', { retry_after: 1 })
    this.#waiting.set(server_id, waiting + 1)
    const building = this.#builds
      .run(() => this.#build(address, part, base))
      .then((entry) => {
        if (entry) this.#keep(key, entry)
        else this.#drop(key)
        return entry
      })
      .catch((error: unknown) => {
        if (codeOf(error) !== QUERY_CANCELED) throw error
        throw new Problem('unavailable', 'The page takes too long to build', { retry_after: 60 })
      })
      .finally(() => {
        this.#building.delete(key)
        const others = (this.#waiting.get(server_id) ?? 1) - 1
        if (others > 0) this.#waiting.set(server_id, others)
        else this.#waiting.delete(server_id)
      })
    this.#building.set(key, building)
    return building
  }

  async #build(address: PageAddress, part: PagePart, base: string): Promise<Entry | undefined> {
    // A standby's snapshot does not name the transactions under way. That of the primary is from before the read, which
    // sees at least the same: a page that shows more than its mark is only built again.
    const markBefore = this.read && (await markOf(this.sql))
    const read: Read = this.read ?? readOn(this.sql)
    return read('pages', (database) => this.#buildOn(database, markBefore, address, part, base))
  }

  #buildOn(database: Database, markBefore: Mark | undefined, address: PageAddress, part: PagePart, base: string) {
    return database.begin('isolation level repeatable read read only', async (sql): Promise<Entry | undefined> => {
      if (markBefore) await sql`select set_config('statement_timeout', ${String(BUILD_MS_MAX)}, true)`
      const mark = markBefore ?? (await markOf(sql))
      const built = await buildPage(sql, address, part, base)
      if (!built) return undefined
      const body = new TextEncoder().encode(built.body)
      const page = { ...built, body, hash: Bun.hash(body).toString(36) }
      const { from_xid, seen, now } = mark
      const bytes = ENTRY_BYTES + body.length
      return { page, server_id: address.server_id, from_xid, seen, now, builtAt: Date.now(), bytes }
    })
  }

  /** True if nothing that a page shows has changed since it was built. */
  async #isCurrent(entry: Entry): Promise<boolean> {
    if (!this.#asking) {
      const pages: Entry[] = []
      const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        this.#asking = undefined
        return this.#outdated(pages)
      })
      this.#asking = { pages, answer }
    }
    this.#asking.pages.push(entry)
    return !(await this.#asking.answer).has(entry)
  }

  async #outdated(pages: Entry[]): Promise<Set<Entry>> {
    const distinct = [...new Set(pages)]
    const servers = distinct.flatMap(({ page }, at) => page.serverIds.map((id) => ({ at, id })))
    const people = distinct.flatMap(({ page }, at) => page.namedIds.map((id) => ({ at, id })))
    const [{ stale, ...mark }] = await this.sql<[{ stale: number[]; from_xid: string; seen: string }]>`
      with mark as materialized (
        select * from unnest(${distinct.map(({ from_xid }) => from_xid)}::text[],
          ${distinct.map(({ seen }) => seen)}::text[], ${distinct.map(({ now }) => now)}::timestamptz[])
          with ordinality as given (from_xid, seen, built_at, nth)
      ), stale as (
        select s.at from unnest(${servers.map(({ at }) => at)}::int[], ${servers.map(({ id }) => id)}::bigint[])
          as s (at, server_id) join mark k on k.nth = s.at + 1
        where exists (
          select from events e where e.server_id = s.server_id and e.user_id is null and e.xid >= k.from_xid::xid8
            and not pg_visible_in_snapshot(e.xid, k.seen::pg_snapshot)
            -- These are on no page, and messages of private channels neither. A change of what is public has an event
            -- of its own.
            and split_part(e.type, '.', 1) not in ('event', 'invite', 'report')
            and (e.channel_id is null or split_part(e.type, '.', 1) not in ('message', 'thread') or coalesce((
              select home.public_since is not null from channels c join channels home on home.id = c.audience_id
              where c.id = e.channel_id), true)))
          -- A change of a thread whose event is still to come.
          or s.server_id in (select c.server_id from thread_changes t join channels c on c.id = t.channel_id
            join channels home on home.id = c.audience_id where not t.is_told and home.public_since is not null)
        union all
        select p.at from unnest(${people.map(({ at }) => at)}::int[], ${people.map(({ id }) => id)}::bigint[])
          as p (at, user_id) join mark k on k.nth = p.at + 1 join users u on u.id = p.user_id
        where greatest(u.updated_at, u.deleted_at) > k.built_at - ${COMMIT_SECONDS_MAX} * interval '1 second'
      )
      select array(select at from stale) as stale,
        pg_snapshot_xmin(pg_current_snapshot())::text as from_xid, pg_current_snapshot()::text as seen`
    const old = new Set(stale.flatMap((at) => distinct[at] ?? []))
    // The next request looks at later events only.
    for (const entry of distinct) if (!old.has(entry)) Object.assign(entry, mark)
    return old
  }

  #keep(key: string, entry: Entry): void {
    this.#drop(key)
    if (entry.bytes > this.bytesMax * PAGE_SHARE_MAX || entry.page.serverIds.length > SERVERS_MAX) return
    const own = this.#byServer.get(entry.server_id) ?? { bytes: 0, keys: new Set() }
    this.#byServer.set(entry.server_id, own)
    this.#entries.set(key, entry)
    own.keys.add(key)
    own.bytes += entry.bytes
    this.#bytes += entry.bytes
    while (this.#bytes > this.bytesMax) {
      const [oldest] = own.bytes > this.bytesMax * SERVER_SHARE_MAX ? own.keys : this.#entries.keys()
      if (oldest === undefined) break
      this.#drop(oldest)
    }
  }

  #touch(key: string, entry: Entry): void {
    if (this.#entries.get(key) !== entry) return
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    const keys = this.#byServer.get(entry.server_id)?.keys
    keys?.delete(key)
    keys?.add(key)
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
    const own = this.#byServer.get(entry.server_id)
    if (!own) return
    own.keys.delete(key)
    own.bytes -= entry.bytes
    if (own.keys.size === 0) this.#byServer.delete(entry.server_id)
  }
}
