import type { ClientMemory, Row } from './client-memory.ts'

const DELETED = 'Deleted user'

/** The other's last message up to the mark of a dm: `ready` names the one before the first that is unread. */
const lastRead = ({ messages, own_id }: ClientMemory, channel_id: number, mark: number): number =>
  Math.max(
    0,
    ...[...messages.values()]
      .filter((message) => message.channel_id === channel_id && message.author.id !== own_id && message.id <= mark)
      .map(({ id }) => id),
  )

/**
 * Everything that a client keeps, for comparison. The name of an account that shares nothing with the client any more
 * may be out of date; that an account is deleted may not.
 */
export function stateOf(model: ClientMemory): Row {
  const friends = [...model.relations].filter(([, relation]) => relation.state === 'friends').map(([id]) => id)
  const near = [...model.members.values()].map((member) => member.user.id)
  const company = [...model.channels.values()].flatMap(({ recipients }) => (recipients ?? []).map(({ id }: Row) => id))
  const shared = new Set([...near, ...friends, ...company])
  const rows = (entries: Map<unknown, Row>) => [...entries.values()].toSorted((a, b) => a.id - b.id)
  const nameOf = ({ id, ...fields }: Row) => {
    const user = model.users.get(id) ?? fields
    return shared.has(id) || user.display_name === DELETED ? { id, ...user } : { id }
  }
  const members = [...model.members.values()].map((member) => ({ ...member, user: nameOf(member.user) }) as Row)
  // `ready` contains only followed, unarchived threads. Clients differ in the other threads that they have loaded.
  const isShown = ({ id, type, archived_at }: Row) =>
    type !== 'thread' || (archived_at === null && model.followed.has(id))
  const visibleIds = new Set([...model.channels.values()].filter(isShown).map(({ id }) => id))
  return {
    user: model.user,
    servers: rows(model.servers),
    channels: rows(model.channels)
      .filter(isShown)
      .map(({ recipients, ...channel }) => ({
        ...channel,
        recipients: recipients?.map(nameOf),
      })),
    members: members.toSorted((a, b) => a.server_id - b.server_id || a.user.id - b.user.id),
    // Only the latest events count for a message's author and the author's membership.
    messages: rows(model.messages)
      .filter(({ channel_id }) => visibleIds.has(channel_id))
      .map((message) => ({
        ...message,
        author: nameOf(message.author),
        // The reference is decided for each reader; events have it for all or none.
        forwarded: message.forwarded && message.forwarded.content,
        member: undefined,
      })),
    invites: rows(model.invites),
    roles: rows(model.roles),
    emoji: rows(model.emoji),
    stickers: rows(model.stickers),
    overwrites: [...model.overwrites].toSorted(([a], [b]) => a - b),
    ownOverwrites: [...model.ownOverwrites]
      .map(([id, { allow, deny }]) => [id, allow, deny] as const)
      .toSorted(([a], [b]) => a - b),
    relations: [...model.relations].toSorted(([a], [b]) => a - b).map(([id, row]) => [nameOf({ id }), row]),
    // A group's last message is a field of its channel.
    conversations: [...model.conversations]
      .toSorted(([a], [b]) => a - b)
      .map(([id, { user_id, ...row }]) => [id, user_id === null ? {} : { user: nameOf({ id: user_id }), ...row }]),
    notifications: [...model.notifications.values()]
      .filter(({ level, muted_until, suppress_everyone }) => level ?? muted_until ?? suppress_everyone !== null)
      .filter(({ channel_id }) => channel_id === null || visibleIds.has(channel_id))
      .toSorted((a, b) => (a.server_id ?? 0) - (b.server_id ?? 0) || (a.channel_id ?? 0) - (b.channel_id ?? 0)),
    reminders: [...model.reminders].toSorted(([a], [b]) => a - b),
    unsent: [...model.unsent].toSorted((a, b) => a - b),
    ringing: [...model.ringing].toSorted(([a], [b]) => a - b),
    marks: [...model.marks]
      .filter(([id]) => visibleIds.has(id))
      .map(([id, mark]) => [id, model.channels.get(id)?.type === 'dm' ? lastRead(model, id, mark) : mark] as const)
      .toSorted(([a], [b]) => a - b),
  }
}
