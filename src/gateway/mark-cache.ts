import type { Sql } from '../database/database.ts'
import type { Source } from '../database/replicas.ts'
import type { OwnMembership } from '../features/members/membership.ts'
import { hasMark, type PackedMarks, packedMarks, unpacked, withMoved } from './mark-list.ts'
import type { EarlierPlaces, PlaceKeeper } from './place-keeper.ts'
import type { SnapshotMark } from './replay.ts'

/*
 * Caches read marks between openings. An account in a hundred servers has thousands, each on another page of the
 * table: to read them is most of what an opening costs the database.
 *
 * A read asks the event log, in its own snapshot of the database, which marks of an account have moved since its list
 * was read, and reads those anew. So it sees every mark whose commit it sees, on every node, without invalidation
 * messages. Three changes leave no event for the account:
 * - It leaves a server, or joins one again: a list is used only with the memberships with which it was read.
 * - A mention makes it follow a thread, which gets a mark: marks of followed threads that the list lacks are read.
 * - A channel is deleted: its mark stays in the list, so users of a list look up channels that no server has.
 *
 * The first opening in a process, and the first one after KEPT_SECONDS_MAX, read all marks.
 */

/** Approximate size of all lists, and of one: a larger one is read each time. */
const BYTES_MAX = 32 * 1024 * 1024
const LIST_BYTES_MAX = BYTES_MAX / 32
/** Approximate size of a list's objects. */
const OBJECTS_BYTES = 600
/** Shorter lists are read each time, which costs little. */
const MARKS_CACHED_MIN = 100
/** Events stay in the log longer than that, if clients can resume from them for so long. */
const KEPT_SECONDS_MAX = 3600
/** If more marks of an account moved, or it has more events to look through, all marks are read. */
const MOVED_MAX = 500
const EVENTS_MAX = 2_000

interface CachedMarks {
  marks: PackedMarks
  /** Text of the memberships with which the marks were read. */
  memberships: string
  /** Position in the event log of the read that last used the marks. */
  mark: SnapshotMark
  /** Number of that read. */
  reading: number
  source: Source
  /** The places of an opening with these marks, and their approximate size. */
  places?: EarlierPlaces | undefined
  placesBytes?: number
}

/** An account whose marks are read. */
export interface MarkOwner {
  user_id: number
  memberships: { member: Pick<OwnMembership, 'server_id' | 'joined_ms'> }[]
  /** Threads that it follows. */
  threads: { id: number }[]
}

/** The channels whose marks moved, by account; null if all marks have to be read. */
type Moved = Map<number, Set<number> | null>

export class MarkCache implements PlaceKeeper {
  /** Least recently used first. */
  readonly #lists = new Map<number, CachedMarks>()
  #bytes = 0
  /** Numbers the reads that cached lists. */
  #readings = 0
  /** Reads with a lower number may not cache anything. */
  #oldestStoring = 0

  /** @param keptS how long a list may be unused, in seconds: not longer than events stay in the log */
  constructor(private readonly keptS: number) {}

  /** Approximate bytes of all lists. */
  get bytes(): number {
    return this.#bytes
  }

  /** Number of the reads so far. Lists cached later may be newer than a snapshot that is taken now. */
  get readings(): number {
    return this.#readings
  }

  /** @param reading `readings` from before the read takes its snapshot of the database */
  begin(source: Source, reading = this.#readings): MarkReading {
    return new MarkReading(this, reading, source)
  }

  /** Clears the cache. Call when another database may be answering, whose transactions have other ids. */
  forgetAll(): void {
    this.#oldestStoring = ++this.#readings
    this.#lists.clear()
    this.#bytes = 0
  }

  /**
   * The cached list of an account. A standby may show a commit that the primary, which waits for another standby, does
   * not show yet, so the primary's reads use no list of a replica.
   * @param reading number of the read that is to use it
   */
  find(userId: number, reading: number, source: Source): CachedMarks | undefined {
    const cached = this.#lists.get(userId)
    const isOlder = cached && cached.reading <= reading && (source === 'replica' || cached.source === 'primary')
    return isOlder ? cached : undefined
  }

  /** True if the events since a list was read are still in the log. */
  isRecent({ mark }: CachedMarks, { now_s }: SnapshotMark): boolean {
    return now_s - mark.now_s < Math.min(this.keptS, KEPT_SECONDS_MAX)
  }

  /** @param reading number of the read that brings the marks */
  store(userId: number, reading: number, list: Omit<CachedMarks, 'reading' | 'places' | 'placesBytes'>): void {
    const older = this.#lists.get(userId)
    if (reading < this.#oldestStoring || (older && older.reading > reading)) return
    this.#forget(userId)
    if (list.marks.channels.length < MARKS_CACHED_MIN || bytesOf(list) > LIST_BYTES_MAX) return
    const { places, placesBytes } = older?.marks === list.marks ? older : {}
    const cached = { ...list, reading: ++this.#readings, places, placesBytes }
    this.#lists.set(userId, cached)
    this.#bytes += bytesOf(cached)
    for (const [id, each] of this.#lists) {
      if (this.#bytes <= BYTES_MAX && this.isRecent(each, list.mark)) break
      this.#forget(id)
    }
  }

  /** The places of an opening with these marks: with the same object. */
  placesOf(userId: number, marks: PackedMarks): EarlierPlaces | undefined {
    const cached = this.#lists.get(userId)
    return cached?.marks === marks ? cached.places : undefined
  }

  keepPlaces(userId: number, marks: PackedMarks, places: EarlierPlaces, bytes: number): void {
    const cached = this.#lists.get(userId)
    if (cached?.marks !== marks) return
    cached.places = places
    this.#grow(cached, bytes - (cached.placesBytes ?? 0))
  }

  growPlaces(userId: number, places: EarlierPlaces, bytes: number): void {
    const cached = this.#lists.get(userId)
    if (cached?.places === places) this.#grow(cached, bytes)
  }

  #grow(cached: CachedMarks, bytes: number): void {
    cached.placesBytes = (cached.placesBytes ?? 0) + bytes
    this.#bytes += bytes
    for (const id of this.#lists.keys()) {
      if (this.#bytes <= BYTES_MAX) break
      this.#forget(id)
    }
  }

  #forget(userId: number): void {
    const cached = this.#lists.get(userId)
    if (!cached) return
    this.#lists.delete(userId)
    this.#bytes -= bytesOf(cached)
  }
}

const bytesOf = ({
  marks,
  memberships,
  placesBytes = 0,
}: Pick<CachedMarks, 'marks' | 'memberships' | 'placesBytes'>): number =>
  2 * marks.channels.byteLength + memberships.length + OBJECTS_BYTES + placesBytes

/** One read of marks, within one snapshot of the database. */
export class MarkReading {
  constructor(
    private readonly cache: MarkCache,
    private readonly reading: number,
    private readonly source: Source,
  ) {}

  get keeper(): PlaceKeeper {
    return this.cache
  }

  /** Asks which marks have moved since they were cached. Accounts without a cached list are left out. */
  async moved(sql: Sql, userIds: readonly number[]): Promise<Moved> {
    const cached = [...new Set(userIds)].flatMap((user_id) => {
      const list = this.cache.find(user_id, this.reading, this.source)
      return list ? { user_id, ...list.mark } : []
    })
    if (cached.length === 0) return new Map()
    // An event whose body has been blanked does not say which channel it was about.
    const rows = await sql<{ user_id: number; count: number; channel_ids: (number | null)[] }[]>`
      select kept.user_id, e.count, coalesce(e.channel_ids, '[]') as channel_ids
      from unnest((select ${cached.map(({ user_id }) => user_id)}::bigint[]),
        ${cached.map(({ from_xid }) => from_xid)}::text[], ${cached.map(({ seen }) => seen)}::text[])
        as kept (user_id, from_xid, seen)
      cross join lateral (
        select count(*) as count, json_agg(distinct coalesce(body ->> 'channel_id', body ->> 'id')::bigint) filter (
          where (type like 'channel.%' or type = 'thread.followed')
            and not pg_visible_in_snapshot(xid, kept.seen::pg_snapshot)) as channel_ids
        from (select type, xid, body from events where user_id = kept.user_id and xid >= kept.from_xid::xid8
          limit ${EVENTS_MAX + 1}) own) e`
    return new Map(
      rows.map(({ user_id, count, channel_ids }) => {
        const isTooMuch = count > EVENTS_MAX || channel_ids.length > MOVED_MAX || channel_ids.includes(null)
        return [user_id, isTooMuch ? null : new Set(channel_ids.flatMap((id) => id ?? []))]
      }),
    )
  }

  /**
   * Reads the marks of accounts.
   * @param moved as of the same snapshot
   * @returns by account
   */
  async load(sql: Sql, mark: SnapshotMark, owners: MarkOwner[], moved: Moved): Promise<Map<number, PackedMarks>> {
    const all = owners.map(({ user_id, memberships, threads }) => {
      const text = textOf(memberships)
      const cached = this.cache.find(user_id, this.reading, this.source)
      const channelIds = moved.get(user_id)
      const isUsable = cached && channelIds && cached.memberships === text && this.cache.isRecent(cached, mark)
      const toRead = new Set(isUsable ? channelIds : [])
      if (isUsable) for (const { id } of threads) if (!hasMark(cached.marks, id)) toRead.add(id)
      return { user_id, text, cached: isUsable ? cached.marks : undefined, toRead }
    })
    const [whole, some] = await Promise.all([
      readAll(
        sql,
        all.filter(({ cached }) => !cached).map(({ user_id }) => user_id),
      ),
      readSome(
        sql,
        all.flatMap(({ user_id, toRead }) => [...toRead].map((channel_id) => ({ user_id, channel_id }))),
      ),
    ])
    return new Map(
      all.map(({ user_id, text, cached }) => {
        const marks = cached ? withMoved(cached, some.get(user_id) ?? new Map()) : unpacked(whole.get(user_id) ?? '')
        this.cache.store(user_id, this.reading, { marks, memberships: text, mark, source: this.source })
        return [user_id, marks]
      }),
    )
  }
}

/** The time tells a membership from an earlier one in the same server. */
const textOf = (memberships: MarkOwner['memberships']): string =>
  memberships.map(({ member }) => `${member.server_id} ${member.joined_ms}`).join()

async function readAll(sql: Sql, userIds: number[]): Promise<Map<number, string>> {
  if (userIds.length === 0) return new Map()
  // The number of accounts is hidden from the planner, which would plan anew for each number.
  const rows = await sql<{ user_id: number; marks: string }[]>`
    select own.user_id, (select ${packedMarks(sql)} from read_marks mark where mark.user_id = own.user_id) as marks
    from unnest((select ${[...new Set(userIds)]}::bigint[])) as own (user_id)`
  return new Map(rows.map(({ user_id, marks }) => [user_id, marks]))
}

/** @returns messages by channel, by account; undefined for a channel without a mark */
async function readSome(
  sql: Sql,
  places: { user_id: number; channel_id: number }[],
): Promise<Map<number, Map<number, number | undefined>>> {
  if (places.length === 0) return new Map()
  const rows = await sql<{ user_id: number; channel_id: number; message_id: number | null }[]>`
    select place.user_id, place.channel_id, (select message_id from read_marks mark
        where mark.user_id = place.user_id and mark.channel_id = place.channel_id) as message_id
    from unnest((select ${places.map(({ user_id }) => user_id)}::bigint[]),
      (select ${places.map(({ channel_id }) => channel_id)}::bigint[])) as place (user_id, channel_id)`
  const byAccount = Map.groupBy(rows, ({ user_id }) => user_id)
  return new Map(
    [...byAccount].map(([user_id, own]) => [
      user_id,
      new Map(own.map(({ channel_id, message_id }) => [channel_id, message_id ?? undefined])),
    ]),
  )
}
