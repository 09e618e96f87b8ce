import type { Invite } from '../../features/invites/model.ts'
import type { Lookup } from '../lookup.ts'
import { discordTime, discordTimeOrNull, userById } from './users.ts'

const secondsBetween = (from: string, until: string | null): number =>
  until === null ? 0 : Math.round((Date.parse(until) - Date.parse(from)) / 1000)

/** The fields that an invite has everywhere. */
export const inviteFields = (of: Lookup, invite: Invite) => ({
  code: invite.code,
  guild_id: of.id('server', invite.server_id),
  inviter: userById(of, invite.creator_id),
  uses: invite.uses,
  max_uses: invite.max_uses,
  max_age: secondsBetween(invite.created_at, invite.expires_at),
  temporary: invite.temporary !== null,
  created_at: discordTime(invite.created_at),
  expires_at: discordTimeOrNull(invite.expires_at),
})
