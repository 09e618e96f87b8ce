import type { AuditEntry } from '../../features/audit/model.ts'
import type { Kind, Lookup } from '../lookup.ts'
import { EARLIEST_MS, snowflake } from '../snowflake.ts'

/** Discord's numbers of actions, by Parley's names; actions that Discord has no number for are left out. */
export const ACTIONS: Partial<Record<AuditEntry['action'], number>> = {
  'server.updated': 1,
  'channel.created': 10,
  'channel.updated': 11,
  'channel.deleted': 12,
  'overwrite.updated': 14,
  'overwrite.deleted': 15,
  'member.kicked': 20,
  'members.pruned': 21,
  'member.banned': 22,
  'member.unbanned': 23,
  'member.updated': 24,
  'member.timed_out': 24,
  'member.role_added': 25,
  'member.role_removed': 25,
  'member.voice_moved': 26,
  'member.voice_disconnected': 27,
  'bot.added': 28,
  'role.created': 30,
  'role.updated': 31,
  'role.deleted': 32,
  'invite.created': 40,
  'invite.deleted': 42,
  'webhook.created': 50,
  'webhook.updated': 51,
  'webhook.deleted': 52,
  'emoji.created': 60,
  'emoji.updated': 61,
  'emoji.deleted': 62,
  'stage.started': 83,
  'stage.updated': 84,
  'stage.ended': 85,
  'sticker.created': 90,
  'sticker.updated': 91,
  'sticker.deleted': 92,
  'message.deleted': 72,
  'messages.deleted': 73,
  'message.pinned': 74,
  'message.unpinned': 75,
  'thread.updated': 111,
  'thread.deleted': 112,
  'sound.created': 130,
  'sound.updated': 131,
  'sound.deleted': 132,
  'automod.created': 140,
  'automod.updated': 141,
  'automod.deleted': 142,
}

/** Kinds of targets that have a Discord id. */
const KINDS: Partial<Record<AuditEntry['target_type'], Kind>> = {
  server: 'server',
  channel: 'channel',
  role: 'role',
  member: 'user',
  webhook: 'user',
  message: 'message',
  emoji: 'emoji',
  sticker: 'sticker',
}

/** The Discord id of an entry. */
export const auditId = ({ id, created_at }: AuditEntry): string =>
  snowflake(id, Math.max(Date.parse(created_at), EARLIEST_MS))

/** An entry whose action Discord has a number for. */
export function entryOf(of: Lookup, entry: AuditEntry) {
  const { actor, action, target_type, target_id, changes } = entry
  const kind = KINDS[target_type]
  const reason: unknown = changes.reason?.after
  const options = optionsOf(of, entry)
  const authorId = action === 'message.deleted' ? idIn(entry, 'author_id') : undefined
  return {
    id: auditId(entry),
    user_id: of.id('user', actor.id),
    // Of a deleted message Discord names its author.
    target_id:
      authorId !== undefined
        ? of.id('user', authorId)
        : kind
          ? of.id(kind, target_id, entry.target_created_at ?? undefined)
          : null,
    action_type: ACTIONS[action],
    ...(options ? { options } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
    changes: [...(target_type === 'invite' ? [NO_CODE] : []), ...textChanges(changes)],
  }
}

/** Libraries read the code of each invite in the log. It stays secret here, where not everybody may list invites. */
const NO_CODE = { key: 'code', old_value: undefined, new_value: '' }

const textChanges = (changes: AuditEntry['changes']) =>
  Object.entries(changes)
    .filter(([key]) => key === 'name' || key === 'nickname' || key === 'topic')
    .map(([key, { before, after }]) => ({
      key: key === 'nickname' ? 'nick' : key,
      old_value: before ?? undefined,
      new_value: after ?? undefined,
    }))

/** A field of an entry as it is now, or as it was. */
const valueIn = ({ changes }: AuditEntry, key: string): unknown => changes[key]?.after ?? changes[key]?.before

function idIn(entry: AuditEntry, key: string): number | undefined {
  const value = valueIn(entry, key)
  return typeof value === 'number' ? value : undefined
}

const countIn = (entry: AuditEntry, key: string): string => {
  const value = valueIn(entry, key)
  return String(Array.isArray(value) ? value.length : 1)
}

/** Details of some actions besides their changes: libraries read them without a check that they are there. */
function optionsOf(of: Lookup, entry: AuditEntry): object | undefined {
  const channelId = idIn(entry, 'channel_id')
  const channel = channelId === undefined ? {} : { channel_id: of.id('channel', channelId) }
  switch (entry.action) {
    case 'members.pruned':
      return { members_removed: countIn(entry, 'user_ids'), delete_member_days: '0' }
    case 'member.voice_moved':
    case 'message.deleted':
      return { ...channel, count: '1' }
    case 'member.voice_disconnected':
      return { count: '1' }
    case 'messages.deleted':
      return { count: countIn(entry, 'message_ids') }
    case 'message.pinned':
    case 'message.unpinned':
      return { ...channel, message_id: of.id('message', entry.target_id) }
    case 'overwrite.updated':
    case 'overwrite.deleted': {
      const [roleId, userId] = [idIn(entry, 'role_id'), idIn(entry, 'user_id')]
      if (roleId !== undefined)
        return { id: of.id('role', roleId), type: '0', role_name: of.fact('role_row', roleId)?.name ?? '' }
      return userId === undefined ? {} : { id: of.id('user', userId), type: '1' }
    }
    default:
      return undefined
  }
}
