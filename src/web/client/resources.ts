import type { Events } from '../../core/events.ts'

type Keys = { [K in keyof Events]?: (d: Events[K]) => string }

const counted = (d: { server_id: number; user: { id: number } }) => `member:${d.server_id}:${d.user.id}`
const id = (kind: string) => (d: { id: number }) => `${kind}:${d.id}`

/** The resource that a durable event tells of, as the server's own declarations have it; a test compares them. */
const keys: Keys = {
  'user.updated': id('user'),
  'server.created': id('server'),
  'server.updated': id('server'),
  'server.deleted': id('server'),
  'member.joined': counted,
  'member.updated': counted,
  'member.left': (d) => `member:${d.server_id}:${d.user_id}`,
  'channel.created': id('channel'),
  'channel.updated': id('channel'),
  'channel.deleted': id('channel'),
  'channel.read': (d) => `read:${d.channel_id}`,
  'channel.permissions_updated': id('overwrites'),
  'role.created': id('role'),
  'role.updated': id('role'),
  'role.deleted': id('role'),
  'message.created': id('message'),
  'message.updated': id('message'),
  'message.deleted': id('message'),
  'invite.created': id('invite'),
  'invite.deleted': id('invite'),
  'friend.updated': (d) => `relation:${d.user_id}`,
  'dm.created': id('dm'),
  'dm.updated': id('dm'),
  'dm.deleted': id('dm'),
  'dm.read': (d) => `dm_read:${d.sender_id}:${d.recipient_id}:${d.message_id}:${d.all}`,
  'dm.hidden': (d) => `dm_hidden:${d.user_id}`,
}

/** The resource of an event, or undefined where it is none that this client knows. */
export const resourceOf = (type: string, d: unknown): string | undefined =>
  (keys[type as keyof Events] as ((d: unknown) => string) | undefined)?.(d)
