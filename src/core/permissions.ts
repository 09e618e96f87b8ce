/**
 * The permission bits: name → position, Discord's where the meaning is the same. `permissions_of` in
 * sql/0015_permission_names.sql alone decides what a member may do in a channel.
 */
export const permissionBits = {
  create_invite: 0,
  kick_members: 1,
  ban_members: 2,
  administrator: 3,
  manage_channels: 4,
  manage_server: 5,
  view_audit_log: 7,
  share_screen: 9,
  view_channel: 10,
  send_messages: 11,
  manage_messages: 13,
  attach_files: 15,
  read_history: 16,
  connect: 20,
  speak: 21,
  mute_members: 22,
  move_members: 24,
  manage_roles: 28,
} as const

export type Permission = keyof typeof permissionBits

/** The number that holds exactly the given bits; all of them fit in 32 bits unsigned, so sums stay exact. */
export const permissions = (...names: Permission[]): number =>
  names.reduce((sum, name) => sum + 2 ** permissionBits[name], 0)

/** The bits' names, lowest first. */
export const permissionNames = Object.keys(permissionBits) as Permission[]

/** Every bit: what the owner and administrators hold. */
export const ALL_PERMISSIONS = permissions(...permissionNames)

/** What `everyone` starts with. */
export const EVERYONE_PERMISSIONS = permissions(
  'create_invite',
  'view_channel',
  'send_messages',
  'attach_files',
  'read_history',
  'connect',
  'speak',
  'share_screen',
)

/** What the participants of a dm or group may do there: `participant_permissions` in sql/0024_direct_channels.sql. */
export const PARTICIPANT_PERMISSIONS = permissions(
  'view_channel',
  'send_messages',
  'attach_files',
  'read_history',
  'connect',
  'speak',
  'share_screen',
)

/** Whether `held` contains the bit. */
export const holds = (held: number, name: Permission): boolean => (held & (1 << permissionBits[name])) !== 0

/** Whether `held` contains all bits of `wanted`. */
export const contains = (held: number, wanted: number): boolean => (BigInt(wanted) & ~BigInt(held)) === 0n

/** The bits in which two sums differ. */
export const difference = (one: number, other: number): number => Number(BigInt(one) ^ BigInt(other))
