import type { Database } from '../../database/database.ts'
import type { Read } from '../../database/replicas.ts'
import { Semaphore } from '../../core/semaphore.ts'
import type { StatusOf } from '../status/model.ts'
import type { OnlineGroup } from './model.ts'

/** Servers read at once, because each read sorts all members of a server. */
const READS_AT_ONCE = 2
/** The order of a server's members is read again after this time and a moment per member: large servers cost most. */
const ORDER_MS = 5_000
const ORDER_MS_A_MEMBER = 0.5
/** How long it counts who is online, ms. */
const ONLINE_MS = 3_000
/** Lists that nobody has asked for in this time are forgotten, ms. */
const UNUSED_MS = 60_000
/** Members of all servers whose order is kept: about 10 bytes each. */
const MEMBERS_MAX = 1_000_000

/** The members of a server by name, whether they are online or not. */
interface Order {
  readAt: number
  ids: Float64Array
  /** By member: the place of its group in `roleIds`. */
  groups: Uint16Array
  /** The roles that are listed apart, the highest first; null comes last, for all others. */
  roleIds: (number | null)[]
}

/** The online members of a server, in the order of the list. */
export interface OnlineList {
  countedAt: number
  ids: number[]
  groups: OnlineGroup[]
  memberCount: number
}

/**
 * Lists who is online in a server, for any number of readers. The order of all members is read from the database now
 * and then, and who of them is online is counted in memory.
 */
export class OnlineMembers {
  /** The least recently used server first. */
  readonly #orders = new Map<number, Promise<Order>>()
  readonly #lists = new Map<number, OnlineList>()
  readonly #sizes = new Map<number, number>()
  readonly #usedAt = new Map<number, number>()
  #sweep: Timer | undefined
  readonly #reads = new Semaphore(READS_AT_ONCE, Infinity)

  constructor(
    private readonly read: Read,
    private readonly statusOf: StatusOf,
  ) {}

  /** The online members of a server: some seconds old at most, and the same object for all who ask meanwhile. */
  async of(serverId: number): Promise<OnlineList> {
    const order = await this.#orderOf(serverId)
    const before = this.#lists.get(serverId)
    const now = performance.now()
    this.#use(serverId, now)
    if (before && before.countedAt >= order.readAt && now - before.countedAt < ONLINE_MS) return before
    const list = { ...onlineOf(order, this.statusOf), countedAt: now }
    if (this.#orders.has(serverId)) this.#lists.set(serverId, list)
    return list
  }

  async #orderOf(serverId: number): Promise<Order> {
    const before = this.#orders.get(serverId)
    if (before) {
      const order = await before
      const keptMs = ORDER_MS + order.ids.length * ORDER_MS_A_MEMBER
      if (performance.now() - order.readAt < keptMs) return order
      // Somebody else may have begun meanwhile.
      if (this.#orders.get(serverId) !== before) return this.#orderOf(serverId)
    }
    const reading = this.#reads.run(() => this.read('members', (sql) => readOrder(sql, serverId)))
    this.#orders.delete(serverId)
    this.#orders.set(serverId, reading)
    try {
      const order = await reading
      this.#sizes.set(serverId, order.ids.length)
      this.#dropOldest(serverId)
      return order
    } catch (error) {
      this.#drop(serverId)
      throw error
    }
  }

  #dropOldest(keptId: number): void {
    let sum = [...this.#sizes.values()].reduce((all, size) => all + size, 0)
    for (const id of this.#orders.keys()) {
      if (sum <= MEMBERS_MAX) return
      if (id === keptId) continue
      sum -= this.#sizes.get(id) ?? 0
      this.#drop(id)
    }
  }

  #use(serverId: number, now: number): void {
    this.#usedAt.set(serverId, now)
    if (this.#sweep) return
    this.#sweep = setTimeout(() => {
      this.#sweep = undefined
      for (const [id, at] of this.#usedAt) if (performance.now() - at >= UNUSED_MS) this.#drop(id)
      const [last] = this.#usedAt.keys()
      if (last !== undefined) this.#use(last, this.#usedAt.get(last) ?? 0)
    }, UNUSED_MS).unref()
  }

  #drop(serverId: number): void {
    for (const map of [this.#orders, this.#lists, this.#sizes, this.#usedAt]) map.delete(serverId)
  }
}

/** Reads all members of a server by name, with the highest role of each that is listed apart. */
async function readOrder(sql: Database, serverId: number): Promise<Order> {
  const readAt = performance.now()
  const [row] = await sql<{ ids: number[] | null; role_ids: (number | null)[]; apart: number[] | null }[]>`
    with apart as (select id, position from roles where server_id = ${serverId} and hoist),
      highest as (
        select distinct on (r.user_id) r.user_id, r.role_id
        from member_roles r join apart on apart.id = r.role_id where r.server_id = ${serverId}
        order by r.user_id, apart.position desc),
      listed as (
        select m.user_id, highest.role_id
        from members m join users u on u.id = m.user_id left join highest on highest.user_id = m.user_id
        where m.server_id = ${serverId}
        order by name_key(coalesce(m.nickname, u.display_name)) collate "C", m.user_id)
    select (select json_agg(user_id) from listed) as ids, (select json_agg(role_id) from listed) as role_ids,
      (select json_agg(id order by position desc) from apart) as apart`
  const roleIds = [...(row?.apart ?? []), null]
  const places = new Map(roleIds.map((id, place) => [id, place]))
  const groups = Uint16Array.from(row?.role_ids ?? [], (id) => places.get(id) ?? roleIds.length - 1)
  return { readAt, ids: Float64Array.from(row?.ids ?? []), groups, roleIds }
}

function onlineOf({ ids, groups, roleIds }: Order, statusOf: StatusOf): Omit<OnlineList, 'countedAt'> {
  const people = roleIds.map((): number[] => [])
  // Without an iterator: the list may have 100,000 members.
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at] ?? 0
    if (statusOf(id) !== 'offline') people[groups[at] ?? 0]?.push(id)
  }
  return {
    ids: people.flat(),
    groups: roleIds.flatMap((role_id, place) => {
      const count = people[place]?.length ?? 0
      return count > 0 ? { role_id, count } : []
    }),
    memberCount: ids.length,
  }
}
