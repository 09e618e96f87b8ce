import type { PublicUser } from '../../core/schema.ts'
import type { Lookup, MemberFact } from '../lookup.ts'

/** A time as Discord writes it; discord.py does not read `Z`. */
export const discordTime = (time: string): string => time.replace('Z', '+00:00')
export const discordTimeOrNull = (time: string | null): string | null => (time === null ? null : discordTime(time))

/**
 * An account as a user of Discord. Usernames are private in Parley, so the display name stands in for it. Pictures are
 * left out, because libraries would look for them at Discord.
 */
export const userOf = (of: Lookup, { id, display_name, kind }: PublicUser) => ({
  id: of.id('user', id),
  username: display_name,
  global_name: kind === 'person' || kind === 'guest' ? display_name : null,
  discriminator: kind === 'person' || kind === 'guest' ? '0' : '0000',
  avatar: null,
  bot: kind === 'bot' || kind === 'webhook',
  system: false,
  public_flags: 0,
  flags: 0,
})

/** The same by the account's id. */
export const userById = (of: Lookup, id: number) =>
  userOf(of, of.fact('account', id) ?? { id, display_name: 'Deleted user', avatar_file_id: null, kind: 'person' })

/** A member without its user. */
export const memberFields = (of: Lookup, member: MemberFact) => ({
  nick: member.nickname,
  avatar: null,
  banner: null,
  roles: member.role_ids.map((id) => of.id('role', id)),
  joined_at: discordTime(member.joined_at),
  premium_since: null,
  deaf: false,
  mute: false,
  flags: 0,
  pending: false,
  communication_disabled_until: discordTimeOrNull(member.timed_out_until),
})

/** A member with its user. */
export const memberOf = (of: Lookup, user: PublicUser, member: MemberFact) => ({
  ...memberFields(of, member),
  user: userOf(of, user),
})

/** A member without its user, by ids; undefined for accounts that are no members. */
export function memberById(of: Lookup, serverId: number, userId: number) {
  const member = of.fact('member', `${serverId}:${userId}`)
  return member && memberFields(of, member)
}

/** The bot itself, as READY and GET /users/@me describe it. */
export const selfOf = (of: Lookup, user: Parameters<typeof userOf>[1]) => ({
  ...userOf(of, user),
  bot: true,
  verified: true,
  mfa_enabled: false,
  email: null,
  locale: 'en-US',
})
