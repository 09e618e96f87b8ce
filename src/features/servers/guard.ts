import { Elysia } from 'elysia'
import { columns, type Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { found, Problem } from '../../core/errors.ts'
import { holds, type Permission } from '../../core/permissions.ts'
import { Channel, type ChannelRow } from '../channels/model.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Me, Sessions } from '../sessions/store.ts'

/** The caller as a member of the server in the path. */
export interface Membership {
  server_id: number
  user_id: number
  is_owner: boolean
  /** The position of the member's highest role. */
  position: number
  permissions: number
}

/** @throws Problem `missing_permission`, which names the bit */
export function demand(permissions: number, bit: Permission): void {
  if (!holds(permissions, bit)) throw new Problem('missing_permission', `The permission ${bit} is missing`)
}

/** The account's membership: none means that it may not know of the server. */
export async function membership(sql: Sql, server_id: number, user_id: number): Promise<Membership> {
  const [member] = await sql<Membership[]>`
    select server_id, user_id, is_owner, position, permissions from member_permissions
    where server_id = ${server_id} and user_id = ${user_id}`
  return found(member)
}

/** A channel that the account sees, and what it may do there. */
export async function visibleChannel(sql: Sql, channel_id: number, user_id: number) {
  const [channel] = await sql<(ChannelRow & { permissions: number })[]>`
    select ${columns(sql, Channel, 'c')}, c.restricted, cp.permissions
    from channels c join channel_permissions cp on cp.channel_id = c.id and cp.user_id = ${user_id}
    where c.id = ${channel_id}`
  demandSight(channel?.permissions)
  return found(channel)
}

/** What one may not see does not exist. */
export function demandSight(permissions: number | undefined): void {
  if (permissions === undefined || !holds(permissions, 'view_channel')) throw new Problem('not_found')
}

type Bit = Permission | 'none'

/**
 * The doors of a server: `member: bit` and `channel: bit` in a route's options look up what the path names through
 * the caller, refuse with 404 what the caller may not know of and with 403 what it may not do, and hand on what they
 * found. `none` asks for membership or sight alone. A handler that waits for the server's lock asks again behind it:
 * the caller may have been thrown out meanwhile.
 */
export const guarded = (parts: Parts, sessions: Sessions) =>
  new Elysia().use(signedIn(parts, sessions)).macro({
    member: (bit: Bit) => ({
      resolve: async (context) => {
        const { params, me } = context as unknown as { params: { server_id: number }; me: Me }
        const member = await membership(parts.sql, params.server_id, me.id)
        if (bit !== 'none') demand(member.permissions, bit)
        return { member }
      },
    }),
    channel: (bit: Bit) => ({
      resolve: async (context) => {
        const { params, me } = context as unknown as { params: { channel_id: number }; me: Me }
        const channel = await visibleChannel(parts.sql, params.channel_id, me.id)
        if (bit !== 'none') demand(channel.permissions, bit)
        return { channel }
      },
    }),
  })
