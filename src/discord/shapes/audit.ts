import type { AuditEntry } from '../../features/audit/model.ts'
import type { Kind, Lookup } from '../lookup.ts'
import { EARLIEST_MS, snowflake } from '../snowflake.ts'
import { changesOf } from './audit-changes.ts'
import { KEYWORD, triggerOf } from './automod.ts'

/** The number of an overwrite that did not exist before. Parley writes it down as an update. */
export const OVERWRITE_CREATED = 13
export const OVERWRITE_UPDATED = 14

/** Discord's numbers of actions, by Parley's names; actions that Discord has no number for are left out. */
const ACTIONS: Partial<Record<AuditEntry['action'], number>> = {
  'server.updated': 1,
  'server.transferred': 1,
  'channel.created': 10,
  'channel.updated': 11,
  'channel.deleted': 12,
  'overwrite.updated': OVERWRITE_UPDATED,
  'overwrite.deleted': 15,
  'member.kicked': 20,
  'members.pruned': 21,
  'member.banned': 22,
  'member.unbanned': 23,
  'member.updated': 24,
  'member.timed_out': 24,
  'member.voice_muted': 24,
  'member.voice_deafened': 24,
  'member.quarantined': 24,
  'member.released': 24,
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
  'webhook.rotated': 51,
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
  'automod.timed_out': 145,
  'automod.quarantined': 146,
  'onboarding.updated': 167,
}

/** The number of an entry's action; undefined if Discord has none. */
export function actionType({ action, changes }: Pick<AuditEntry, 'action' | 'changes'>): number | undefined {
  const isNew = action === 'overwrite.updated' && changes.allow !== undefined && changes.allow.before === null
  return isNew ? OVERWRITE_CREATED : ACTIONS[action]
}

/** Parley's names of the actions with a number, or with any number if it is undefined. */
export const actionsOf = (type: number | undefined): string[] => {
  const number = type === OVERWRITE_CREATED ? OVERWRITE_UPDATED : type
  return Object.entries(ACTIONS).flatMap(([action, each]) => (number === undefined || each === number ? action : []))
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
  sound: 'sound',
}

/** The Discord id of an entry. */
const auditId = ({ id, created_at }: Pick<AuditEntry, 'id' | 'created_at'>): string =>
  snowflake(id, Math.max(Date.parse(created_at), EARLIEST_MS))

/** The account that an entry is about; undefined if it is about something else. */
export function accountOf(entry: AuditEntry): number | undefined {
  const { action, actor, target_type, target_id } = entry
  // The actor of these is the person who broke the rule.
  if (action === 'automod.timed_out' || action === 'automod.quarantined') return actor.id
  // For a message, Discord names the author.
  if (target_type === 'message') return idIn(entry, 'author_id')
  return target_type === 'member' ? target_id : undefined
}

function targetOf(of: Lookup, entry: AuditEntry): string | null {
  const { target_type, target_id, target_created_at } = entry
  const accountId = accountOf(entry)
  if (accountId !== undefined && target_type !== 'member') return of.id('user', accountId)
  if (target_type === 'rule') return target_created_at && snowflake(target_id, Date.parse(target_created_at))
  const kind = KINDS[target_type]
  return kind ? of.id(kind, target_id, target_created_at ?? undefined) : null
}

/** An entry whose action Discord has a number for. */
export function entryOf(of: Lookup, entry: AuditEntry) {
  const { actor, target_type, changes } = entry
  const reason: unknown = changes.reason?.after
  const options = optionsOf(of, entry)
  return {
    id: auditId(entry),
    user_id: of.id('user', actor.id),
    target_id: targetOf(of, entry),
    action_type: actionType(entry),
    ...(options ? { options } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
    changes: [...(target_type === 'invite' ? [NO_CODE] : []), ...changesOf(of, entry)],
  }
}

/** Libraries read the code of each invite in the log. It stays secret here, where not everybody may list invites. */
const NO_CODE = { key: 'code', old_value: undefined, new_value: '' }

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

const textIn = (entry: AuditEntry, key: string): string => {
  const value = valueIn(entry, key)
  return typeof value === 'string' ? value : ''
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
    case 'automod.timed_out':
    case 'automod.quarantined': {
      const trigger = of.fact('rule_trigger', entry.target_id)
      return {
        auto_moderation_rule_name: textIn(entry, 'name'),
        // Libraries read a type even for a rule that is gone or that Discord lacks.
        auto_moderation_rule_trigger_type: String((trigger && triggerOf(trigger)?.trigger_type) ?? KEYWORD),
      }
    }
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
