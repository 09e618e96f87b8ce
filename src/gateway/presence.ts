import type { Database } from '../database/database.ts'
import type { Bus } from '../events/bus.ts'
import { errorFields, type Log } from '../core/log.ts'
import type { Table } from '../cluster/node-tables.ts'
import type { Nodes } from '../cluster/nodes.ts'
import { eventFrame, type Frame, topic } from '../core/events.ts'
import { Turns } from '../core/turns.ts'
import { PRESENCE_MEMBERS_MAX, type Status } from '../features/members/model.ts'
import { isWanted } from './intents.ts'
import { PresenceLists, presenceText } from './presence-lists.ts'
import { isOpen, type Socket, topicsHeld } from './socket.ts'

/**
 * Time that a status must last before it is announced, because people reload pages and lose networks (docs/gateway.md).
 * Arrivals do not wait for this.
 */
const DEBOUNCE_MS = 5_000
const OFFLINE_DEBOUNCE_MS = 30_000
/** Presence is broadcast in batches at this interval; the first arrival after a pause goes out after ARRIVAL_MS. */
const BATCH_MS = 2_000
const ARRIVAL_MS = 300
/** After a batch larger than this, arrivals wait for the next batch, because each goes to whole servers. */
const ARRIVALS_MAX = 50

/** Statuses that a client can set. */
type OwnStatus = 'online' | 'idle'

/** State of an account that has sockets on this node, or a status to announce. */
interface Entry {
  /** Its sockets on this node. */
  readonly sockets: number
  /** The status that the account's clients set on this node, and when, ms since the epoch; 0 for never. */
  readonly chosenStatus: OwnStatus
  readonly setAt: number
  /** The account's combined status on all nodes. */
  readonly current: Status
  /** When to announce it, ms since the epoch. */
  readonly due_at: number
}

/** Shared default object. One object per account would pin the heap blocks filled with handshake garbage. */
const USUAL: Entry = Object.freeze({ sockets: 1, chosenStatus: 'online', setAt: 0, current: 'online', due_at: 0 })
const isUsual = ({ sockets, chosenStatus, setAt, current, due_at }: Entry): boolean =>
  sockets === 1 && chosenStatus === 'online' && setAt === 0 && current === 'online' && due_at === 0

/**
 * Tracks presence in memory, and announces it delayed and in batches. Nodes share a table of the accounts with
 * sockets; each node announces only to its own sockets.
 */
export class Presence {
  readonly #entries = new Map<number, Entry>()
  /** The announced status of everyone except offline accounts; includes accounts without an entry. */
  readonly #announcedStatuses = new Map<number, Status>()
  /** Accounts whose status or sockets have changed since. */
  readonly #changedIds = new Set<number>()
  /** Accounts whose announcement has not reached every socket. */
  readonly #unannouncedIds = new Set<number>()
  readonly #table: Table
  readonly #timer = setInterval(() => void this.#announceUnlessBusy(), BATCH_MS)
  /** Runs from the first arrival until the announcement. */
  #arrival: ReturnType<typeof setTimeout> | undefined
  #isAnnouncing = false
  readonly #turns = new Turns()
  /** True if the last announcement covered more than ARRIVALS_MAX accounts. */
  #isCrowded = false

  constructor(
    private readonly sql: Database,
    private readonly bus: Pick<Bus, 'deliver' | 'receivesNotices'>,
    nodes: Pick<Nodes, 'table'>,
    private readonly log: Log,
    /** The sockets of this node. */
    private readonly sockets: () => Socket[],
  ) {
    this.#table = nodes.table('presence')
    this.#table.onChange((key, died) => this.#recheck(Number(key), died))
  }

  /** The status that others may see now. */
  readonly statusOf = (user_id: number): Status => {
    const status = this.#currentOf(user_id)
    // Within the debounce, an account that just went offline keeps its announced status.
    return status === 'offline' ? this.#announcedOf(user_id) : status
  }

  addSocket(user_id: number): void {
    this.#change(user_id, ({ sockets }) => ({ sockets: sockets + 1 }))
  }

  removeSocket(user_id: number): void {
    this.#change(user_id, ({ sockets }) => ({ sockets: sockets - 1 }))
  }

  set(user_id: number, status: OwnStatus): void {
    if (this.#entries.get(user_id)?.chosenStatus === status && this.#currentOf(user_id) === status) return
    // Must be later than a status set on another node, whose clock may be ahead.
    const setAt = Math.max(Date.now(), newestOf(this.#table.at(String(user_id)).values()) + 1)
    this.#change(user_id, () => ({ chosenStatus: status, setAt }))
  }

  stop(): void {
    clearInterval(this.#timer)
    clearTimeout(this.#arrival)
  }

  #announcedOf(user_id: number): Status {
    return this.#announcedStatuses.get(user_id) ?? 'offline'
  }

  #currentOf(user_id: number): Status {
    return this.#entries.get(user_id)?.current ?? this.#announcedOf(user_id)
  }

  #entryOf(user_id: number): Entry {
    const current = this.#announcedOf(user_id)
    return this.#entries.get(user_id) ?? { sockets: 0, chosenStatus: 'online', setAt: 0, current, due_at: 0 }
  }

  #put(user_id: number, change: Partial<Entry>): Entry {
    const entry = { ...this.#entryOf(user_id), ...change }
    this.#entries.set(user_id, isUsual(entry) ? USUAL : entry)
    return entry
  }

  /** Changes this node's share of an account's presence, and its row in the shared table. */
  #change(user_id: number, update: (entry: Entry) => Partial<Entry>): void {
    const { sockets, chosenStatus, setAt } = this.#put(user_id, update(this.#entryOf(user_id)))
    this.#table.put(String(user_id), sockets > 0 ? rowOf(chosenStatus, setAt) : undefined)
    if (sockets > 0) return
    // The status set here stays valid while the account has sockets elsewhere, or may still come back.
    if (this.#entryOf(user_id).current !== 'offline') this.#put(user_id, { chosenStatus: 'online', setAt: 0 })
    this.#changedIds.add(user_id)
  }

  /** @param died true if a node with sockets of the account died: its silence counts as the debounce */
  #recheck(user_id: number, hasDied: boolean): void {
    if (!Number.isSafeInteger(user_id)) return
    const status = combined(this.#table.at(String(user_id)).values())
    // Setting the same status again must not postpone its announcement.
    if (status === this.#currentOf(user_id)) return
    const isArriving = this.#announcedOf(user_id) === 'offline'
    const debounceMs = status === 'offline' ? OFFLINE_DEBOUNCE_MS : DEBOUNCE_MS
    const due_at = hasDied || isArriving ? 0 : Date.now() + debounceMs
    this.#put(user_id, { current: status, due_at })
    this.#changedIds.add(user_id)
    if (isArriving && !this.#isCrowded) this.#arrival ??= setTimeout(() => this.#announceArrivals(), ARRIVAL_MS)
  }

  /** The statuses to announce now, by account. Changes undone within their debounce are dropped. */
  #collectDue(): Map<number, Status> {
    const now = Date.now()
    const dueStatuses = new Map(Array.from(this.#unannouncedIds, (user_id) => [user_id, this.#announcedOf(user_id)]))
    for (const user_id of this.#changedIds) {
      if ((this.#entries.get(user_id)?.due_at ?? 0) > now) continue
      const status = this.#currentOf(user_id)
      if (status === this.#announcedOf(user_id)) this.#markAnnounced(user_id, status)
      else dueStatuses.set(user_id, status)
    }
    return dueStatuses
  }

  /** Records that others know this status. If it is still current, nothing remains to be announced. */
  #markAnnounced(user_id: number, status: Status): void {
    if (status === 'offline') this.#announcedStatuses.delete(user_id)
    else this.#announcedStatuses.set(user_id, status)
    if (this.#currentOf(user_id) !== status) return
    this.#changedIds.delete(user_id)
    const entry = this.#entries.get(user_id)
    if (entry?.sockets === 0) this.#entries.delete(user_id)
    else if (entry) this.#put(user_id, { due_at: 0 })
  }

  #announceArrivals(): void {
    this.#arrival = undefined
    void this.#announceUnlessBusy()
  }

  async #announceUnlessBusy(): Promise<void> {
    if (this.#isAnnouncing) return
    this.#isAnnouncing = true
    try {
      await this.#announce()
    } catch (error) {
      // Statuses that could not be announced are retried.
      this.log('warn', 'presence', errorFields(error))
    } finally {
      this.#isAnnouncing = false
    }
  }

  async #announce(): Promise<void> {
    const dueStatuses = this.#collectDue()
    this.#isCrowded = dueStatuses.size > ARRIVALS_MAX
    if (dueStatuses.size === 0) return
    const ids = [...dueStatuses.keys()]
    const servers = await this.sql<{ server_id: number; user_ids: number[] }[]>`
      select m.server_id, json_agg(m.user_id) as user_ids from members m join servers s on s.id = m.server_id
      where m.user_id = any(${ids}) and s.member_count <= ${PRESENCE_MEMBERS_MAX} group by m.server_id`
    const here = Array.from(this.#entries).flatMap(([user_id, { sockets }]) => (sockets > 0 ? user_id : []))
    const friends = await this.sql<{ user_id: number; user_ids: number[] }[]>`
      select user_id, array_agg(other_id) as user_ids from relations_of
      where other_id = any(${ids}) and state = 'friends' and user_id = any(${here}) group by user_id`
    // This node delivers nothing while it may have missed notices; the statuses stay queued.
    if (!this.bus.receivesNotices()) return
    for (const [user_id, status] of dueStatuses) this.#markAnnounced(user_id, status)
    this.#unannouncedIds.clear()
    const idsByTopic = new Map([
      ...servers.map(({ server_id, user_ids }) => [topic.server(server_id).topic, user_ids] as const),
      ...friends.map(({ user_id, user_ids }) => [topic.user(user_id).topic, user_ids] as const),
    ])
    const textOf = (user_id: number) => presenceText(user_id, dueStatuses.get(user_id) ?? 'offline')
    if (this.#isCrowded) {
      if (!(await this.#sendToEach(idsByTopic, textOf))) for (const id of ids) this.#unannouncedIds.add(id)
      return
    }
    for (const [to, user_ids] of idsByTopic) this.bus.deliver(updateFrame(to, `[${user_ids.map(textOf).join(',')}]`))
  }

  /**
   * Sends each socket one frame, however many servers it shares with the accounts, a few sockets per turn: publishing
   * to the topics of many servers would write to all their sockets at once.
   * @returns true if all sockets were reached, and this node received notices throughout
   */
  async #sendToEach(idsByTopic: ReadonlyMap<string, number[]>, textOf: (user_id: number) => string): Promise<boolean> {
    let isWhole = true
    const lists = new PresenceLists(textOf)
    const places = new Map(Array.from(idsByTopic, ([to, user_ids]) => [to, lists.placesOf(user_ids)]))
    const tell = (socket: Socket) => {
      const { intents } = socket.data
      // This node may not know yet what the account lost access to.
      if (!this.bus.receivesNotices()) return void (isWhole = false)
      if (!isOpen(socket) || (intents !== undefined && !isWanted(intents, UPDATED))) return
      const news = topicsHeld(socket).map((to) => places.get(to) ?? [])
      if (news.some((list) => list.length > 0)) socket.send(updateFrame('', lists.list(news)).text)
    }
    await Promise.all(this.sockets().map((socket) => this.#turns.run(() => tell(socket))))
    return isWhole
  }
}

const UPDATED = 'presence.updated'

/** The frame that announces accounts. @param users JSON of their presences */
const updateFrame = (to: string, users: string): Frame =>
  eventFrame({ topic: to, channel_id: undefined }, UPDATED, undefined, `{"users":${users}}`)

/** This node's row for an account. Most accounts never set a status, so they share one short text. */
const rowOf = (status: OwnStatus, setAt: number): string => (setAt === 0 ? status : `${status} ${setAt}`)

/** When a status was last set on any node, ms since the epoch; 0 for never. */
const newestOf = (rows: Iterable<string>): number => Math.max(0, ...Array.from(rows, setAtOf))

const setAtOf = (row: string): number => Number(row.split(' ')[1] ?? 0)

/** Combines an account's rows: the status set last, on any node. */
function combined(rows: Iterable<string>): Status {
  let [status, newest]: [Status, number] = ['offline', -1]
  for (const row of rows) {
    const [[chosenStatus], setAt] = [row.split(' '), setAtOf(row)]
    if ((chosenStatus !== 'online' && chosenStatus !== 'idle') || setAt <= newest) continue
    ;[status, newest] = [chosenStatus, setAt]
  }
  return status
}
