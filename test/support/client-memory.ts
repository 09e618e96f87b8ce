import {
  ALL_PERMISSIONS,
  common,
  GUEST_PERMISSIONS,
  HELD_BACK_PERMISSIONS,
  holds,
  TIMED_OUT_PERMISSIONS,
  union,
} from '../../src/core/permissions.ts'

export type Row = Record<string, any>

/** True if a direct message was read. */
const isRead = (message: Row, { channel_id, sender_id, message_id, all }: Row): boolean =>
  message.channel_id === channel_id &&
  message.sender_id === sender_id &&
  (all ? message.id <= message_id : message.id === message_id)

/** The resources that a client keeps. */
export class ClientMemory {
  user: Row = {}
  /** Many events carry accounts, so they are a resource of their own. */
  readonly users = new Map<number, Row>()
  readonly servers = new Map<number, Row>()
  readonly channels = new Map<number, Row>()
  readonly roles = new Map<number, Row>()
  /** Custom emoji. */
  readonly emoji = new Map<number, Row>()
  readonly stickers = new Map<number, Row>()
  readonly members = new Map<string, Row>()
  readonly messages = new Map<number, Row>()
  /** The threads that the account follows. */
  readonly followed = new Set<number>()
  readonly invites = new Map<number, Row>()
  readonly marks = new Map<number, number>()
  /** Notification settings, by place. */
  readonly notifications = new Map<string, Row>()
  /** The overwrites for the account itself, by channel. */
  readonly ownOverwrites = new Map<number, Row>()
  /** Due reminders of saved messages, by message. */
  readonly reminders = new Map<number, Row>()
  /** Scheduled messages that are held or were returned. */
  readonly unsent = new Set<number>()
  /** Callers, by channel. */
  readonly ringing = new Map<number, number>()
  /** By the other account. */
  readonly relations = new Map<number, Row>()
  /** By message and emoji: the reaction that the account makes, null for one that it took back. */
  readonly ownReactions = new Map<string, number | null>()
  /** The account's votes, by message. */
  readonly ownVotes = new Map<number, Row>()
  /** Dms and groups, by channel. */
  readonly conversations = new Map<number, Row>()
  /** By channel. */
  readonly overwrites = new Map<number, Row[]>()

  readonly #readings: Row[] = []

  constructor(readonly own_id: number) {}

  dropRole(id: number): void {
    this.roles.delete(id)
    for (const member of this.members.values()) member.role_ids = member.role_ids.filter((role: number) => role !== id)
    for (const [channel, rows] of this.overwrites)
      this.overwrites.set(
        channel,
        rows.filter((row) => row.role_id !== id),
      )
  }

  upsertChannel(channel: Row): void {
    const isHere = channel.server_id === null ? this.conversations.has(channel.id) : this.servers.has(channel.server_id)
    if (!isHere) return
    const lastId = this.channels.get(channel.id)?.last_message_id ?? 0
    const last_message_id = Math.max(lastId, channel.last_message_id ?? 0) || null
    const pruned = this.channels.get(channel.id)?.pruned_before_id ?? 0
    const pruned_before_id = Math.max(pruned, channel.pruned_before_id ?? 0) || null
    this.channels.set(channel.id, { ...channel, last_message_id, pruned_before_id })
  }

  /**
   * A direct message that is read stays read, whatever comes late.
   * @param isNews whether its reactions are newer than those that are known; absent for an answer of REST
   * @param isPollNews the same of its poll
   */
  upsertMessage(message: Row, isNews?: boolean, isPollNews?: boolean): void {
    if (!this.channels.has(message.channel_id)) return
    const knownRead =
      this.messages.get(message.id)?.read_at ?? this.#readings.find((one) => isRead(message, one))?.read_at
    const read = 'read_at' in message ? { read_at: message.read_at ?? knownRead ?? null } : {}
    const { poll: votes, reactions = [] }: Row = this.messages.get(message.id) ?? {}
    this.messages.set(message.id, { ...message, ...read, ...(isNews === undefined ? {} : { reactions: reactions }) })
    if (isNews) this.react(message.id, message.reactions)
    if (message.poll && isNews !== undefined) this.vote(message.id, isPollNews ? message.poll : (votes ?? message.poll))
    this.reached(message.channel_id, message.id)
  }

  prune(channel_id: number, beforeId: number): void {
    const channel = this.channels.get(channel_id)
    if (channel) channel.pruned_before_id = beforeId
    for (const { id, channel_id: place } of this.messages.values())
      if (place === channel_id && id < beforeId) this.messages.delete(id)
    for (const [id, { channel_id: place }] of this.reminders)
      if (place === channel_id && id < beforeId) this.reminders.delete(id)
  }

  pruneBy({ channel_id, author_id, after_id, before_id }: Row): void {
    for (const { id, channel_id: place, author } of this.messages.values())
      if (place === channel_id && author.id === author_id && id > after_id && id < before_id) this.messages.delete(id)
  }

  /** Events do not tell which reactions are the account's own. */
  react(message_id: number, reactions: Row[]): void {
    const message = this.messages.get(message_id)
    if (!message) return
    const own = ({ id, emoji }: Row) => {
      const ownReaction = this.ownReactions.get(`${message_id} ${emoji}`)
      return ownReaction === undefined
        ? message.reactions.some((row: Row) => row.id === id && row.me)
        : ownReaction === id
    }
    message.reactions = reactions.map((row) => ({ ...row, me: own(row) }))
  }

  /** Events do not tell the account's own vote. */
  vote(message_id: number, news: Row): void {
    const message = this.messages.get(message_id)
    if (!message?.poll) return
    const poll: Row = { ...message.poll, ...news }
    const none = { voted: false, ...(poll.anonymous ? {} : { answer_ids: [] }) }
    message.poll = { ...poll, mine: this.ownVotes.get(message_id) ?? poll.mine ?? none }
  }

  /** A channel's last message moves forward with every message, a deleted one too. */
  reached(channel_id: number, message_id: number): void {
    const channel = this.channels.get(channel_id)
    if (channel) channel.last_message_id = Math.max(channel.last_message_id ?? 0, message_id)
  }

  partnerOf = ({ sender_id, recipient_id }: Row): number => (sender_id === this.own_id ? recipient_id : sender_id)

  /** The news of a reading may overtake the message itself. */
  markRead(reading: Row): void {
    this.#readings.push(reading)
    for (const message of this.messages.values()) if (isRead(message, reading)) message.read_at ??= reading.read_at
  }

  dropConversation(channel_id: number): void {
    this.conversations.delete(channel_id)
    this.dropChannel(channel_id)
  }

  dropServer(id: number): void {
    this.servers.delete(id)
    const own = [...this.channels.values()].filter(({ server_id }) => server_id === id)
    // Threads go with their channel, before the walk would come to them.
    for (const channel of own) {
      this.dropChannel(channel.id)
      this.followed.delete(channel.id)
      this.marks.delete(channel.id)
    }
    const { roles, emoji, stickers, members, invites, notifications, reminders } = this
    const maps = [roles, emoji, stickers, members, invites, notifications, reminders] as Map<unknown, Row>[]
    for (const rows of maps) for (const [key, row] of rows) if (row.server_id === id) rows.delete(key)
  }

  /** The read mark stays, since the channel may only be hidden. */
  dropChannel(id: number): void {
    this.channels.delete(id)
    this.ringing.delete(id)
    this.conversations.delete(id)
    this.overwrites.delete(id)
    this.ownOverwrites.delete(id)
    for (const message of this.messages.values()) if (message.channel_id === id) this.messages.delete(message.id)
    for (const [messageId, { channel_id }] of this.reminders) if (channel_id === id) this.reminders.delete(messageId)
    for (const { id: threadId, type, parent_id } of this.channels.values())
      if (type === 'thread' && parent_id === id) this.dropChannel(threadId)
  }

  permissionsIn(server_id: number, { user, role_ids, timed_out_until, held_back }: Row): number {
    if (this.servers.get(server_id)?.owner_id === this.own_id) return ALL_PERMISSIONS
    const heldRoles = [...this.roles.values()].filter(
      (role) => role.server_id === server_id && (role.is_everyone || role_ids.includes(role.id)),
    )
    const all = union(...heldRoles.map((role) => role.permissions as number))
    const isGuest = user?.kind === 'guest'
    if (holds(all, 'administrator') && !isGuest) return all
    const sum = isGuest ? common(all, GUEST_PERMISSIONS) : all
    if (held_back) return common(sum, HELD_BACK_PERMISSIONS)
    return timed_out_until ? common(sum, TIMED_OUT_PERMISSIONS) : sum
  }

  manages(server_id: number): boolean {
    const me = this.members.get(`${server_id}:${this.own_id}`)
    return holds(this.permissionsIn(server_id, me ?? { role_ids: [] }), 'manage_server')
  }
}
