import type { Channel } from '../features/access/model.ts'
import type { NotificationSetting } from '../features/notifications/model.ts'
import type { VisibleServer } from './access.ts'
import type { ServerEntry } from './model.ts'
import type { Marks } from './read-marks.ts'
import type { Membership } from './server-views.ts'

/*
 * Lazy servers. An account in a hundred servers looks at few of them, so a client may ask for the others as list
 * entries: `&servers=` names the servers that it has open or in view, and `recent` adds the last used ones. An open
 * server comes as before; an entry has the name, the icon, the ids of channels and followed threads, and the counts
 * that a client would compute from a full opening. `server.open` sends the snapshot of a server later.
 *
 * Only the beginning differs. The socket is subscribed to every server, so events, replay and resuming are the same
 * for all sockets, and the server keeps no set of open servers: a client that resumes names them again.
 */

/** Servers that a fresh connection opens. */
export const OPENED_AT_START_MAX = 5
/** Servers that a client may name. */
export const SERVERS_NAMED_MAX = 250

/** The servers that a client wants opened: `ids` first, then the last used ones if `isRecent`. */
export interface ServerChoice {
  isRecent: boolean
  ids: number[]
}

/** Parses the parameter `servers`: ids and `recent`, with commas. @returns undefined if it is malformed */
export function parseChoice(query: string): ServerChoice | undefined {
  const names = query.split(',')
  if (names.length > SERVERS_NAMED_MAX + 1) return undefined
  if (!names.every((name) => name === 'recent' || /^\d{1,15}$/.test(name))) return undefined
  const ids = names.filter((name) => name !== 'recent').map(Number)
  return { isRecent: ids.length < names.length, ids: [...new Set(ids)] }
}

/**
 * The ids of the servers to open. A client that resumes has what it names, so all of that stays open. A fresh
 * connection opens few, however many the client names.
 */
export function serversToOpen(
  { isRecent, ids }: ServerChoice,
  isResumed: boolean,
  memberships: Membership[],
  marks: Marks,
): Set<number> {
  const own = new Set(memberships.map(({ view }) => view.id))
  const named = ids.filter((id) => own.has(id))
  if (isResumed) return new Set(named)
  const opened = new Set(named.slice(0, OPENED_AT_START_MAX))
  if (!isRecent) return opened
  for (const id of byLastUse(memberships, marks)) if (opened.size < OPENED_AT_START_MAX) opened.add(id)
  return opened
}

/** The ids of the account's servers, the one first in which it has read, or that it joined, last. */
function byLastUse(memberships: Membership[], { read, unread }: Marks): number[] {
  const unreadMarks = new Map(unread.map(({ channel_id, message_id }) => [channel_id, message_id]))
  const uses = memberships.map(({ member, view }) => {
    let newest = member.floor_id
    for (const { id } of view.channels) newest = Math.max(newest, read.get(id) ?? unreadMarks.get(id) ?? 0)
    return { id: view.id, newest }
  })
  return uses.toSorted((a, b) => b.newest - a.newest || a.id - b.id).map(({ id }) => id)
}

type Settings = Map<string, NotificationSetting>
type Thread = Pick<Channel, 'id' | 'server_id' | 'parent_id'>

/** Splits an account's servers into open ones and list entries. */
export class LazyServers {
  readonly open: Membership[]
  readonly #closed: Membership[]
  readonly #closedChannels = new Set<number>()
  readonly #threads: Map<number | null, Thread[]>

  /** @param threads the followed ones, of all servers */
  constructor(
    private readonly toOpen: ReadonlySet<number>,
    private readonly memberships: Membership[],
    threads: Thread[],
  ) {
    this.open = memberships.filter(({ view }) => toOpen.has(view.id))
    this.#closed = memberships.filter(({ view }) => !toOpen.has(view.id))
    this.#threads = Map.groupBy(threads, ({ server_id }) => server_id)
    for (const { view } of this.#closed) {
      for (const { id } of view.channels) this.#closedChannels.add(id)
      for (const { id } of this.#threads.get(view.id) ?? []) this.#closedChannels.add(id)
    }
  }

  /** False for a channel or followed thread of a server that is only listed. */
  readonly isOpened = (channelId: number): boolean => !this.#closedChannels.has(channelId)

  /** Filters accounts: keeps those whose presence is visible by a server that is not open. */
  near(userIds: readonly number[] = []): number[] {
    const sought = new Set(userIds)
    return sought.size === 0 ? [] : this.#closed.flatMap(({ view }) => view.near.filter((id) => sought.has(id)))
  }

  /** The servers in `ready`, as JSON. @param settings the account's, as JSON */
  text({ unread }: Marks, settings: string): string {
    const unreadById = new Map(unread.map((mark) => [mark.channel_id, mark.mention_count]))
    const settingsByKey = settingsOf(settings)
    const now = Date.now()
    const texts = this.memberships.map((membership) => {
      const { readyText, labelText, id } = membership.view
      if (this.toOpen.has(id)) return readyText
      const threads = this.#threads.get(id) ?? []
      const counts = countsOf(membership, threads, unreadById, settingsByKey, now)
      const rest = JSON.stringify({ ...counts, thread_ids: threads.map((thread) => thread.id) }).slice(1)
      return `${readyText.slice(0, -1)},"entry":{${labelText},${rest}}`
    })
    return `[${texts.join(',')}]`
  }
}

/** An account's settings by place: `c` and a channel's id, or `s` and a server's. */
const settingsOf = (settings: string): Settings =>
  new Map(
    (JSON.parse(`[${settings}]`) as NotificationSetting[]).map((setting) => [
      setting.channel_id === null ? `s${setting.server_id}` : `c${setting.channel_id}`,
      setting,
    ]),
  )

const channelsById = new WeakMap<VisibleServer['channels'], Map<number, VisibleServer['channels'][number]>>()

function byId({ channels }: Pick<VisibleServer, 'channels'>) {
  const indexed = channelsById.get(channels) ?? new Map(channels.map((channel) => [channel.id, channel]))
  channelsById.set(channels, indexed)
  return indexed
}

/**
 * The counts of one server as src/web/state/notifications.ts computes them: muted channels are not shown as unread,
 * and channels that the member has not chosen count for nothing.
 */
function countsOf(
  { member, view }: Membership,
  threads: Thread[],
  mentionsByUnread: ReadonlyMap<number, number>,
  settings: Settings,
  now: number,
): Pick<ServerEntry, 'unread_count' | 'mention_count'> {
  let [unread_count, mention_count] = [0, 0]
  const isMuted = (key: string) => Date.parse(settings.get(key)?.muted_until ?? '') > now
  const count = (id: number, place: number, parents: (number | null | undefined)[]) => {
    const mentions = mentionsByUnread.get(id)
    if (mentions === undefined) return
    const { opt_in_since = null } = byId(view).get(place) ?? {}
    const isChosen = settings.get(`c${place}`)?.listed ?? !(opt_in_since && member.joined_at > opt_in_since)
    if (opt_in_since && !isChosen) return
    mention_count += mentions
    if (!isMuted(`s${view.id}`) && ![id, ...parents].some((around) => isMuted(`c${around}`))) unread_count++
  }
  for (const { channel_id } of view.news)
    if (mentionsByUnread.has(channel_id)) count(channel_id, channel_id, [byId(view).get(channel_id)?.parent_id])
  for (const { id, parent_id } of threads)
    count(id, parent_id ?? 0, [parent_id, byId(view).get(parent_id ?? 0)?.parent_id])
  return { unread_count, mention_count }
}
