/**
 * The permission bits: name → position, as in Discord where the meaning is the same. Only `permissions_of` in
 * sql/functions/permissions decides what a member may do in a channel.
 */
export const permissionBits = {
  create_invite: 0,
  kick_members: 1,
  ban_members: 2,
  administrator: 3,
  manage_channels: 4,
  manage_server: 5,
  add_reactions: 6,
  view_audit_log: 7,
  share_screen: 9,
  view_channel: 10,
  send_messages: 11,
  manage_messages: 13,
  attach_files: 15,
  read_history: 16,
  mention_everyone: 17,
  use_external_emoji: 18,
  connect: 20,
  speak: 21,
  mute_members: 22,
  deafen_members: 23,
  move_members: 24,
  change_nickname: 26,
  manage_nicknames: 27,
  manage_roles: 28,
  manage_webhooks: 29,
  manage_emoji: 30,
  use_commands: 31,
  manage_events: 33,
  manage_threads: 34,
  create_threads: 35,
  send_in_threads: 38,
  moderate_members: 40,
  use_soundboard: 42,
  create_events: 44,
  send_polls: 49,
  pin_messages: 51,
} as const

export type Permission = keyof typeof permissionBits

/** The number with only this bit set. */
export const bitOf = (name: Permission): number => 2 ** permissionBits[name]

/**
 * The number with exactly these bits set. It stays below 2^53 and is exact; JavaScript's bit operators see only the
 * lowest 32 bits, so use the functions of this file.
 */
export const permissions = (...names: Permission[]): number => names.reduce((sum, name) => sum + bitOf(name), 0)

/** Names of the bits, lowest first. */
export const permissionNames = Object.keys(permissionBits) as Permission[]

/** Every bit: the permissions of the owner and of administrators. */
export const ALL_PERMISSIONS = permissions(...permissionNames)

/** The initial permissions of `everyone`. */
export const EVERYONE_PERMISSIONS = permissions(
  'create_invite',
  'view_channel',
  'send_messages',
  'attach_files',
  'read_history',
  'connect',
  'speak',
  'use_soundboard',
  'share_screen',
  'add_reactions',
  'use_external_emoji',
  'change_nickname',
  'use_commands',
  'create_threads',
  'send_in_threads',
  'send_polls',
)

/** The permissions of participants in a dm or group; `participant_permissions` in sql/functions/permissions. */
export const PARTICIPANT_PERMISSIONS = permissions(
  'view_channel',
  'send_messages',
  'attach_files',
  'read_history',
  'add_reactions',
  'use_external_emoji',
  'connect',
  'speak',
  'share_screen',
  'send_polls',
  'pin_messages',
)

/** The permissions that a member keeps during a timeout, for clients. On the server permissions_of in SQL decides. */
export const TIMED_OUT_PERMISSIONS = permissions('view_channel', 'read_history', 'connect')

/** The permissions that a member who is held back keeps, for clients. On the server permissions_of in SQL decides. */
export const HELD_BACK_PERMISSIONS = permissions('view_channel', 'read_history')

/** The most that a guest may do, for clients. On the server guest_permissions in SQL decides. */
export const GUEST_PERMISSIONS = permissions(
  'add_reactions',
  'share_screen',
  'view_channel',
  'send_messages',
  'attach_files',
  'read_history',
  'use_external_emoji',
  'connect',
  'speak',
  'send_in_threads',
)

/** True if `bits` has the bit set. */
export const holds = (bits: number, name: Permission): boolean => Math.floor(bits / bitOf(name)) % 2 === 1

/** The bits of `bits` that are not set in `removedBits`. */
export const without = (bits: number, removedBits: number): number => Number(BigInt(bits) & ~BigInt(removedBits))

/** The bits set in both numbers. */
export const common = (one: number, other: number): number => Number(BigInt(one) & BigInt(other))

/** The bits set in at least one of the numbers. */
export const union = (...sums: number[]): number => Number(sums.reduce((all, sum) => all | BigInt(sum), 0n))

/** True if `bits` has all bits of `requiredBits` set. */
export const contains = (bits: number, requiredBits: number): boolean => without(requiredBits, bits) === 0

/** The bits in which two numbers differ. */
export const difference = (one: number, other: number): number => Number(BigInt(one) ^ BigInt(other))
