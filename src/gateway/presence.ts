import type { Database } from '../database/database.ts'
import type { Bus } from '../events/bus.ts'
import { errorFields, type Log } from '../core/log.ts'
import type { Table } from '../cluster/node-tables.ts'
import type { Nodes } from '../cluster/nodes.ts'
import { eventFrame, type Frame, topic } from '../core/events.ts'
import { Turns } from '../core/turns.ts'
import { PRESENCE_MEMBERS_MAX } from '../features/members/model.ts'
import { choicesOf } from '../features/status/choose.ts'
import type { Presence as PresenceText, Status } from '../features/status/model.ts'
import { type Choice, isSameShown, newerChoice, PLAIN, type Shown, shownStatus } from '../features/status/shown.ts'
import { isWanted } from './intents.ts'
import { PresenceLists, presenceText } from './presence-lists.ts'
import { isOpen, type Socket, sendFrame, topicsHeld } from './socket.ts'

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

/** The activity that a client reports. */
type Activity = 'online' | 'idle'

/** State of an account that has sockets on this node, or a status to announce. */
interface Entry {
  /** Its sockets on this node. */
  readonly sockets: number
  /** False until a handshake has read what the account chose: before that, nobody may see it. */
  readonly isKnown: boolean
  /** The status that the account chose; undefined if it never did. */
  readonly choice: Choice | undefined
  /** The activity that the account's clients reported on this node, and when, ms since the epoch; 0 for never. */
  readonly activity: Activity
  readonly setAt: number
  /** The account as others may see it, by its rows of all nodes. */
  readonly current: Shown
  /** When to announce it, ms since the epoch. */
  readonly due_at: number
}

const NOTHING = { sockets: 0, isKnown: false, choice: undefined, activity: 'online', setAt: 0, due_at: 0 } as const
/** Shared objects. One object per account would pin the heap blocks filled with handshake garbage. */
const SHARED: readonly Entry[] = [
  Object.freeze({ ...NOTHING, sockets: 1, isKnown: true, current: PLAIN.online }),
  Object.freeze({ ...NOTHING, sockets: 1, current: PLAIN.offline }),
]
const isSame = (one: Entry, other: Entry): boolean =>
  one.sockets === other.sockets &&
  one.isKnown === other.isKnown &&
  one.choice === other.choice &&
  one.activity === other.activity &&
  one.setAt === other.setAt &&
  one.current === other.current &&
  one.due_at === other.due_at

/**
 * Tracks presence in memory, and announces it delayed and in batches. Nodes share a table of the accounts with
 * sockets; each node announces only to its own sockets.
 */
export class Presence {
  readonly #entries = new Map<number, Entry>()
  /** The announced status of everyone except offline accounts; includes accounts without an entry. */
  readonly #announcedStatuses = new Map<number, Shown>()
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
  readonly statusOf = (user_id: number): Status => this.#shownNow(user_id).status

  /** The same with text and emoji. */
  readonly of = (user_id: number): PresenceText => ({ user_id, ...this.#shownNow(user_id) })

  /** JSON of `of`; undefined for an offline account. */
  readonly textOf = (user_id: number): string | undefined => {
    const view = this.#shownNow(user_id)
    return view.status === 'offline' ? undefined : presenceText(user_id, view)
  }

  /** True if the account, which has a socket on this node, chose to be invisible. */
  readonly isInvisible = (user_id: number): boolean => this.#entries.get(user_id)?.choice?.status === 'invisible'

  /** A socket stays unseen until `know` is called for its account. */
  addSocket(user_id: number): void {
    this.#change(user_id, ({ sockets }) => ({ sockets: sockets + 1 }))
  }

  removeSocket(user_id: number): void {
    this.#change(user_id, ({ sockets }) => ({ sockets: sockets - 1 }))
  }

  /**
   * Takes what an account chose, unless this node knows a newer choice or has no socket of the account.
   * @returns the choice to go by
   */
  know(user_id: number, choice: Choice | undefined): Choice | undefined {
    const before = this.#entries.get(user_id)
    const newest = newerChoice(before?.choice, choice)
    if (!before || before.sockets === 0) return newest
    if (!before.isKnown || newest !== before.choice) this.#change(user_id, () => ({ isKnown: true, choice: newest }))
    return newest
  }

  /** Reads what the accounts with sockets on this node chose. */
  choices = () => choicesOf(this.sql, [...this.#entries.keys()])

  set(user_id: number, activity: Activity): void {
    const rows = [...this.#table.at(String(user_id)).values()]
    if (this.#entries.get(user_id)?.activity === activity && combined(rows).activity === activity) return
    // Must be later than an activity set on another node, whose clock may be ahead.
    const setAt = Math.max(Date.now(), ...rows.map((row) => parseRow(row).setAt + 1))
    this.#change(user_id, () => ({ activity, setAt }))
  }

  stop(): void {
    clearInterval(this.#timer)
    clearTimeout(this.#arrival)
  }

  #announcedOf(user_id: number): Shown {
    return this.#announcedStatuses.get(user_id) ?? PLAIN.offline
  }

  #currentOf(user_id: number): Shown {
    return this.#entries.get(user_id)?.current ?? this.#announcedOf(user_id)
  }

  #shownNow(user_id: number): Shown {
    const current = this.#currentOf(user_id)
    // Within the debounce, an account that just went offline keeps its announced status.
    const isLeaving = current.status === 'offline' && (this.#entries.get(user_id)?.due_at ?? 0) > Date.now()
    return isLeaving ? this.#announcedOf(user_id) : current
  }

  #entryOf(user_id: number): Entry {
    return this.#entries.get(user_id) ?? { ...NOTHING, current: this.#announcedOf(user_id) }
  }

  #put(user_id: number, change: Partial<Entry>): Entry {
    const entry = { ...this.#entryOf(user_id), ...change }
    this.#entries.set(user_id, SHARED.find((shared) => isSame(shared, entry)) ?? entry)
    return entry
  }

  /** Changes this node's share of an account's presence, and its row in the shared table. */
  #change(user_id: number, update: (entry: Entry) => Partial<Entry>): void {
    const entry = this.#put(user_id, update(this.#entryOf(user_id)))
    this.#table.put(String(user_id), entry.sockets > 0 && entry.isKnown ? rowOf(entry) : undefined)
    if (entry.sockets > 0) return
    // The activity set here stays valid while the account has sockets elsewhere, or may still come back.
    const isGone = this.#entryOf(user_id).current.status === 'offline'
    this.#put(user_id, { isKnown: false, choice: undefined, ...(isGone ? {} : { activity: 'online', setAt: 0 }) })
    this.#changedIds.add(user_id)
  }

  /** @param hasDied true if a node with sockets of the account died: its silence counts as the debounce */
  #recheck(user_id: number, hasDied: boolean): void {
    if (!Number.isSafeInteger(user_id)) return
    const { view, choice } = combined(this.#table.at(String(user_id)).values())
    const before = this.#currentOf(user_id)
    // Setting the same status again must not postpone its announcement.
    if (isSameShown(view, before)) return
    const isArriving = this.#announcedOf(user_id).status === 'offline'
    const isChosen = choice !== undefined && !isOfActivity(before, view)
    const debounceMs = view.status === 'offline' ? OFFLINE_DEBOUNCE_MS : DEBOUNCE_MS
    // A choice is announced at once: above all, an account that becomes invisible.
    const due_at = hasDied || isArriving || isChosen ? 0 : Date.now() + debounceMs
    this.#put(user_id, { current: view, due_at })
    this.#changedIds.add(user_id)
    if (isArriving && !this.#isCrowded) this.#arrival ??= setTimeout(() => this.#announceArrivals(), ARRIVAL_MS)
  }

  /** The statuses to announce now, by account. Changes undone within their debounce are dropped. */
  #collectDue(): Map<number, Shown> {
    const now = Date.now()
    const dueStatuses = new Map(Array.from(this.#unannouncedIds, (user_id) => [user_id, this.#announcedOf(user_id)]))
    for (const user_id of this.#changedIds) {
      if ((this.#entries.get(user_id)?.due_at ?? 0) > now) continue
      const view = this.#currentOf(user_id)
      if (isSameShown(view, this.#announcedOf(user_id))) this.#markAnnounced(user_id, view)
      else dueStatuses.set(user_id, view)
    }
    return dueStatuses
  }

  /** Records that others know this status. If it is still current, nothing remains to be announced. */
  #markAnnounced(user_id: number, view: Shown): void {
    if (view.status === 'offline') this.#announcedStatuses.delete(user_id)
    else this.#announcedStatuses.set(user_id, view)
    if (!isSameShown(this.#currentOf(user_id), view)) return
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
    for (const [user_id, view] of dueStatuses) this.#markAnnounced(user_id, view)
    this.#unannouncedIds.clear()
    const idsByTopic = new Map([
      ...servers.map(({ server_id, user_ids }) => [topic.server(server_id).topic, user_ids] as const),
      ...friends.map(({ user_id, user_ids }) => [topic.user(user_id).topic, user_ids] as const),
    ])
    const textOf = (user_id: number) => presenceText(user_id, dueStatuses.get(user_id) ?? PLAIN.offline)
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
      const { intents } = socket.data.variant
      // This node may not know yet what the account lost access to.
      if (!this.bus.receivesNotices()) return void (isWhole = false)
      if (!isOpen(socket) || (intents !== undefined && !isWanted(intents, UPDATED))) return
      const news = topicsHeld(socket).map((to) => places.get(to) ?? [])
      if (news.some((list) => list.length > 0)) sendFrame(socket, updateFrame('', lists.list(news)).text)
    }
    await Promise.all(this.sockets().map((socket) => this.#turns.run(() => tell(socket))))
    return isWhole
  }
}

const UPDATED = 'presence.updated'

/** The frame that announces accounts. @param users JSON of their presences */
const updateFrame = (to: string, users: string): Frame =>
  eventFrame({ topic: to, channel_id: undefined }, UPDATED, undefined, `{"users":${users}}`)

/**
 * This node's row for an account: the activity, when it was set, the choice. Most accounts never set either, so they
 * share one short text. The row of an invisible account names no activity, so a node of an earlier version, which
 * knows no choices, takes the account for offline.
 */
const rowOf = ({ activity, setAt, choice }: Entry): string =>
  [
    choice?.status === 'invisible' ? choice.status : activity,
    ...(setAt > 0 || choice ? [setAt] : []),
    ...(choice ? [JSON.stringify(choice)] : []),
  ].join(' ')

interface Row {
  activity: Activity | undefined
  setAt: number
  choice: Choice | undefined
}

/** Nodes of other versions may write rows that this one does not know: they count as none. */
function parseRow(row: string): Row {
  const [activity, setAt = '0'] = row.split(' ', 2)
  const at = row.indexOf('{')
  return {
    activity: activity === 'online' || activity === 'idle' ? activity : undefined,
    setAt: Number(setAt),
    choice: at < 0 ? undefined : JSON.parse(row.slice(at)),
  }
}

/**
 * Combines an account's rows: the activity set last and the newest choice, on any node.
 * @returns both, and what others see of the account
 */
function combined(rows: Iterable<string>) {
  let [activity, newest, choice]: [Activity | undefined, number, Choice | undefined] = [undefined, -1, undefined]
  for (const text of rows) {
    const row = parseRow(text)
    choice = newerChoice(choice, row.choice)
    if (row.activity === undefined || row.setAt <= newest) continue
    ;[activity, newest] = [row.activity, row.setAt]
  }
  return { activity, choice, view: shownStatus(choice, activity) }
}

/** True if only the activity of the devices tells two statuses apart. */
const isOfActivity = (before: Shown, after: Shown): boolean =>
  [before, after].every(({ status }) => status === 'online' || status === 'idle') &&
  isSameShown({ ...before, status: 'online' }, { ...after, status: 'online' })
