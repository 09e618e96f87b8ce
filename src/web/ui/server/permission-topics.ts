import { bitOf, type Permission, union, without } from '../../../core/permissions.ts'

export type PermissionTopic = 'general' | 'messages' | 'threads' | 'voice' | 'people' | 'server' | 'administrator'

/** Topics of permissions in the settings. Each permission is in exactly one topic. */
export const PERMISSION_TOPICS: Record<PermissionTopic, Permission[]> = {
  general: ['view_channel', 'create_invite', 'change_nickname'],
  messages: [
    'send_messages',
    'read_history',
    'attach_files',
    'add_reactions',
    'use_external_emoji',
    'send_polls',
    'mention_everyone',
    'pin_messages',
    'manage_messages',
    'use_commands',
  ],
  threads: ['create_threads', 'send_in_threads', 'manage_threads'],
  voice: ['connect', 'speak', 'use_soundboard', 'share_screen', 'mute_members', 'deafen_members', 'move_members'],
  people: ['manage_nicknames', 'moderate_members', 'kick_members', 'ban_members'],
  server: [
    'create_events',
    'manage_events',
    'manage_channels',
    'manage_roles',
    'manage_emoji',
    'manage_webhooks',
    'manage_server',
    'view_audit_log',
  ],
  administrator: ['administrator'],
}

/** Permissions of the server as a whole, which channels cannot set. */
const OF_THE_SERVER: ReadonlySet<Permission> = new Set<Permission>([
  'change_nickname',
  'create_invite',
  'manage_nicknames',
  'moderate_members',
  'kick_members',
  'ban_members',
  'manage_emoji',
  'manage_server',
  'create_events',
  'manage_events',
  'view_audit_log',
  'administrator',
])

/** True if a channel can allow or deny the permission. */
export const isSetInChannels = (name: Permission): boolean => !OF_THE_SERVER.has(name)

/** The sum with one permission set or cleared. */
export const withBit = (sum: number, bit: Permission, isOn: boolean): number =>
  isOn ? union(sum, bitOf(bit)) : without(sum, bitOf(bit))
