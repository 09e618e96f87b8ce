import type { Events } from '../../core/events.ts'

type Keys = { [K in keyof Events]?: (d: Events[K]) => string }

const memberKey = (d: { server_id: number; user: { id: number } }) => `member:${d.server_id}:${d.user.id}`
const savedKey = (d: { message_id: number }) => `saved:${d.message_id}`
const id = (kind: string) => (d: { id: number }) => `${kind}:${d.id}`

/** The key of a durable event's resource, as the server declares it; test/web/state compares the two. */
const keys: Keys = {
  'user.updated': id('user'),
  'audit.created': id('audit'),
  'webhooks.updated': (d) => `webhooks:${d.channel_id}`,
  'pins.updated': (d) => `pins:${d.channel_id}`,
  'session.created': id('session'),
  'security.changed': (d) => `security:${d.session_id}:${d.change}:${d.changed_at}`,
  'server.created': id('server'),
  'server.updated': id('server'),
  'server.deleted': id('server'),
  'member.joined': memberKey,
  'member.updated': memberKey,
  'member.left': (d) => `member:${d.server_id}:${d.user_id}`,
  'ban.created': (d) => `ban:${d.server_id}:${d.user.id}`,
  'ban.deleted': (d) => `ban:${d.server_id}:${d.user.id}`,
  'membership.ended': (d) => `membership:${d.server_id}`,
  'channel.created': id('channel'),
  'channel.updated': id('channel'),
  'channel.deleted': id('channel'),
  'stage.started': (d) => `stage:${d.channel_id}`,
  'stage.updated': (d) => `stage:${d.channel_id}`,
  'stage.ended': (d) => `stage:${d.channel_id}`,
  'thread.created': id('thread'),
  'thread.updated': id('thread'),
  'thread.deleted': id('thread'),
  'thread.followed': (d) => `following:${d.channel_id}`,
  'channel.pruned': (d) => `pruned:${d.channel_id}`,
  'channel.pruned_by': (d) => `pruned:${d.channel_id}:${d.author_id}`,
  'channel.read': (d) => `read:${d.channel_id}`,
  'channel.permissions_updated': id('overwrites'),
  'dm.request': (d) => `request:${d.channel_id}`,
  'channel.own_overwrite_updated': (d) => `own_overwrite:${d.channel_id}`,
  'notifications.updated': (d) => `notifications:${d.server_id}:${d.channel_id}`,
  'saved.updated': savedKey,
  'saved.removed': savedKey,
  'scheduled.updated': id('scheduled'),
  'scheduled.removed': id('scheduled'),
  'role.created': id('role'),
  'role.updated': id('role'),
  'role.deleted': id('role'),
  'message.created': id('message'),
  'message.updated': id('message'),
  'message.deleted': id('message'),
  'message.reactions': id('reactions'),
  'message.poll': id('poll'),
  'event.changed': id('event'),
  'event.deleted': id('event'),
  'event.reminder': (d) => `reminder:${d.event_id}:${d.n}`,
  'event.attendee': (d) => `attendee:${d.event_id}:${d.user_id}`,
  'event.signup': (d) => `signup:${d.event_id}`,
  'poll.mine': (d) => `vote:${d.message_id}`,
  'reaction.mine': (d) => `reaction:${d.message_id}:${d.emoji}`,
  'emoji.created': id('emoji'),
  'emoji.updated': id('emoji'),
  'emoji.deleted': id('emoji'),
  'sticker.created': id('sticker'),
  'sticker.updated': id('sticker'),
  'sticker.deleted': id('sticker'),
  'favourite.created': id('favourite'),
  'favourite.deleted': id('favourite'),
  'warning.created': id('warning'),
  'warning.deleted': id('warning'),
  'warning.read': id('warning'),
  'report.created': id('report'),
  'report.updated': id('report'),
  'invite.created': id('invite'),
  'invite.deleted': id('invite'),
  'friend.updated': (d) => `relation:${d.user_id}`,
  'dm.read': (d) => `dm_read:${d.sender_id}:${d.recipient_id}:${d.message_id}:${d.all}`,
  'call.ringing': (d) => `call:${d.channel_id}`,
  'call.declined': (d) => `call_declined:${d.channel_id}:${d.user_id}`,
  'call.ended': (d) => `call:${d.channel_id}`,
  'dm.hidden': (d) => `dm_hidden:${d.user_id}`,
}

/** The key of the event's resource; undefined for ephemeral events. */
export function resourceOf<K extends keyof Events>(type: K, d: Events[K]): string | undefined {
  const key: Keys[K] = keys[type]
  return key?.(d)
}
