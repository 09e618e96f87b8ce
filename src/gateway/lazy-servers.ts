import type { Channel } from '../features/access/model.ts'
import type { NotificationSetting } from '../features/notifications/model.ts'
import type { Unread } from '../features/unread/model.ts'
import { channelIn } from './access.ts'
import { indexIn } from './mark-list.ts'
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
export function serversToOpen({ isRecent, ids }: ServerChoice, isResumed: boolean, { servers }: Marks): Set<number> {
  const own = new Set(servers.map(({ server_id }) => server_id))
  const named = ids.filter((id) => own.has(id))
  if (isResumed) return new Set(named)
  const opened = new Set(named.slice(0, OPENED_AT_START_MAX))
  if (!isRecent) return opened
  // The one first in which the account has read, or that it joined, last.
  const byLastUse = servers.toSorted((a, b) => b.lastUse - a.lastUse || a.server_id - b.server_id)
  for (const { server_id } of byLastUse) if (opened.size < OPENED_AT_START_MAX) opened.add(server_id)
  return opened
}

/** An account's settings by server, and by channel. */
interface Settings {
  servers: Map<number, NotificationSetting>
  channels: Map<number, NotificationSetting>
}
type Thread = Pick<Channel, 'id' | 'server_id' | 'parent_id'>

/** Splits an account's servers into open ones and list entries. */
export class LazyServers {
  readonly open: Membership[]
  readonly #closed: Membership[]
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
  }

  /** False for a server that is only listed. */
  readonly isOpen = (serverId: number | null): boolean => serverId !== null && this.toOpen.has(serverId)

  /** Filters accounts: keeps those whose presence is visible by a server that is not open. */
  near(userIds: readonly number[] = []): number[] {
    const sought = new Set(userIds)
    const near: number[] = []
    for (const { view } of this.#closed) {
      if (sought.size === 0) break
      for (const id of sought) if (indexIn(view.near, id) !== -1 && sought.delete(id)) near.push(id)
    }
    return near
  }

  /** The servers in `ready`, as JSON. @param settings the account's, as JSON */
  text({ servers }: Marks, settings: string): string {
    const settingsById = settingsOf(settings)
    const now = Date.now()
    const texts = this.memberships.map((membership, at) => {
      const { readyText, labelText, id } = membership.view
      if (this.toOpen.has(id)) return readyText
      const threads = this.#threads.get(id) ?? []
      const unread = servers[at]?.unread ?? []
      const { unread_count, mention_count } = countsOf(membership, unread, threads, settingsById, now)
      const counts = `"unread_count":${unread_count},"mention_count":${mention_count}`
      const ids = threads.map((thread) => thread.id).join(',')
      return `${readyText.slice(0, -1)},"entry":{${labelText},${counts},"thread_ids":[${ids}]}}`
    })
    return `[${texts.join(',')}]`
  }
}

function settingsOf(settings: string): Settings {
  const all: NotificationSetting[] = JSON.parse(`[${settings}]`)
  const { servers = [], channels = [] } = Object.groupBy(all, ({ channel_id }) =>
    channel_id === null ? 'servers' : 'channels',
  )
  return {
    servers: new Map(servers.map((setting) => [setting.server_id ?? 0, setting])),
    channels: new Map(channels.map((setting) => [setting.channel_id ?? 0, setting])),
  }
}

/**
 * The counts of one server as src/web/state/notifications.ts computes them: muted channels are not shown as unread,
 * and channels that the member has not chosen count for nothing.
 */
function countsOf(
  { member, view }: Membership,
  unread: Unread[],
  threads: Thread[],
  { servers, channels }: Settings,
  now: number,
): Pick<ServerEntry, 'unread_count' | 'mention_count'> {
  let [unread_count, mention_count] = [0, 0]
  const isMuted = ({ muted_until = null }: Partial<NotificationSetting> = {}) =>
    muted_until !== null && Date.parse(muted_until) > now
  const isServerMuted = isMuted(servers.get(view.id))
  // The usual case. An account may have thousands of unread channels.
  if (channels.size === 0 && !view.hasChoices) {
    for (const { mention_count: mentions } of unread) mention_count += mentions
    return { unread_count: isServerMuted ? 0 : unread.length, mention_count }
  }
  const parentOf = new Map(threads.map(({ id, parent_id }) => [id, parent_id]))
  for (const { channel_id, mention_count: mentions } of unread) {
    // Threads are listed like their channel.
    const place = parentOf.get(channel_id) ?? channel_id
    const { opt_in_since = null, parent_id = null } = channelIn(view, place) ?? {}
    const isChosen = channels.get(place)?.listed ?? !(opt_in_since && member.joined_ms > Date.parse(opt_in_since))
    if (opt_in_since && !isChosen) continue
    mention_count += mentions
    if (!isServerMuted && ![channel_id, place, parent_id ?? 0].some((id) => isMuted(channels.get(id)))) unread_count++
  }
  return { unread_count, mention_count }
}
