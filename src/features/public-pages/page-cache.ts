import { Problem } from '../../core/errors.ts'
import { Semaphore } from '../../core/semaphore.ts'
import type { Database } from '../../database/database.ts'
import type { PageAddress } from './address.ts'
import { buildPage, type Built, type PagePart } from './build.ts'

/** Bytes of all pages in memory. */
const BYTES_MAX = 64 * 1024 * 1024
/** Approximate size of an entry besides its text. */
const ENTRY_BYTES = 512
/** A page is built again after this time: names of people change without an event of the server. */
const SECONDS_MAX = 60
/** Per statement of a build. */
const BUILD_MS_MAX = 2_000
/** Concurrent builds, each on its own connection, and requests that wait for one. */
const BUILDS_AT_ONCE = 16
const WAITING_MAX = 500

interface Entry {
  /** Undefined for an address that leads to nothing. */
  page: Sent | undefined
  server_id: number
  from_xid: string
  seen: string
  changes: string
  builtAt: number
  bytes: number
}

/** A page with the hash of its text. */
export interface Sent extends Built {
  hash: string
}

/** The state of the database that a page was built from. */
type Mark = Pick<Entry, 'from_xid' | 'seen' | 'changes'>

/**
 * Public pages, each built once for all who wait, and kept until anything in its server changes. Every request asks
 * the database whether that has happened; requests of one turn of the event loop ask together. So a page shows nothing
 * that was withdrawn before the request, on whatever process.
 */
export class PublicPages {
  /** By address, the least recently used first. */
  readonly #entries = new Map<string, Entry>()
  #bytes = 0
  readonly #building = new Map<string, Promise<Entry>>()
  readonly #builds = new Semaphore(BUILDS_AT_ONCE, WAITING_MAX)
  #asking: { pages: Entry[]; answer: Promise<Set<Entry>> } | undefined

  constructor(private readonly sql: Database) {}

  /** @throws Problem `unavailable` while too many pages are waiting to be built */
  async page(address: PageAddress, part: PagePart, base: string): Promise<Sent | undefined> {
    const key = JSON.stringify([address, part, base])
    const entry = this.#entries.get(key)
    if (entry && Date.now() - entry.builtAt < SECONDS_MAX * 1000 && (await this.#isCurrent(entry))) {
      this.#touch(key, entry)
      return entry.page
    }
    const running = this.#building.get(key)
    // A build that began before this request may have read the database before a change.
    if (running) await running.catch(() => {})
    return (await this.#buildOnce(key, address, part, base)).page
  }

  #buildOnce(key: string, address: PageAddress, part: PagePart, base: string): Promise<Entry> {
    const running = this.#building.get(key)
    if (running) return running
    if (this.#builds.isFull()) throw new Problem('unavailable', 'Too many pages are being built', { retry_after: 1 })
    const building = this.#builds
      .run(() => this.#build(address, part, base))
      .then((entry) => {
        this.#keep(key, entry)
        return entry
      })
      .finally(() => this.#building.delete(key))
    this.#building.set(key, building)
    return building
  }

  async #build(address: PageAddress, part: PagePart, base: string): Promise<Entry> {
    return this.sql.begin('isolation level repeatable read read only', async (sql) => {
      await sql`select set_config('statement_timeout', ${String(BUILD_MS_MAX)}, true)`
      const [mark] = await sql<[Mark]>`
        select pg_snapshot_xmin(pg_current_snapshot())::text as from_xid, pg_current_snapshot()::text as seen,
          (select changes from public_names)::text as changes`
      const built = await buildPage(sql, address, part, base)
      const page = built && { ...built, hash: Bun.hash(built.body).toString(36) }
      const bytes = ENTRY_BYTES + 2 * (built?.body.length ?? 0)
      return { page, server_id: address.server_id, ...mark, builtAt: Date.now(), bytes }
    })
  }

  /** True if nothing in the server of a page has changed since it was built. */
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
    const rows = await this.sql<{ at: number }[]>`
      select k.at::int as at from unnest(${distinct.map(({ server_id }) => server_id)}::bigint[],
        ${distinct.map(({ from_xid }) => from_xid)}::text[], ${distinct.map(({ seen }) => seen)}::text[],
        ${distinct.map(({ changes }) => changes)}::text[]) with ordinality as k (server_id, from_xid, seen, changes, at)
      where k.changes::bigint <> (select changes from public_names) or exists (
        select from events e where e.server_id = k.server_id and e.user_id is null and e.xid >= k.from_xid::xid8
          and not pg_visible_in_snapshot(e.xid, k.seen::pg_snapshot))`
    return new Set(rows.flatMap(({ at }) => distinct[at - 1] ?? []))
  }

  #keep(key: string, entry: Entry): void {
    this.#drop(key)
    if (entry.bytes > BYTES_MAX / 16) return
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= BYTES_MAX) break
      this.#drop(oldest)
    }
  }

  #touch(key: string, entry: Entry): void {
    if (this.#entries.get(key) !== entry) return
    this.#entries.delete(key)
    this.#entries.set(key, entry)
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}
