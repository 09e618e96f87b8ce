import { isSpoken } from './spoken.ts'
import type { PublicUser } from '../../core/schema.ts'
import type { Channel, Server } from '../../features/access/model.ts'
import { ApiError, isOffline } from '../client/rest.ts'
import type { ParleyClient } from '../client/client.ts'
import type { ChannelPlace } from './place.ts'
import { placeKey } from '../client/outbox.ts'
import { watchMutes } from './notifications.ts'
import { listedWith } from './listed-servers.ts'
import { openUnknown } from './server-openings.ts'
import type { Store } from './store.ts'
import { askUnread } from './unread.ts'
import { askForUnread } from './unread-questions.ts'
import type { ThreadFilter } from './thread-events.ts'
import { change, emptyTimeline, type Entry, merge, PAGE, type Timeline, upsert, type Wanted } from './timeline.ts'

const LIST_MAX = 100
const PEOPLE_AT_ONCE = 4

/** Fetches what the store lacks: unknown ids at once, lists and messages when a component shows them. */
export class Loader {
  #catchingUp: Promise<void> | undefined
  readonly #loading = new Map<string, Promise<void>>()

  constructor(
    private readonly client: ParleyClient,
    private readonly store: Store,
  ) {
    const { state } = store
    state.channels.onMissing = (id) => {
      const server = listedWith(state, id)
      if (server) void this.openServer(server.id)
    }
    const waitForMutes = watchMutes(state, () => {
      askUnread(store)
      // The counts of a listed server were made under the mute.
      for (const { server_id, muted_until } of state.settings.values()) if (muted_until) void this.openServer(server_id)
      store.touch('shell')
      void this.catchUp()
    })
    client.gateway.listen((frame) => {
      store.apply(frame)
      if (frame.t === 'ready' || frame.t === 'notifications.updated') waitForMutes()
      if (store.state.isSynced) void this.catchUp()
    })
  }

  /** Fetches every resource that the store names as unknown; deleted ones are skipped. */
  catchUp(): Promise<void> {
    return (this.#catchingUp ??= this.#fetchUnknown().finally(() => {
      this.#catchingUp = undefined
      this.store.notify()
    }))
  }

  async #fetchUnknown(): Promise<void> {
    const { servers, channels, people, unread } = this.store.unknown
    try {
      while (servers.size + channels.size + people.size + unread.size > 0) {
        if (servers.size > 0) await openUnknown(this.client, this.store)
        if (channels.size > PEOPLE_AT_ONCE) await this.#conversationsByList()
        for (const id of channels) await this.#fetchOne(channels, id, () => this.#channel(id))
        if (people.size > PEOPLE_AT_ONCE) await this.#peopleByLists()
        for (const id of people) await this.#fetchOne(people, id, () => this.#person(id))
        if (unread.size > 0) await askForUnread(this.client, this.store)
      }
    } catch (error) {
      // The next `ready` names everything again.
      if (!isOffline(error)) throw error
    }
  }

  async #fetchOne(set: Set<number>, id: number, fetch: () => Promise<void>): Promise<void> {
    set.delete(id)
    await fetch().catch((error: unknown) => {
      if (isOffline(error)) throw error
    })
    this.store.touch('shell', 'members')
    this.store.notify()
  }

  /** Opens a server that is only listed; does nothing for any other. */
  async openServer(serverId: number | null): Promise<void> {
    const { unknown, state } = this.store
    if (serverId === null || !state.listed.has(serverId)) return
    unknown.servers.add(serverId)
    await this.catchUp()
    // The last run may have been at its end.
    if (unknown.servers.has(serverId)) await this.catchUp()
  }

  /** Opens every server, for lists of all channels or emoji. */
  async openAll(): Promise<void> {
    const ids = [...this.store.state.listed.keys()]
    for (const id of ids) this.store.unknown.servers.add(id)
    await this.openServer(ids[0] ?? null)
  }

  async #channel(channel_id: number): Promise<void> {
    const since = this.store.tick
    const channel = await this.client.call('GET /api/channels/:channel_id', { channel_id })
    this.#addChannel(channel, since)
    // It may have become visible again, with threads that the account follows.
    if (channel.type === 'text' || isSpoken(channel)) await this.threads(channel_id, { followed: 'true' })
  }

  /** Fetches many dms and groups by their list: `ready` has only their ids. */
  async #conversationsByList(): Promise<void> {
    const { unknown, state } = this.store
    const isMissing = () => [...unknown.channels].some((id) => state.conversations.has(id))
    for (let offset = 0, rows = LIST_MAX; rows === LIST_MAX && isMissing(); offset += rows) {
      const since = this.store.tick
      const page = await this.client.call('GET /api/channels/direct', { limit: LIST_MAX, offset })
      for (const channel of page) {
        unknown.channels.delete(channel.id)
        this.#addChannel(channel, since)
      }
      rows = page.length
    }
  }

  #addChannel(channel: Channel, since: number): void {
    void this.openServer(channel.server_id)
    // A dm or group may have been hidden or left meanwhile.
    if (channel.server_id === null && !this.store.state.conversations.has(channel.id)) return
    for (const user of channel.recipients ?? []) this.#addUser(user, since)
    const key = channel.type === 'thread' ? `thread:${channel.id}` : `channel:${channel.id}`
    if (this.store.isUnchangedSince(key, since)) this.store.state.upsertChannel(channel)
  }

  async #person(user_id: number): Promise<void> {
    const since = this.store.tick
    this.#addUser(await this.client.call('GET /api/users/:user_id', { user_id }), since)
  }

  #addUser(user: PublicUser, since: number): void {
    this.store.unknown.people.delete(user.id)
    if (this.store.isUnchangedSince(`user:${user.id}`, since)) this.store.state.users.set(user.id, user)
  }

  /** Fetches many people by the lists that hold them: `ready` has only their ids. */
  async #peopleByLists(): Promise<void> {
    const { client, store } = this
    const since = store.tick
    const page = { limit: LIST_MAX }
    const lists = await Promise.all([
      client.call('GET /api/friends', page),
      client.call('GET /api/friends/pending', page),
      client.call('GET /api/friends/sent', page),
      client.call('GET /api/friends/blocked', page),
    ])
    for (const { user } of lists.flat()) this.#addUser(user, since)
  }

  /** Fetches the permission overwrites of a channel and of its category; of a thread, its channel's. */
  async overwrites(channel_id: number): Promise<void> {
    const channel = this.store.state.channels.get(channel_id)
    if (channel?.type === 'thread') return this.overwrites(channel.parent_id ?? 0)
    const parentId = channel?.parent_id ?? undefined
    await Promise.all([channel_id, ...(parentId === undefined ? [] : [parentId])].map((id) => this.#overwrites(id)))
  }

  #overwrites(channel_id: number): Promise<void> {
    const { state } = this.store
    if (state.overwrites.has(channel_id)) return Promise.resolve()
    return this.#once(`overwrites ${channel_id}`, async () => {
      const since = this.store.tick
      const rows = await this.client.call('GET /api/channels/:channel_id/permissions', { channel_id, limit: LIST_MAX })
      if (!state.channels.has(channel_id)) return
      if (this.store.isUnchangedSince(`overwrites:${channel_id}`, since)) state.overwrites.set(channel_id, rows)
      else state.overwrites.delete(channel_id)
      this.store.touch('shell')
    })
  }

  /** Fetches a page of a channel's threads. @returns whether there are more */
  async threads(channel_id: number, filter: ThreadFilter, offset = 0): Promise<boolean> {
    const since = this.store.tick
    const query = { channel_id, limit: LIST_MAX, offset, ...filter }
    const page = await this.client.call('GET /api/channels/:channel_id/threads', query)
    for (const thread of page) {
      this.#addChannel(thread, since)
      if (filter.followed) this.store.state.followed.add(thread.id)
    }
    this.store.touch('shell')
    this.store.notify()
    return page.length === LIST_MAX
  }

  /** Fetches the newest messages of a place, unless its timeline is loaded. */
  open(place: ChannelPlace): Promise<void> {
    const timeline = this.store.state.timelines.get(placeKey(place))
    return timeline?.loaded ? Promise.resolve() : this.page(place, 'newest')
  }

  /** Fetches the first page to show: around the read mark if the channel is unread, otherwise the newest. */
  openAtUnread(place: ChannelPlace): Promise<void> {
    const { state } = this.store
    const timeline = state.timelines.get(placeKey(place))
    if (timeline?.loaded && timeline.atNewest && !timeline.barred) return Promise.resolve()
    const channel = state.channels.get(place.channel_id)
    return channel && state.isUnread(channel)
      ? this.page(place, 'around', Math.max(1, state.readUntil(channel.id)))
      : this.page(place, 'newest')
  }

  /** Adds a server from a REST answer, because its event may arrive later. */
  addServer(server: Server): void {
    const { state, unknown } = this.store
    if (state.servers.has(server.id)) return
    state.servers.set(server.id, server)
    unknown.servers.add(server.id)
    void this.catchUp()
  }

  /**
   * Fetches a channel that no event names: a hidden dm, or one without messages.
   * @throws ApiError 404 for a channel that the account does not see
   */
  async enter(channel_id: number): Promise<void> {
    if (this.store.state.channels.has(channel_id)) return
    const channel = await this.client.call('GET /api/channels/:channel_id', { channel_id })
    await this.openServer(channel.server_id)
    this.addChannel(channel)
  }

  /** Adds a channel from a REST answer, because its event may arrive later. */
  addChannel(channel: Channel): void {
    if (!this.store.state.channels.has(channel.id)) this.store.state.upsertChannel(channel)
    this.store.touch('shell')
    this.store.notify()
  }

  /** Takes a thread from the answer to a change, because its event arrives later. */
  replaceThread(thread: Channel): void {
    this.store.state.upsertChannel(thread)
    this.store.touch('shell')
    this.store.notify()
  }

  /** Adds a message from a REST answer, unless an event of it was applied. */
  addMessage(entry: Entry): void {
    const key = placeKey(entry)
    const timeline = this.store.state.timelines.get(key)
    if (timeline && this.store.isUnchangedSince(`message:${entry.id}`, 0)) change(timeline, (row) => upsert(row, entry))
    this.store.touch(`timeline ${key}`)
    this.store.notify()
  }

  /** Fetches a page of messages. With `around`, the page around that message replaces the timeline. */
  page(place: ChannelPlace, part: Wanted, around = 0): Promise<void> {
    return this.#once(`timeline ${placeKey(place)}`, async () => {
      if (await this.#mergePage(place, part, around)) return
      // A place may be reset while its page is loading, for instance a group when the event of its creation arrives.
      if (this.store.state.channels.has(place.channel_id))
        await this.#mergePage(place, around ? 'around' : 'newest', around)
    })
  }

  /** @returns false if the timeline was dropped meanwhile */
  async #mergePage(place: ChannelPlace, part: Wanted, around: number): Promise<boolean> {
    const { timelines } = this.store.state
    const key = placeKey(place)
    const timeline = timelines.get(key) ?? emptyTimeline()
    timelines.set(key, timeline)
    timeline.meanwhile = []
    try {
      const rows = await this.#messages(place, timeline, part, around).catch(undefinedIfBarred)
      if (timelines.get(key) !== timeline) return false
      merge(timeline, part, rows, around)
      return true
    } finally {
      timeline.meanwhile = undefined
      this.store.touch(`timeline ${key}`)
    }
  }

  /** Runs work unless the same work is running: then waits for that. */
  #once(key: string, work: () => Promise<void>): Promise<void> {
    const running = this.#loading.get(key)
    if (running) return running
    const promise = work().finally(() => {
      this.#loading.delete(key)
      this.store.notify()
    })
    this.#loading.set(key, promise)
    return promise
  }

  #messages(place: ChannelPlace, timeline: Timeline, part: Wanted, id: number): Promise<Entry[]> {
    const page = { limit: PAGE, ...cursorOf(timeline, part, id) }
    return this.client.call('GET /api/channels/:channel_id/messages', { ...place, ...page })
  }
}

function cursorOf({ entries }: Timeline, part: Wanted, around: number) {
  if (part === 'around') return { around }
  const [first, last] = [entries[0]?.id, entries.at(-1)?.id]
  if (part === 'older' && first !== undefined) return { before: first }
  if (part === 'newer' && last !== undefined) return { after: last }
  return {}
}

/** Takes that the account may not read the messages of a place. */
function undefinedIfBarred(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 'missing_permission')) throw error
}
