import type { PublicUser } from '../../core/schema.ts'
import type { Channel } from '../../features/channels/model.ts'
import type { Member } from '../../features/members/model.ts'
import type { Server } from '../../features/servers/model.ts'
import type { ApiError } from '../client/rest.ts'
import type { Client } from '../client/client.ts'
import { pageOf } from '../client/history.ts'
import { type Place, placeKey } from '../client/outbox.ts'
import type { Store } from './store.ts'
import { change, emptyTimeline, type Entry, merge, upsert, type Wanted } from './timeline.ts'

const LIST_MAX = 100
const PEOPLE_AT_ONCE = 4

/** Fetches what the store lacks: what was named and is unknown at once, the rest when it is looked at. */
export class Sync {
  #catching: Promise<void> | undefined
  readonly #loading = new Map<string, Promise<void>>()

  constructor(
    private readonly client: Client,
    private readonly store: Store,
  ) {
    client.gateway.listen((frame) => {
      store.apply(frame)
      if (store.state.synced) void this.catchUp()
    })
  }

  /** Fetches what was named and is unknown. Gone meanwhile is gone. */
  catchUp(): Promise<void> {
    return (this.#catching ??= this.#fetchUnknown().finally(() => {
      this.#catching = undefined
      this.store.tell()
    }))
  }

  async #fetchUnknown(): Promise<void> {
    const { servers, channels, people } = this.store.unknown
    try {
      while (servers.size + channels.size + people.size > 0) {
        for (const id of servers) await this.#taking(servers, id, () => this.#server(id))
        for (const id of channels) await this.#taking(channels, id, () => this.#channel(id))
        if (people.size > PEOPLE_AT_ONCE) await this.#peopleByLists()
        for (const id of people) await this.#taking(people, id, () => this.#person(id))
      }
    } catch (error) {
      // The connection is away: with the next `ready` everything is named again.
      if ((error as ApiError).status !== 0) throw error
    }
  }

  async #taking(set: Set<number>, id: number, take: () => Promise<void>): Promise<void> {
    set.delete(id)
    await take().catch(unlessAway)
    this.store.touch('shell', 'members')
    this.store.tell()
  }

  async #server(server_id: number): Promise<void> {
    const { client, store } = this
    const { state } = store
    const [user_id, since] = [state.me(), store.tick]
    const [server, roles, channels, mine] = await Promise.all([
      client.call('GET /api/servers/:server_id', { server_id }),
      this.#all((offset) => client.call('GET /api/servers/:server_id/roles', { server_id, limit: LIST_MAX, offset })),
      this.#all((offset) =>
        client.call('GET /api/servers/:server_id/channels', { server_id, limit: LIST_MAX, offset }),
      ),
      this.#all((offset) =>
        client.call('GET /api/servers/:server_id/members/:user_id/roles', {
          server_id,
          user_id,
          limit: LIST_MAX,
          offset,
        }),
      ),
    ])
    if (store.isGone(`server:${server_id}`, since)) return
    if (store.isUntold(`server:${server_id}`, since)) state.servers.set(server_id, server)
    for (const role of roles) if (store.isUntold(`role:${role.id}`, since)) state.roles.set(role.id, role)
    for (const channel of channels) this.#takeChannel(channel, since)
    const role_ids = mine.filter((role) => !role.is_everyone).map((role) => role.id)
    if (store.isUntold(`member:${server_id}:${user_id}`, since))
      state.membersOf(server_id).set(user_id, { server_id, user_id, role_ids, joined_at: server.created_at })
  }

  async #channel(channel_id: number): Promise<void> {
    const since = this.store.tick
    this.#takeChannel(await this.client.call('GET /api/channels/:channel_id', { channel_id }), since)
  }

  #takeChannel(channel: Channel, since: number): void {
    if (this.store.isUntold(`channel:${channel.id}`, since)) this.store.state.upsertChannel(channel)
  }

  async #person(user_id: number): Promise<void> {
    const since = this.store.tick
    this.#takeUser(await this.client.call('GET /api/users/:user_id', { user_id }), since)
  }

  #takeUser(user: PublicUser, since: number): void {
    this.store.unknown.people.delete(user.id)
    if (this.store.isUntold(`user:${user.id}`, since)) this.store.state.users.set(user.id, user)
  }

  /** Many people are named by the lists that they stand in: `ready` has only their ids. */
  async #peopleByLists(): Promise<void> {
    const { client, store } = this
    const since = store.tick
    const page = { limit: LIST_MAX }
    const lists = await Promise.all([
      client.call('GET /api/dm/conversations', page),
      client.call('GET /api/friends', page),
      client.call('GET /api/friends/pending', page),
      client.call('GET /api/friends/sent', page),
      client.call('GET /api/friends/blocked', page),
    ])
    for (const { user } of lists.flat()) this.#takeUser(user, since)
  }

  /** Fetches the members of a server that is looked at, a page at a time as they are scrolled to. */
  members(server_id: number): Promise<void> {
    if (this.store.state.known.members.has(server_id)) return Promise.resolve()
    return this.#once(`members ${server_id}`, async () => {
      for (let after: number | undefined = 0; after !== undefined;) {
        const since = this.store.tick
        const query = { server_id, limit: LIST_MAX, ...(after === 0 ? {} : { after }) }
        const rows: Member[] = await this.client.call('GET /api/servers/:server_id/members', query)
        for (const member of rows) {
          this.#takeUser(member.user, since)
          const key = `member:${server_id}:${member.user.id}`
          if (this.store.isUntold(key, since)) this.store.state.upsertMember(member)
        }
        after = rows.length < LIST_MAX ? undefined : rows.at(-1)?.user.id
        this.store.touch('members')
        this.store.tell()
      }
      this.store.state.known.members.add(server_id)
    })
  }

  /** Fetches the invites of a server whose settings are looked at. */
  invites(server_id: number): Promise<void> {
    const { state } = this.store
    if (state.known.invites.has(server_id)) return Promise.resolve()
    return this.#once(`invites ${server_id}`, async () => {
      // From here on events are taken too.
      state.known.invites.add(server_id)
      const since = this.store.tick
      const rows = await this.client.call('GET /api/servers/:server_id/invites', { server_id, limit: LIST_MAX })
      for (const invite of rows)
        if (this.store.isUntold(`invite:${invite.id}`, since)) state.invites.set(invite.id, invite)
      this.store.touch('shell')
    })
  }

  /** Fetches who may do what in a channel. */
  overwrites(channel_id: number): Promise<void> {
    const { state } = this.store
    if (state.overwrites.has(channel_id)) return Promise.resolve()
    return this.#once(`overwrites ${channel_id}`, async () => {
      const since = this.store.tick
      const rows = await this.client.call('GET /api/channels/:channel_id/permissions', { channel_id, limit: LIST_MAX })
      if (!state.channels.has(channel_id)) return
      if (this.store.isUntold(`overwrites:${channel_id}`, since)) state.overwrites.set(channel_id, rows)
      else state.overwrites.delete(channel_id)
      this.store.touch('shell')
    })
  }

  /** Fetches the newest messages of a place, unless they are there. */
  open(place: Place): Promise<void> {
    const timeline = this.store.state.timelines.get(placeKey(place))
    return timeline?.loaded ? Promise.resolve() : this.page(place, 'newest')
  }

  /** Takes a server that a request has answered with: its event may come later. */
  takeServer(server: Server): void {
    const { state, unknown } = this.store
    if (state.servers.has(server.id)) return
    state.servers.set(server.id, server)
    unknown.servers.add(server.id)
    void this.catchUp()
  }

  /** Takes a channel that has been made: its event may come later. */
  takeChannel(channel: Channel): void {
    if (!this.store.state.channels.has(channel.id)) this.store.state.upsertChannel(channel)
    this.store.touch('shell')
    this.store.tell()
  }

  /** Takes a message that the server has answered with, unless events have said of it already. */
  take(place: Place, entry: Entry): void {
    const timeline = this.store.state.timelines.get(placeKey(place))
    const kind = 'channel_id' in place ? 'message' : 'dm'
    if (timeline && this.store.isUntold(`${kind}:${entry.id}`, 0)) change(timeline, (row) => upsert(row, entry))
    this.store.touch(`timeline ${placeKey(place)}`)
    this.store.tell()
  }

  /** Fetches a page of messages. With `around`, the page on both sides of that message takes the place of the row. */
  page(place: Place, wanted: Wanted, around = 0): Promise<void> {
    const key = placeKey(place)
    return this.#once(`timeline ${key}`, async () => {
      const { state } = this.store
      const timeline = state.timelines.get(key) ?? emptyTimeline()
      state.timelines.set(key, timeline)
      timeline.meanwhile = []
      try {
        const rows = await pageOf(this.client, place, timeline, wanted, around)
        if (state.timelines.get(key) !== timeline) return
        merge(timeline, wanted, rows)
      } finally {
        timeline.meanwhile = undefined
        this.store.touch(`timeline ${key}`)
      }
    })
  }

  /** Does what is under way already only once. */
  #once(key: string, work: () => Promise<void>): Promise<void> {
    const running = this.#loading.get(key)
    if (running) return running
    const begun = work().finally(() => {
      this.#loading.delete(key)
      this.store.tell()
    })
    this.#loading.set(key, begun)
    return begun
  }

  async #all<T>(page: (offset: number) => Promise<T[]>): Promise<T[]> {
    const rows: T[] = []
    for (let more = true; more;) {
      const next = await page(rows.length)
      rows.push(...next)
      more = next.length === LIST_MAX
    }
    return rows
  }
}

const unlessAway = (error: ApiError): void => {
  if (error.status === 0) throw error
}
