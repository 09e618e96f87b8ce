import type { Events } from '../../core/events.ts'
import type { Channel, Server } from '../../features/access/model.ts'
import type { EventFrame } from '../client/gateway.ts'
import { overwriteHandlers, ownOverwritesOfReady, ownOverwritesOfSnapshot } from './own-overwrites.ts'
import { ephemeralHandlers, statusesOfReady } from './ephemeral-events.ts'
import type { HandlerContext, Handlers, Part } from './event-handlers.ts'
import {
  advanceConversation,
  countMessage,
  peopleHandlers,
  peopleOfReady,
  updateConversation,
} from './people-events.ts'
import { ownParts, picturesOfSnapshot, reactionHandlers } from './reaction-events.ts'
import { resourceOf } from '../client/resources.ts'
import { settingKey } from './notifications.ts'
import { remindersOfReady, savedHandlers } from './saved-events.ts'
import { State } from './state.ts'
import { followByMessage, threadHandlers, threadsOfReady } from './thread-events.ts'
import { insideOf } from './listed-servers.ts'
import { openedServer, serversOfReady } from './opened-server.ts'
import { pruned, prunedBy } from './prune-events.ts'
import { change, dropReferences, entryOf, remove, upsert, withReference } from './timeline.ts'
import { askUnread, markMoved, messageCame, messageChanged, messageGone, messageLate, unreadOfReady } from './unread.ts'

/**
 * Applies events to a State by the rules of docs/gateway.md: drops resources that `ready` does not name, upserts the
 * rest, and ignores an event whose `s` is below the last one applied to its resource. Does no IO: `unknown` collects
 * the ids of resources to fetch.
 */
export class Store implements HandlerContext {
  readonly state = new State()
  readonly unknown = {
    servers: new Set<number>(),
    channels: new Set<number>(),
    people: new Set<number>(),
    unread: new Set<number>(),
  }
  /** Counts applied events: a REST answer is older than an event applied after the request. */
  tick = 0
  isReplay = false
  readonly #applied = new Map<string, { s: number; tick: number; gone: boolean }>()
  readonly #changedParts = new Set<Part>()
  readonly #watchers = new Set<(parts: Set<Part>) => void>()

  /** Calls the watcher with the changed parts after every event and every REST answer. */
  watch(watcher: (parts: Set<Part>) => void): void {
    this.#watchers.add(watcher)
  }

  touch = (...parts: Part[]): void => {
    for (const part of parts) this.#changedParts.add(part)
  }

  /** Calls the watchers with the parts that were touched since the last call. */
  notify(): void {
    if (this.#changedParts.size === 0) return
    const parts = new Set(this.#changedParts)
    this.#changedParts.clear()
    for (const watcher of this.#watchers) watcher(parts)
  }

  apply(frame: EventFrame): void {
    const { t, s, replayed, d } = frame
    this.tick++
    this.isReplay = replayed === true
    const inside = insideOf(this.state, frame)
    // `ready` counts replayed events. Settings are kept for all servers; the rest comes with the snapshot.
    if (inside?.isCounted && !replayed) this.unknown.servers.add(inside.id)
    if (inside && t !== 'notifications.updated') return
    if (t === 'message.created') countMessage(this, d, s ?? 0)
    const resource = resourceOf(t, d)
    if (resource !== undefined) {
      const appliedS = this.#applied.get(resource)?.s ?? 0
      if (s !== undefined && s < appliedS) {
        if (t === 'message.created') messageLate(this, d)
        return this.notify()
      }
      this.#applied.set(resource, { s: s ?? appliedS, tick: this.tick, gone: t.endsWith('.deleted') })
    }
    const handler: ((d: never, s: number) => void) | undefined = this.#handlers[t]
    handler?.(d as never, s ?? 0)
    this.notify()
  }

  /** True if no event changed the resource after that tick, so that a REST answer from then is current. */
  isUnchangedSince = (resource: string, since: number): boolean => (this.#applied.get(resource)?.tick ?? 0) <= since
  isGone = (resource: string, since: number): boolean =>
    this.#applied.get(resource)?.gone === true && !this.isUnchangedSince(resource, since)

  readonly noteChange = (resource: string): void =>
    void this.#applied.set(resource, { s: 0, tick: this.tick, gone: false })

  readonly applyIfNewer = (resource: string, s: number, change?: () => void): boolean => {
    if (s < (this.#applied.get(resource)?.s ?? 0)) return false
    this.#applied.set(resource, { s, tick: this.tick, gone: false })
    change?.()
    return true
  }

  readonly #handlers: Handlers = {
    ready: (d) => this.#applyReady(d),
    'server.snapshot': ({ server, channels, roles, emoji, stickers, me, own_overwrites, part, parts }) => {
      this.state.servers.set(server.id, server)
      this.state.listed.delete(server.id)
      for (const channel of channels) this.state.upsertChannel(channel)
      for (const role of roles) this.state.roles.set(role.id, role)
      picturesOfSnapshot(this, emoji, stickers)
      if (this.state.isSynced) this.#dropTimelines(channels)
      ownOverwritesOfSnapshot(this, own_overwrites)
      this.state.upsertMember(me)
      if (part === parts) this.unknown.servers.delete(server.id)
      // After `ready`, which says what is unread.
      if (this.state.isSynced) askUnread(this, server.id, true)
      this.touch('shell', 'members')
    },
    'server.opened': (d) => openedServer(this, d),
    synced: () => {
      this.state.isSynced = true
      this.touch('shell')
    },
    'server.created': (d, s) => this.#upsertServer(d, s),
    'server.updated': (d, s) => this.#upsertServer(d, s),
    'server.deleted': ({ id }) => {
      this.state.dropServer(id)
      this.touch('shell', 'members')
    },
    'member.joined': ({ member_count, ...member }, s) => {
      this.state.upsertMember(member)
      this.applyIfNewer(`user:${member.user.id}`, s, () => this.state.users.set(member.user.id, member.user))
      this.#setMemberCount(member.server_id, member_count, s)
    },
    'member.updated': ({ member_count, ...member }, s) =>
      this.#changeRoles(member.server_id, () => {
        this.state.upsertMember(member)
        this.#setMemberCount(member.server_id, member_count, s)
        if (member.user.id === this.state.me()) askUnread(this, member.server_id)
      }),
    'member.left': ({ server_id, user_id, member_count }, s) => {
      this.state.members.get(server_id)?.delete(user_id)
      this.#setMemberCount(server_id, member_count, s)
    },
    'channel.created': (d, s) => {
      // To be added to a group, perhaps again, is to begin with it afresh.
      if (d.server_id === null) {
        this.state.dropConversation(d.id)
        this.state.conversations.set(d.id, {
          user_id: null,
          last_message_id: d.last_message_id,
          unread_count: null,
          request: null,
        })
      }
      if (s === 0) this.#dropTimelines([d])
      // The channel may be an old one that has just become visible: fetch its last message.
      if (s === 0 || !this.state.channels.has(d.id)) {
        this.unknown.channels.add(d.id)
        this.unknown.unread.add(d.id)
      }
      this.#upsertChannel(d, s)
    },
    'channel.updated': (d, s) => {
      const hasMoved = this.state.channels.get(d.id)?.parent_id !== d.parent_id
      this.#upsertChannel(d, s)
      if (hasMoved && d.server_id !== null) askUnread(this, d.server_id)
    },
    'channel.deleted': ({ id }) => {
      this.state.dropConversation(id)
      this.#dropReferences(id)
      this.touch('shell')
    },
    'channel.read': ({ channel_id, message_id }) => {
      // The mark is fetched once the channel is known.
      if (!this.state.channels.has(channel_id)) return void this.unknown.unread.add(channel_id)
      markMoved(this, { channel_id, message_id })
      this.touch('shell', `timeline c${channel_id}`)
    },
    'notifications.updated': (d) => {
      this.state.settings.set(settingKey(d), d)
      askUnread(this, d.server_id ?? undefined)
      this.touch('shell')
    },
    'role.created': (d) => this.#changeRoles(d.server_id, () => this.state.roles.set(d.id, d)),
    'role.updated': (d) => this.#changeRoles(d.server_id, () => this.state.roles.set(d.id, d)),
    'role.deleted': (d) =>
      this.#changeRoles(d.server_id, () => {
        this.state.dropRole(d.id)
        askUnread(this, d.server_id)
      }),
    'message.created': (created, s) => {
      const { unread_count, request: _, ...d } = created
      if (unread_count !== undefined) advanceConversation(this, d)
      for (const take of [messageCame, followByMessage]) take(this, d)
      this.state.typing.get(`c${d.channel_id}`)?.delete(d.author.id)
      this.#upsertMessage(d, s)
    },
    'message.updated': (d, s) => {
      messageChanged(this, d)
      // It may have overtaken the message itself, which is then ignored.
      advanceConversation(this, d)
      this.#upsertMessage(d, s)
    },
    'message.deleted': ({ id, channel_id, last_message_id, unread_count }, s) => {
      const timeline = this.state.timelines.get(`c${channel_id}`)
      if (timeline) change(timeline, (row) => remove(row, id))
      this.state.advanceLastMessage(channel_id, id)
      messageGone(this, channel_id, id)
      if (unread_count !== undefined)
        updateConversation(this, channel_id, s, (before) =>
          last_message_id ? { ...before, last_message_id, unread_count } : undefined,
        )
      this.touch('shell', `timeline c${channel_id}`)
    },
    'channel.pruned': (d, s) => pruned(this, d, s),
    'channel.pruned_by': (d) => prunedBy(this, d),
    'invite.created': (d) => {
      if (this.state.fetchedLists.invites.has(d.server_id)) this.state.invites.set(d.id, d)
      this.touch('shell')
    },
    'invite.deleted': ({ id }) => {
      this.state.invites.delete(id)
      this.touch('shell')
    },
    'user.updated': (d) => {
      const { display_name, avatar_file_id } = d
      if (this.state.user?.id === d.id) this.state.user = { ...this.state.user, display_name, avatar_file_id }
      this.state.users.set(d.id, d)
      this.touch('shell', 'members')
    },
    ...reactionHandlers(this),
    ...ephemeralHandlers(this),
    ...threadHandlers(this),
    ...savedHandlers(this),
    ...peopleHandlers(this),
    ...overwriteHandlers(this),
  }

  #applyReady(ready: Events['ready']): void {
    const { state } = this
    const channels = serversOfReady(this, ready)
    // Threads are not dropped by absence, but with their channel.
    for (const { id, type, parent_id } of state.channels.values())
      if (!channels.has(type === 'thread' ? (parent_id ?? 0) : id)) state.dropChannel(id)
    state.user = ready.user
    state.retention = ready.retention
    state.isSynced = false
    unreadOfReady(this, ready.read_marks)
    state.settings.clear()
    for (const setting of ready.notifications) state.settings.set(settingKey(setting), setting)
    state.voices.clear()
    for (const voice of ready.voice_states) state.voices.set(voice.user.id, voice)
    statusesOfReady(this, ready)
    if (!ready.resumed) for (const map of [state.timelines, state.users, state.typing, state.ownReactions]) map.clear()
    peopleOfReady(this, ready)
    threadsOfReady(this, ready)
    for (const apply of [remindersOfReady, ownOverwritesOfReady]) apply(this, ready)
    for (const id of channels) if (ready.resumed && !state.channels.has(id)) this.unknown.channels.add(id)
    this.touch(
      'shell',
      'members',
      'statuses',
      'voices',
      ...[...state.timelines.keys()].map((key) => `timeline ${key}` as const),
    )
  }

  #upsertChannel(channel: Channel, s: number): void {
    for (const user of channel.recipients ?? [])
      this.applyIfNewer(`user:${user.id}`, s, () => this.state.users.set(user.id, user))
    this.state.upsertChannel(channel)
    this.touch('shell', 'members')
  }

  #upsertMessage(message: Events['message.created'], s: number): void {
    const { id, channel_id } = message
    if (!this.state.channels.has(channel_id)) return
    const timeline = this.state.timelines.get(`c${channel_id}`)
    // The event may be older than the last event about only the reactions, or the votes.
    const newest = { reactions: this.applyIfNewer(`reactions:${id}`, s), poll: this.applyIfNewer(`poll:${id}`, s) }
    if (timeline)
      change(timeline, (row) => {
        const before = entryOf(row, id)
        const forwarded = withReference(message.forwarded, before?.forwarded)
        upsert(row, { ...message, forwarded, ...ownParts(this.state, message, before, newest) })
      })
    this.state.advanceLastMessage(channel_id, message.id)
    this.touch('shell', `timeline c${channel_id}`)
  }

  /**
   * Drops the messages that REST gave of channels that the account has just gained, and of their threads: events that
   * came between that answer and the gain did not reach this client.
   */
  #dropTimelines(channels: Channel[]): void {
    const gainedIds = new Set(channels.map(({ id }) => id))
    for (const { id, type, parent_id } of this.state.channels.values()) {
      if (!gainedIds.has(type === 'thread' ? (parent_id ?? 0) : id)) continue
      this.state.timelines.delete(`c${id}`)
      this.touch(`timeline c${id}`)
    }
  }

  #dropReferences(channel_id: number): void {
    for (const [key, timeline] of this.state.timelines) {
      const isShown = timeline.entries.some(({ forwarded }) => forwarded?.channel_id === channel_id)
      if (!isShown && !timeline.meanwhile) continue
      change(timeline, (row) => dropReferences(row, channel_id))
      this.touch(`timeline ${key}`)
    }
  }

  #upsertServer({ member_count, ...server }: Server, s: number): void {
    const listed = this.state.listed.get(server.id)
    if (listed) {
      const { name, icon_file_id } = server
      this.state.listed.set(server.id, { ...listed, name, icon_file_id })
      return this.touch('shell')
    }
    const before = this.state.servers.get(server.id)
    if (!before) this.unknown.servers.add(server.id)
    this.state.servers.set(server.id, { member_count, ...before, ...server })
    this.#setMemberCount(server.id, member_count, s)
    if (before && before.owner_id !== server.owner_id) this.#forgetInvites(server.id)
    this.touch('shell')
  }

  /** Several event types carry the member count, so it has a separate version. */
  #setMemberCount(server_id: number, member_count: number, s: number): void {
    const server = this.state.servers.get(server_id)
    if (server)
      this.applyIfNewer(`count:${server_id}`, s, () => this.state.servers.set(server_id, { ...server, member_count }))
    this.touch('shell', 'members')
  }

  /** Only members with `manage_server` see invites: a change of the permission drops them. */
  #forgetInvites(server_id: number): void {
    this.state.fetchedLists.invites.delete(server_id)
    for (const invite of this.state.invites.values())
      if (invite.server_id === server_id) this.state.invites.delete(invite.id)
  }

  /** Applies a change that may affect the account's permissions in the server. */
  #changeRoles(server_id: number, change: () => void): void {
    if (!this.state.servers.has(server_id)) return
    const couldManage = this.state.may(server_id, 'manage_server')
    change()
    if (couldManage !== this.state.may(server_id, 'manage_server')) this.#forgetInvites(server_id)
    this.touch('shell', 'members')
  }
}
