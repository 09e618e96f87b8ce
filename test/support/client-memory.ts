import { ALL_PERMISSIONS, common, holds, TIMED_OUT_PERMISSIONS, union } from '../../src/core/permissions.ts'

export type Row = Record<string, any>

/** The resources that a client keeps. */
export class ClientMemory {
  user: Row = {}
  /** Many events carry accounts, so they are a resource of their own. */
  readonly users = new Map<number, Row>()
  readonly servers = new Map<number, Row>()
  readonly channels = new Map<number, Row>()
  readonly roles = new Map<number, Row>()
  readonly members = new Map<string, Row>()
  readonly messages = new Map<number, Row>()
  readonly invites = new Map<number, Row>()
  readonly marks = new Map<number, number>()
  /** By the other account. */
  readonly relations = new Map<number, Row>()
  readonly conversations = new Map<number, Row>()
  readonly directs = new Map<number, Row>()
  /** By channel. */
  readonly overwrites = new Map<number, Row[]>()

  constructor(private readonly own_id: number) {}

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
    if (!this.servers.has(channel.server_id)) return
    const known = this.channels.get(channel.id)?.last_message_id ?? 0
    const last_message_id = Math.max(known, channel.last_message_id ?? 0) || null
    this.channels.set(channel.id, { ...channel, last_message_id })
  }

  upsertMessage(message: Row): void {
    if (!this.channels.has(message.channel_id)) return
    this.messages.set(message.id, message)
    this.reached(message.channel_id, message.id)
  }

  /** A channel's last message moves forward with every message, a deleted one too. */
  reached(channel_id: number, message_id: number): void {
    const channel = this.channels.get(channel_id)
    if (channel) channel.last_message_id = Math.max(channel.last_message_id ?? 0, message_id)
  }

  partnerOf = ({ sender_id, recipient_id }: Row): number => (sender_id === this.own_id ? recipient_id : sender_id)

  /** A direct message that is read stays read, whatever comes late. */
  upsertDirect(message: Row): void {
    const read_at = message.read_at ?? this.directs.get(message.id)?.read_at ?? null
    this.directs.set(message.id, { ...message, read_at })
  }

  markRead({ sender_id, recipient_id, message_id, all, read_at }: Row): void {
    for (const direct of this.directs.values())
      if (direct.sender_id === sender_id && direct.recipient_id === recipient_id)
        if (all ? direct.id <= message_id : direct.id === message_id) direct.read_at ??= read_at
  }

  dropConversation(user_id: number): void {
    this.conversations.delete(user_id)
    for (const direct of this.directs.values()) if (this.partnerOf(direct) === user_id) this.directs.delete(direct.id)
  }

  dropServer(id: number): void {
    this.servers.delete(id)
    for (const channel of this.channels.values()) {
      if (channel.server_id !== id) continue
      this.dropChannel(channel.id)
      this.marks.delete(channel.id)
    }
    for (const kept of [this.roles, this.members, this.invites] as Map<unknown, Row>[])
      for (const [key, row] of kept) if (row.server_id === id) kept.delete(key)
  }

  /** The read mark stays, since the channel may only be hidden. */
  dropChannel(id: number): void {
    this.channels.delete(id)
    this.overwrites.delete(id)
    for (const message of this.messages.values()) if (message.channel_id === id) this.messages.delete(message.id)
  }

  permissionsIn(server_id: number, { role_ids, timed_out_until }: Row): number {
    if (this.servers.get(server_id)?.owner_id === this.own_id) return ALL_PERMISSIONS
    const held = [...this.roles.values()].filter(
      (role) => role.server_id === server_id && (role.is_everyone || role_ids.includes(role.id)),
    )
    const sum = union(...held.map((role) => role.permissions as number))
    return timed_out_until && !holds(sum, 'administrator') ? common(sum, TIMED_OUT_PERMISSIONS) : sum
  }

  manages(server_id: number): boolean {
    const me = this.members.get(`${server_id}:${this.own_id}`)
    return holds(this.permissionsIn(server_id, me ?? { role_ids: [] }), 'manage_server')
  }
}
