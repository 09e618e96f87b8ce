import { events } from '../../src/api/asyncapi.ts'
import type { Person } from './harness.ts'
import { ClientMemory, type Row } from './client-memory.ts'
import { beginPeople, fetchPerson, peopleHandlers, SIDE_OF_MESSAGE } from './client-people.ts'
import { beginThreads, followByMessage, setFollowing, threadHandlers, upsertThread } from './client-threads.ts'
import { stateOf } from './client-state.ts'
import type { Frame } from './socket.ts'

/** An account and its REST calls. */
export type Account = Pick<Person, 'id' | 'get'>

/**
 * Applies frames exactly as docs/gateway.md says: drops what `ready` does not name, fetches what it does not know,
 * upserts the rest, and ignores an `s` below the last one applied to the resource.
 */
export class ClientEvents extends ClientMemory {
  /** The durable events that were applied, live and in replays. */
  readonly met = { live: new Set<string>(), replay: new Set<string>() }
  readonly #applied = new Map<string, number>()
  readonly #unknown = { servers: new Set<number>(), channels: new Set<number>(), people: new Set<number>() }
  #isSynced = false
  #isReplayed = false

  constructor(readonly who: Account) {
    super(who.id)
  }

  /** Applies one frame. After `synced`, fetches the resources that frames named and that are unknown. */
  async take(frame: Frame): Promise<void> {
    this.#apply(frame)
    if (this.#isSynced) await this.#fetchUnknown()
  }

  #apply({ t, s, d, replayed = false }: Frame): void {
    this.#isReplayed = replayed
    if (t === 'ready' || t === 'synced') this.#isSynced = t === 'synced'
    if (t === 'message.created') this.#handlers[SIDE_OF_MESSAGE]?.(d, s ?? 0)
    const resource = events[t]?.resource?.(d)
    if (resource !== undefined && s !== undefined) {
      if (s < (this.#applied.get(resource) ?? 0)) return
      this.#applied.set(resource, s)
      this.met[this.#isSynced ? 'live' : 'replay'].add(t)
    }
    this.#handlers[t]?.(d, s ?? 0)
    if (t === 'message.created') followByMessage(this, this.#unknown, this.who.id, d)
  }

  readonly #handlers: Record<string, (d: any, s: number) => void> = {
    ready: (d) => this.#begin(d),
    'server.snapshot': (d) => {
      this.servers.set(d.server.id, d.server)
      for (const channel of d.channels) this.upsertChannel(channel)
      for (const role of d.roles) this.roles.set(role.id, role)
      for (const one of d.emoji) this.emoji.set(one.id, one)
      for (const one of d.stickers ?? []) this.stickers.set(one.id, one)
      this.#unknown.servers.add(d.server.id)
      for (const row of d.own_overwrites ?? []) this.ownOverwrites.set(row.channel_id, row)
      if (d.parts === 1 && d.permissions !== this.permissionsIn(d.server.id, d.me))
        throw new Error(`server.snapshot says ${d.permissions}, which is not what the roles ${d.me.role_ids} give`)
    },
    'server.created': (d, s) => this.#upsertServer(d, s),
    'server.updated': (d, s) => this.#upsertServer(d, s),
    'server.deleted': (d) => this.dropServer(d.id),
    'member.joined': (d, s) => {
      const { member_count, status: _, ...member } = d
      if (!this.servers.has(member.server_id)) return
      this.members.set(`${member.server_id}:${member.user.id}`, member)
      this.#applyTo(`user:${member.user.id}`, s, () => this.users.set(member.user.id, member.user))
      this.#count(member.server_id, member_count, s)
    },
    'member.left': (d, s) => {
      this.members.delete(`${d.server_id}:${d.user_id}`)
      this.#count(d.server_id, d.member_count, s)
    },
    'channel.created': (d, s) => {
      // To be added to a group, perhaps again, is to begin with it afresh.
      if (d.server_id === null) {
        this.dropChannel(d.id)
        this.conversations.set(d.id, { user_id: null })
      }
      // A channel that the account has gained: REST may have shown it before its events reached this client.
      if (s === 0) this.#unknown.channels.add(d.id)
      // An unknown channel may be one that became visible, with all its messages.
      if (!this.channels.has(d.id)) this.#unknown.channels.add(d.id)
      this.upsertChannel(d)
    },
    'channel.permissions_updated': (d) => {
      if (d.overwrites === null) this.#unknown.channels.add(d.id)
      else if (this.channels.has(d.id)) this.overwrites.set(d.id, d.overwrites)
    },
    'channel.own_overwrite_updated': (d) => {
      if (d.allow + d.deny === 0) this.ownOverwrites.delete(d.channel_id)
      else if (this.channels.has(d.channel_id)) this.ownOverwrites.set(d.channel_id, d)
    },
    'role.created': (d) => this.#changeRoles(d.server_id, () => this.roles.set(d.id, d)),
    'role.updated': (d) => this.#changeRoles(d.server_id, () => this.roles.set(d.id, d)),
    'role.deleted': (d) => this.#changeRoles(d.server_id, () => this.dropRole(d.id)),
    'member.updated': (d, s) =>
      this.#changeRoles(d.server_id, () => {
        const { member_count, status: _, ...member } = d
        this.members.set(`${member.server_id}:${member.user.id}`, member)
        this.#count(member.server_id, member_count, s)
      }),
    'emoji.created': (d) => void (this.servers.has(d.server_id) && this.emoji.set(d.id, d)),
    'emoji.updated': (d) => void (this.servers.has(d.server_id) && this.emoji.set(d.id, d)),
    'emoji.deleted': (d) => void this.emoji.delete(d.id),
    'sticker.created': (d) => void (this.servers.has(d.server_id) && this.stickers.set(d.id, d)),
    'sticker.updated': (d) => void (this.servers.has(d.server_id) && this.stickers.set(d.id, d)),
    'sticker.deleted': (d) => void this.stickers.delete(d.id),
    'channel.updated': (d) => this.upsertChannel(d),
    'stage.started': (d) => this.#putStage(d, true),
    'stage.updated': (d) => this.#putStage(d, true),
    'stage.ended': (d) => this.#putStage(d, false),
    'channel.deleted': (d) => this.dropChannel(d.id),
    'channel.read': ({ channel_id, message_id }) => {
      // The mark of a channel that is hidden meanwhile is kept, and moves.
      if (this.channels.has(channel_id) || this.marks.has(channel_id)) this.marks.set(channel_id, message_id)
    },
    'notifications.updated': (d) => void this.notifications.set(`${d.server_id} ${d.channel_id}`, d),
    'saved.updated': ({ message_id, channel_id, server_id, due }) =>
      void (due ? this.reminders.set(message_id, { channel_id, server_id }) : this.reminders.delete(message_id)),
    'saved.removed': (d) => void this.reminders.delete(d.message_id),
    'scheduled.updated': (d) => void (d.state === 'waiting' ? this.unsent.delete(d.id) : this.unsent.add(d.id)),
    'scheduled.removed': (d) => void this.unsent.delete(d.id),
    'invite.created': (d) => void (this.manages(d.server_id) && this.invites.set(d.id, d)),
    'invite.deleted': (d) => void this.invites.delete(d.id),
    ...peopleHandlers(
      this,
      (resource, s, apply) => this.#applyTo(resource, s, apply),
      this.#unknown,
      () => this.#isReplayed,
    ),
    ...threadHandlers(this, this.#unknown),
    'user.updated': (d) => {
      const { display_name, avatar_file_id } = d
      if (this.user.id === d.id) this.user = { ...this.user, display_name, avatar_file_id }
      this.users.set(d.id, d)
    },
  }

  #begin(ready: Row): void {
    const named = new Set<number>(ready.servers.map((server: Row) => server.id))
    const channels = new Set<number>([
      ...ready.servers.flatMap((server: Row) => server.channel_ids),
      ...ready.conversations.map((row: Row) => row.channel_id),
    ])
    for (const id of this.servers.keys()) if (!ready.resumed || !named.has(id)) this.dropServer(id)
    for (const { id, type, parent_id } of this.channels.values())
      if (!channels.has(type === 'thread' ? parent_id : id)) this.dropChannel(id)
    this.user = ready.user
    this.marks.clear()
    for (const mark of ready.read_marks) this.marks.set(mark.channel_id, mark.message_id)
    this.notifications.clear()
    for (const row of ready.notifications) this.notifications.set(`${row.server_id} ${row.channel_id}`, row)
    this.unsent.clear()
    for (const id of ready.unsent) this.unsent.add(id)
    this.ownOverwrites.clear()
    for (const row of ready.own_overwrites) this.ownOverwrites.set(row.channel_id, row)
    this.reminders.clear()
    for (const { message_id, ...row } of ready.reminders) this.reminders.set(message_id, row)
    beginPeople(this, ready, this.#unknown)
    if (ready.resumed) beginThreads(this, ready, this.#unknown)
    if (!ready.resumed) return
    for (const id of named) if (!this.servers.has(id)) this.#unknown.servers.add(id)
    for (const id of channels) if (!this.channels.has(id)) this.#unknown.channels.add(id)
  }

  #upsertServer({ member_count, ...server }: Row, s: number): void {
    const before = this.servers.get(server.id)
    if (!before) this.#unknown.servers.add(server.id)
    this.servers.set(server.id, { member_count, ...before, ...server })
    this.#count(server.id, member_count, s)
    if (before && before.owner_id !== server.owner_id) this.#ownerChanged(server.id)
  }

  #putStage({ channel_id, id, topic, started_by, started_at }: Row, isRunning: boolean): void {
    const channel = this.channels.get(channel_id)
    const stage = isRunning ? { id, topic, started_by, started_at } : null
    if (channel) this.channels.set(channel_id, { ...channel, stage })
  }

  /** Several events carry the number of members, so it is a resource of its own. */
  #count(serverId: number, member_count: number, s: number): void {
    const server = this.servers.get(serverId)
    if (server) this.#applyTo(`count:${serverId}`, s, () => (server.member_count = member_count))
  }

  /** Applies an event's data about another resource than its own, unless newer data was applied. */
  #applyTo(resource: string, s: number, apply: () => void): void {
    if (s < (this.#applied.get(resource) ?? 0)) return
    this.#applied.set(resource, s)
    apply()
  }

  /** With manage_server the client fetches the invites, without it drops them. */
  #ownerChanged(serverId: number): void {
    for (const invite of this.invites.values()) if (invite.server_id === serverId) this.invites.delete(invite.id)
    if (this.manages(serverId)) this.#unknown.servers.add(serverId)
  }

  /** Applies a change of roles, which may give or take manage_server. */
  #changeRoles(serverId: number, change: () => void): void {
    if (!this.servers.has(serverId)) return
    const managed = this.manages(serverId)
    change()
    if (managed !== this.manages(serverId)) this.#ownerChanged(serverId)
  }

  /** Fetches what is unknown. What was deleted meanwhile is skipped. */
  async #fetchUnknown(): Promise<void> {
    for (const id of this.#unknown.servers) await this.#fetchServer(id)
    for (const id of this.#unknown.channels) {
      const { status, body } = await this.who.get(`/api/channels/${id}`)
      if (status === 200) await this.#takeChannel(body)
    }
    for (const id of this.#unknown.people) await fetchPerson(this, this.who, id)
    for (const ids of Object.values(this.#unknown)) ids.clear()
  }

  async #fetchServer(id: number): Promise<void> {
    const { status, body: server } = await this.who.get(`/api/servers/${id}`)
    if (status !== 200) return
    this.servers.set(id, server)
    const list = async (path: string): Promise<Row[]> => {
      const answer = await this.who.get(`/api/servers/${id}/${path}?limit=100`)
      return answer.status === 200 ? answer.body : []
    }
    for (const role of await list('roles')) this.roles.set(role.id, role)
    for (const one of await list('emoji')) this.emoji.set(one.id, one)
    for (const one of await list('stickers')) this.stickers.set(one.id, one)
    for (const { status: _, ...member } of await list('members')) {
      this.members.set(`${id}:${member.user.id}`, member)
      this.users.set(member.user.id, member.user)
    }
    if (this.manages(id)) for (const invite of await list('invites')) this.invites.set(invite.id, invite)
    for (const channel of await list('channels')) await this.#takeChannel(channel)
  }

  async #takeChannel(channel: Row): Promise<void> {
    this.upsertChannel(channel)
    if (!this.channels.has(channel.id)) return
    for (const { id } of channel.recipients ?? []) if (!this.users.has(id)) this.#unknown.people.add(id)
    const overwrites = await this.who.get(`/api/channels/${channel.id}/permissions`)
    if (overwrites.status === 200 && channel.server_id !== null && channel.type !== 'thread')
      this.overwrites.set(channel.id, overwrites.body)
    for (const message of await this.history(channel.id)) this.upsertMessage(message)
    if (channel.type === 'thread') return upsertThread(this, channel)
    const threads = await this.who.get(`/api/channels/${channel.id}/threads?followed=true&limit=100`)
    for (const thread of threads.status === 200 ? threads.body : []) {
      // Messages written while the channel was hidden have to be fetched too.
      if (!this.channels.has(thread.id)) this.#unknown.channels.add(thread.id)
      setFollowing(this, this.#unknown, thread.id, true)
    }
  }

  /** The messages of a channel that is new to the client. */
  protected async history(channel_id: number): Promise<Row[]> {
    const { status, body } = await this.who.get(`/api/channels/${channel_id}/messages?limit=100`)
    return status === 200 ? body : []
  }

  state(): Row {
    return stateOf(this)
  }
}
