import {
  ALL_PERMISSIONS,
  bitOf,
  holds,
  PARTICIPANT_PERMISSIONS,
  type Permission,
  union,
} from '../../core/permissions.ts'
import type { PublicUser } from '../../core/schema.ts'
import type { User } from '../../features/accounts/model.ts'
import type { Channel, Server } from '../../features/access/model.ts'
import type { ConversationMark } from '../../features/dms/model.ts'
import type { CustomEmoji } from '../../features/emoji/model.ts'
import type { Sticker } from '../../features/stickers/model.ts'
import type { Relation } from '../../features/friends/model.ts'
import type { Poll } from '../../features/polls/model.ts'
import type { Ready } from '../../gateway/model.ts'
import type { Invite } from '../../features/invites/model.ts'
import type { NotificationSetting } from '../../features/notifications/model.ts'
import type { Member } from '../../features/members/model.ts'
import type { OwnStatus, Presence, Status } from '../../features/status/model.ts'
import type { Overwrite, Role } from '../../features/roles/model.ts'
import type { Reminder } from '../../features/saved/model.ts'
import type { VoiceState } from '../../voice/model.ts'
import type { z } from 'zod'
import { limited } from './limited.ts'
import { isListed } from './arrival.ts'
import { Channels, type ListedServer } from './listed-servers.ts'
import { type Bits, decided, inherited, withInherited } from './inherited-bits.ts'
import type { Timeline } from './timeline.ts'

export type OwnUser = z.infer<typeof User>
/** A member as it is kept: the account and the status are kept apart. */
export type KeptMember = Omit<Member, 'user' | 'status'> & { user_id: number }
/** A dm or group as it is kept, by its channel's id. */
export type KeptConversation = Omit<z.infer<typeof ConversationMark>, 'channel_id'>
/** A channel of a server. */
export type ServerChannel = Channel & { server_id: number }

export const isServerChannel = (channel: Channel): channel is ServerChannel => channel.server_id !== null

/** Messages whose own reactions, and votes, are kept apart from them. */
const OWN_REACTIONS_MAX = 1_000

const byPosition = (a: Channel, b: Channel): number => a.position - b.position || a.id - b.id

/** The client's copy of the server's data. `fetchedLists` names the lists that are fetched only when shown. */
export class State {
  user: OwnUser | undefined
  /** The operator's retention of messages and files, days. */
  retention: Ready['retention'] | undefined
  /** True once `synced` has arrived. Before that, resources that `ready` names are still coming. */
  isSynced = false
  readonly users = new Map<number, PublicUser>()
  readonly servers = new Map<number, Server>()
  /** The servers that are not opened. */
  readonly listed = new Map<number, ListedServer>()
  readonly channels = new Channels()
  readonly roles = new Map<number, Role>()
  /** The custom emoji of the account's servers. */
  readonly emoji = new Map<number, CustomEmoji>()
  readonly stickers = new Map<number, Sticker>()
  /** By server, then by account. */
  readonly members = new Map<number, Map<number, KeptMember>>()
  /** The status that the account chose. */
  ownStatus: OwnStatus | undefined
  readonly statuses = new Map<number, Status>()
  /** Text and emoji next to a status. */
  readonly sayings = new Map<number, Pick<Presence, 'text' | 'emoji'>>()
  /** Seats in voice channels, by account, and numbers of listeners, by stage. */
  readonly voices = new Map<number, VoiceState>()
  audiences = new Map<number, number>()
  /** The calls that ring on this account's devices: who calls, by channel. */
  readonly ringing = new Map<number, number>()
  readonly silentRings = new Set<number>() // Their calls make no sound.
  readonly readMarks = new Map<number, number>()
  /** By the other account's id. */
  readonly relations = new Map<number, Pick<Relation, 'state' | 'since'>>()
  readonly conversations = new Map<number, KeptConversation>()
  /** By channel. */
  readonly overwrites = new Map<number, Overwrite[]>()
  /** The overwrites for the account itself, by channel. */
  readonly ownOverwrites = new Map<number, Bits>()
  readonly invites = new Map<number, Invite>()
  /** The role that the account looks at a server as, and the channels that it sees. */
  viewedAs: { server_id: number; role_id: number; sees: ReadonlySet<number> } | undefined
  /** By place key: `c` and the channel's id. */
  readonly timelines = new Map<string, Timeline>()
  /** By place key, then by account: the time that typing ends, ms since the epoch. */
  readonly typing = new Map<string, Map<number, number>>()
  /** The newest message seen, by channel; the server may not have the read mark yet. */
  readonly newestSeen = new Map<number, number>()
  /** The newest unread message, by channel. */
  readonly newest = new Map<number, number>()
  /** Number of unread messages that mention the account, by channel. */
  readonly mentions = new Map<number, number>()
  /** Ids of the account's reactions, by message and emoji; 0 for a removed one. */
  readonly ownReactions = new Map<number, Map<string, number>>()
  /** The account's votes, by message. */
  readonly ownVotes = new Map<number, Poll['mine']>()
  /** The known threads that the account follows. */
  readonly followed = new Set<number>()
  /** Channels with new messages in unfollowed threads since their list was viewed. */
  readonly lively = new Set<number>()
  /** Channels that were marked unread by hand: they are not marked read until they are opened again. */
  readonly markedUnread = new Set<number>()
  /** The account's notification settings, by settingKey. */
  readonly settings = new Map<string, NotificationSetting>()
  /** The due reminders of saved messages, by message. */
  readonly reminders = new Map<number, Omit<z.infer<typeof Reminder>, 'message_id'>>()
  /** The scheduled messages that are held or were returned. */
  readonly unsent = new Set<number>()
  /** Servers whose members, and whose invites, have been fetched. */
  readonly fetchedLists = { members: new Set<number>(), invites: new Set<number>() }

  /** Number of entries in the inbox, besides mentions, that the account has to deal with. */
  waitingInInbox = (): number => this.reminders.size + this.unsent.size

  me = (): number => this.user?.id ?? 0

  membersOf = (server_id: number): Map<number, KeptMember> => {
    const members = this.members.get(server_id) ?? new Map<number, KeptMember>()
    this.members.set(server_id, members)
    return members
  }

  /** The other participant of a dm; undefined for any other channel. */
  partnerOf = ({ type, recipients }: Pick<Channel, 'type' | 'recipients'>): number | undefined =>
    type === 'dm' ? recipients?.find(({ id }) => id !== this.me())?.id : undefined

  /** True if the account views a server as a role: the client then offers only what that role may do. */
  isViewing = (server_id: number | null, userId = this.me()): boolean =>
    this.viewedAs?.server_id === server_id && this.roles.has(this.viewedAs.role_id) && userId === this.me()

  rolesOf = (server_id: number, userId: number): Role[] => {
    const roleIds = this.isViewing(server_id, userId)
      ? [this.viewedAs?.role_id]
      : (this.members.get(server_id)?.get(userId)?.role_ids ?? [])
    return [...this.roles.values()].filter(
      (role) => role.server_id === server_id && (role.is_everyone || roleIds.includes(role.id)),
    )
  }

  /** The categories of a server that the account sees, in their order. */
  categoriesOf = (server_id: number): ServerChannel[] =>
    this.#channelsWhere((channel) => channel.server_id === server_id && channel.type === 'category')

  /** The channels of a category that the account sees, or of those without one, in their order. */
  channelsIn = (server_id: number, parent_id: number | null): ServerChannel[] =>
    this.#channelsWhere(
      (channel) =>
        channel.server_id === server_id &&
        !['category', 'thread'].includes(channel.type) &&
        channel.parent_id === parent_id,
    )

  #channelsWhere = (isSought: (channel: Channel) => boolean): ServerChannel[] =>
    [...this.channels.values()]
      .filter(isServerChannel)
      .filter((channel) => isSought(channel) && this.#isSeenAs(channel))
      .toSorted(byPosition)

  /** False if the account views the server as a role that does not see the channel. */
  #isSeenAs = ({ id, server_id, type }: ServerChannel): boolean =>
    !this.isViewing(server_id) || type === 'thread' || this.viewedAs?.sees.has(id) === true

  /** The threads of a channel that are known, the liveliest first. */
  threadsOf = (channelId: number, isArchived: boolean): ServerChannel[] =>
    this.#channelsWhere(
      ({ type, parent_id, archived_at }) =>
        type === 'thread' && parent_id === channelId && (archived_at !== null) === isArchived,
    ).toSorted((a, b) => (b.last_message_id ?? 0) - (a.last_message_id ?? 0) || b.id - a.id)

  /** The channels of a server that the account sees, but no categories. */
  channelsOf = (server_id: number): ServerChannel[] =>
    [null, ...this.categoriesOf(server_id).map(({ id }) => id)].flatMap((id) => this.channelsIn(server_id, id))

  /** The highest role position of a member; self-assignable roles have none, and the owner stands above all roles. */
  highestPosition = (server_id: number, userId: number): number =>
    this.servers.get(server_id)?.owner_id === userId && !this.isViewing(server_id, userId)
      ? Number.POSITIVE_INFINITY
      : Math.max(
          0,
          ...this.rolesOf(server_id, userId)
            .filter((role) => !role.self_assignable)
            .map((role) => role.position),
        )

  /** The account's permissions in a server, without channel overwrites. */
  permissionsIn = (server_id: number): number => {
    if (this.servers.get(server_id)?.owner_id === this.me() && !this.isViewing(server_id)) return ALL_PERMISSIONS
    const sum = union(...this.rolesOf(server_id, this.me()).map((role) => role.permissions))
    return holds(sum, 'administrator') && !this.isGuest() ? ALL_PERMISSIONS : this.#limited(server_id, sum)
  }

  /** End of the account's timeout in a server; the server reports when it is over. */
  timedOutUntil = (server_id: number): string | null =>
    this.members.get(server_id)?.get(this.me())?.timed_out_until ?? null

  /** Why the account only looks and reads in a server. */
  heldBackIn = (server_id: number): Member['held_back'] =>
    this.members.get(server_id)?.get(this.me())?.held_back ?? null

  #limited = (server_id: number, all: number): number => {
    const [held_back, timed_out_until] = [this.heldBackIn(server_id), this.timedOutUntil(server_id)]
    return limited(all, { isGuest: this.isGuest(), held_back, timed_out_until })
  }

  isGuest = (): boolean => this.users.get(this.me())?.kind === 'guest'

  /** Effective overwrites of a channel: its own, and its category's for the bits that its own leave open. */
  overwritesIn = ({ id, parent_id }: Pick<Channel, 'id' | 'parent_id'>): Overwrite[] =>
    withInherited(this.overwrites.get(id) ?? [], this.overwrites.get(parent_id ?? 0) ?? [])

  /** The account's permissions in a channel, by the loaded overwrites. */
  permissionsAt = (channel: Channel): number => {
    const { server_id, id } = channel
    if (server_id === null) return PARTICIPANT_PERMISSIONS
    if (channel.type === 'thread') {
      const parent = this.channels.get(channel.parent_id ?? 0)
      return parent ? this.permissionsAt(parent) : 0
    }
    const sum = this.permissionsIn(server_id)
    if (sum === ALL_PERMISSIONS) return sum
    const ownRoles = new Map(this.rolesOf(server_id, this.me()).map((role) => [role.id, role]))
    const rows = this.overwritesIn(channel).filter((row) => ownRoles.has(row.role_id))
    const ofEveryone = rows.filter((row) => ownRoles.get(row.role_id)?.is_everyone)
    const ofRoles = rows.filter((row) => !ownRoles.get(row.role_id)?.is_everyone)
    const own = inherited(this.ownOverwrites.get(id), this.ownOverwrites.get(channel.parent_id ?? 0))
    const permissions = decided(sum, [ofEveryone, ofRoles, own])
    // A category is visible if one of its channels is.
    const isShown = channel.type === 'category' && this.channelsIn(server_id, id).length > 0
    return this.#limited(server_id, isShown ? union(permissions, bitOf('view_channel')) : permissions)
  }

  may = (server_id: number, name: Permission): boolean => holds(this.permissionsIn(server_id), name)
  mayIn = (channel: Channel, name: Permission): boolean => holds(this.permissionsAt(channel), name)

  /** True if the message is collapsed because a blocked account wrote it in a group. */
  isFolded = (channelId: number, authorId: number): boolean =>
    this.channels.get(channelId)?.type === 'group' && this.relations.get(authorId)?.state === 'blocked'

  /** True if another account wrote after the read mark; for a thread, only if it is followed and not archived. */
  isUnread = ({ id, type, archived_at }: Pick<Channel, 'id' | 'type' | 'archived_at'>): boolean =>
    (this.newest.get(id) ?? 0) > this.readUntil(id) &&
    !this.isRequest(id) &&
    isListed(this, id) &&
    (type !== 'thread' || (this.followed.has(id) && archived_at === null))

  /** True if the dm is a message request that the account has not accepted. */
  isRequest = (channelId: number): boolean => Boolean(this.conversations.get(channelId)?.request)

  /** Number of unread messages of the channel that mention the account. */
  mentionsIn = (channel: Pick<Channel, 'id' | 'type' | 'archived_at'>): number =>
    this.isUnread(channel) ? (this.mentions.get(channel.id) ?? 0) : 0

  readUntil = (channelId: number): number =>
    Math.max(this.readMarks.get(channelId) ?? 0, this.newestSeen.get(channelId) ?? 0)

  /** Stores a reaction of the account by the server's answer; only for the messages with the latest answers. */
  noteOwnReaction(messageId: number, emoji: string, reactionId: number | null): void {
    const reactionIds = this.ownReactions.get(messageId) ?? new Map<string, number>()
    this.ownReactions.delete(messageId)
    this.ownReactions.set(messageId, reactionIds.set(emoji, reactionId ?? 0))
    const [oldest] = this.ownReactions.keys()
    if (this.ownReactions.size > OWN_REACTIONS_MAX && oldest !== undefined) this.ownReactions.delete(oldest)
  }

  /** Remembers how the account voted, because the message may come later. */
  noteOwnVote(messageId: number, mine: Poll['mine']): void {
    this.ownVotes.set(messageId, mine)
    const [oldest] = this.ownVotes.keys()
    if (this.ownVotes.size > OWN_REACTIONS_MAX && oldest !== undefined) this.ownVotes.delete(oldest)
  }

  dropServer(id: number): void {
    for (const byServer of [this.servers, this.listed, this.members]) byServer.delete(id)
    this.fetchedLists.members.delete(id)
    this.fetchedLists.invites.delete(id)
    const channels = [...this.channels.values()].filter(({ server_id }) => server_id === id)
    // Threads go with their channel, before the walk would come to them.
    for (const channel of channels) {
      this.dropChannel(channel.id)
      this.readMarks.delete(channel.id)
      this.followed.delete(channel.id)
    }
    const { roles, emoji, stickers, settings, reminders, invites } = this
    for (const map of [roles, emoji, stickers, settings, reminders, invites] as Map<
      unknown,
      Pick<Channel, 'server_id'>
    >[])
      for (const [key, { server_id }] of map) if (server_id === id) map.delete(key)
  }

  /** Keeps the read mark: the channel may only have become invisible. */
  dropChannel(id: number): void {
    this.channels.delete(id)
    for (const map of [this.overwrites, this.ownOverwrites]) map.delete(id)
    for (const byChannel of [this.newest, this.mentions, this.newestSeen]) byChannel.delete(id)
    this.markedUnread.delete(id)
    this.ringing.delete(id)
    for (const [userId, voice] of this.voices) if (voice.channel_id === id) this.voices.delete(userId)
    for (const [messageId, { channel_id }] of this.reminders) if (channel_id === id) this.reminders.delete(messageId)
    this.timelines.delete(`c${id}`)
    this.typing.delete(`c${id}`)
    this.lively.delete(id)
    for (const thread of this.channels.values())
      if (thread.type === 'thread' && thread.parent_id === id) this.dropChannel(thread.id)
  }

  dropConversation(channelId: number): void {
    this.conversations.delete(channelId)
    this.dropChannel(channelId)
  }

  dropRole(id: number): void {
    this.roles.delete(id)
    for (const members of this.members.values())
      for (const [userId, member] of members)
        members.set(userId, { ...member, role_ids: member.role_ids.filter((role) => role !== id) })
    for (const [channelId, rows] of this.overwrites)
      this.overwrites.set(
        channelId,
        rows.filter((row) => row.role_id !== id),
      )
  }

  upsertChannel(channel: Channel): void {
    if (channel.server_id !== null && !this.servers.has(channel.server_id)) return
    for (const user of channel.recipients ?? []) if (!this.users.has(user.id)) this.users.set(user.id, user)
    const lastId = this.channels.get(channel.id)?.last_message_id ?? 0
    const last_message_id = Math.max(lastId, channel.last_message_id ?? 0) || null
    const prunedId = this.channels.get(channel.id)?.pruned_before_id ?? 0
    const pruned_before_id = Math.max(prunedId, channel.pruned_before_id ?? 0) || null
    this.channels.set(channel.id, { ...channel, last_message_id, pruned_before_id })
  }

  /** Moves a channel's last message forward; also for a deleted message. */
  advanceLastMessage(channelId: number, messageId: number): void {
    const channel = this.channels.get(channelId)
    if (channel && messageId > (channel.last_message_id ?? 0))
      this.channels.set(channelId, { ...channel, last_message_id: messageId })
  }

  upsertMember({ user, status, ...member }: Member): void {
    if (!this.servers.has(member.server_id)) return
    this.membersOf(member.server_id).set(user.id, { ...member, user_id: user.id })
    if (!this.statuses.has(user.id) && status !== 'offline') this.statuses.set(user.id, status)
  }
}
