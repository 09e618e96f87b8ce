import type { AuditEntry } from '../../features/audit/model.ts'
import type { Kind, Lookup } from '../lookup.ts'
import { discordBits } from '../permissions.ts'
import { colorOf, typeOfChannel } from './guilds.ts'
import { discordTime } from './users.ts'

// The changes of entries of the audit log: Discord's names of the fields, and its notation of their values.

/** A change as Discord writes it. */
export interface Change {
  key: string
  old_value?: unknown
  new_value?: unknown
}

/** The field of Discord that one of ours becomes. Null, for nothing, is not translated. */
interface Field {
  key: string
  value?: (of: Lookup, value: unknown) => unknown
}

const idOf =
  (kind: Kind) =>
  (of: Lookup, value: unknown): unknown =>
    typeof value === 'number' ? of.id(kind, value) : undefined
const bits = (_: Lookup, value: unknown): unknown => (typeof value === 'number' ? discordBits(value) : undefined)
const timesBy =
  (factor: number) =>
  (_: Lookup, value: unknown): unknown =>
    typeof value === 'number' ? Math.round(value * factor) : undefined
const time = (_: Lookup, value: unknown): unknown => (typeof value === 'string' ? discordTime(value) : undefined)
const color = (_: Lookup, value: unknown): unknown => (typeof value === 'string' ? colorOf(value) : undefined)
const isSet = (): unknown => true

const NAME = { name: { key: 'name' } }
const OVERWRITE: Record<string, Field> = {
  allow: { key: 'allow', value: bits },
  deny: { key: 'deny', value: bits },
}

const FIELDS: Partial<Record<AuditEntry['target_type'], Record<string, Field>>> = {
  server: {
    ...NAME,
    description: { key: 'description' },
    owner_id: { key: 'owner_id', value: idOf('user') },
    system_channel_id: { key: 'system_channel_id', value: idOf('channel') },
    afk_channel_id: { key: 'afk_channel_id', value: idOf('channel') },
    afk_minutes: { key: 'afk_timeout', value: timesBy(60) },
    default_notifications: { key: 'default_message_notifications', value: (_, value) => (value === 'all' ? 0 : 1) },
  },
  channel: {
    ...NAME,
    ...OVERWRITE,
    type: { key: 'type', value: (_, value) => typeOfChannel(value) },
    topic: { key: 'topic' },
    position: { key: 'position' },
    slowmode_seconds: { key: 'rate_limit_per_user' },
    user_limit: { key: 'user_limit' },
    bitrate: { key: 'bitrate' },
    archived_at: { key: 'archived', value: isSet },
    locked: { key: 'locked' },
    archive_after_seconds: { key: 'auto_archive_duration', value: timesBy(1 / 60) },
  },
  role: {
    ...NAME,
    color: { key: 'color', value: color },
    permissions: { key: 'permissions', value: bits },
    hoist: { key: 'hoist' },
    mentionable: { key: 'mentionable' },
    position: { key: 'position' },
  },
  member: {
    nickname: { key: 'nick' },
    timed_out_until: { key: 'communication_disabled_until', value: time },
    voice_muted: { key: 'mute' },
    voice_deafened: { key: 'deaf' },
  },
  invite: {
    max_uses: { key: 'max_uses' },
    uses: { key: 'uses' },
    temporary: { key: 'temporary', value: isSet },
    creator_id: { key: 'inviter_id', value: idOf('user') },
  },
  webhook: { ...NAME, channel_id: { key: 'channel_id', value: idOf('channel') } },
  emoji: NAME,
  sticker: { ...NAME, alt: { key: 'description' }, tags: { key: 'tags' } },
  sound: { ...NAME, emoji: { key: 'emoji_name' } },
  rule: { ...NAME, enabled: { key: 'enabled' } },
}

/** Fields that are true or false at Discord, and null or something else here. */
const FLAGS = new Set(['archived', 'temporary'])

/** A given or taken role is a list at Discord. */
function roleChange(of: Lookup, { action, changes }: AuditEntry): Change[] {
  const [id, name] = ['role_id', 'name'].map((field) => changes[field]?.after ?? changes[field]?.before)
  if (typeof id !== 'number') return []
  const roles = [{ id: of.id('role', id), name: typeof name === 'string' ? name : '' }]
  return [{ key: action === 'member.role_added' ? '$add' : '$remove', new_value: roles }]
}

/** The changes of an entry that Discord has names for. */
export function changesOf(of: Lookup, entry: AuditEntry): Change[] {
  const { action, target_type, changes } = entry
  if (action === 'member.role_added' || action === 'member.role_removed') return roleChange(of, entry)
  const fields = FIELDS[target_type] ?? {}
  return Object.entries(changes).flatMap(([name, { before, after }]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) return []
    const { key, value = (_, same) => same } = field
    const written = (state: unknown) =>
      state === null || state === undefined ? (FLAGS.has(key) ? false : undefined) : value(of, state)
    return [{ key, old_value: written(before), new_value: written(after) }]
  })
}
