import type { AuditEntry } from '../../features/audit/model.ts'
import type { Kind, Lookup } from '../lookup.ts'
import { userOf } from '../shapes/users.ts'
import { numberIn } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'
import { EARLIEST_MS, snowflake } from '../snowflake.ts'

/** Discord's numbers of actions, by Parley's names; actions that Discord has no number for are left out. */
const ACTIONS: Partial<Record<AuditEntry['action'], number>> = {
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
  'sticker.created': 90,
  'sticker.updated': 91,
  'sticker.deleted': 92,
  'message.deleted': 72,
  'messages.deleted': 73,
  'message.pinned': 74,
  'message.unpinned': 75,
  'thread.updated': 111,
  'thread.deleted': 112,
  'automod.created': 140,
  'automod.updated': 141,
  'automod.deleted': 142,
}
const PAGE_MAX = 100

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

const idOf = ({ id, created_at }: AuditEntry): string => snowflake(id, Math.max(Date.parse(created_at), EARLIEST_MS))

function entryOf(of: Lookup, entry: AuditEntry) {
  const { actor, action, target_type, target_id, changes } = entry
  const kind = KINDS[target_type]
  const reason: unknown = changes.reason?.after
  return {
    id: idOf(entry),
    user_id: of.id('user', actor.id),
    target_id: kind ? of.id(kind, target_id) : null,
    action_type: ACTIONS[action],
    ...(typeof reason === 'string' ? { reason } : {}),
    changes: Object.entries(changes)
      .filter(([key]) => key === 'name' || key === 'nickname' || key === 'topic')
      .map(([key, { before, after }]) => ({
        key: key === 'nickname' ? 'nick' : key,
        old_value: before ?? undefined,
        new_value: after ?? undefined,
      })),
  }
}

async function list(call: Call): Promise<Reply> {
  const id = await call.id('server', 'guild')
  const limit = Math.max(1, numberIn(call.query, 'limit', PAGE_MAX) ?? 50)
  const type = numberIn(call.query, 'action_type', 1000)
  const user = call.query.get('user_id')
  const filter = user ? `&user_id=${await call.find('user', user)}` : ''
  // Entries have no Discord id that is looked up: the page before one begins at its time.
  const before = call.query.get('before')
  const entries = await call.own<AuditEntry[]>('GET', `/api/servers/${id}/audit-log?limit=${PAGE_MAX}${filter}`)
  const fitting = entries
    .filter(({ action }) => ACTIONS[action] !== undefined && (type === undefined || ACTIONS[action] === type))
    .filter((entry) => before === null || !/^\d{15,19}$/.test(before) || BigInt(idOf(entry)) < BigInt(before))
    .slice(0, limit)
  return call.resolve((of) => ({
    audit_log_entries: fitting.map((entry) => entryOf(of, entry)),
    users: [...new Map(fitting.map(({ actor }) => [actor.id, actor])).values()].map((actor) => userOf(of, actor)),
    webhooks: [],
    integrations: [],
    threads: [],
    application_commands: [],
    auto_moderation_rules: [],
    guild_scheduled_events: [],
  }))
}

export const auditRoutes = [route('GET', '/guilds/:guild/audit-logs', 'server', list)]
