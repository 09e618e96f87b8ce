import { Elysia } from 'elysia'
import { columns, type Sql, type Transaction } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { found, Problem } from '../../core/errors.ts'
import { holds, type Permission } from '../../core/permissions.ts'
import { channelColumns, type ChannelRow } from './channel-rows.ts'
import { Server } from './model.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'

/** An account as a member of a server. */
export interface Membership {
  server_id: number
  user_id: number
  is_owner: boolean
  /** The position of the member's highest role. */
  position: number
  permissions: number
}

/** @throws Problem `missing_permission`, whose text names the bit */
export function demand(permissions: number, bit: Permission): void {
  if (!holds(permissions, bit)) throw new Problem('missing_permission', `The permission ${bit} is missing`)
}

/** The account's membership of a server. @throws Problem `not_found` if it is not a member */
export async function membership(sql: Sql, server_id: number, userId: number): Promise<Membership> {
  const [member] = await sql<Membership[]>`
    select server_id, user_id, is_owner, position, permissions from member_permissions
    where server_id = ${server_id} and user_id = ${userId}`
  return found(member)
}

/**
 * Locks the server's row, so that changes of its membership, for example a ban and a join, run one after another. `no
 * key update` does not block transactions that only reference the server, and so avoids deadlocks.
 * @throws Problem `not_found`
 */
export async function lockServer(sql: Transaction, id: number): Promise<Server> {
  const [server] = await sql<Server[]>`select ${columns(sql, Server)} from servers
    where id = ${id} and owner_id is not null for no key update`
  return found(server)
}

/**
 * Locks the server, and checks the caller's permission inside the lock, because the caller may have lost it meanwhile.
 * @returns the caller's membership
 * @throws Problem `not_found`, `missing_permission`
 */
export async function lockedMembership(sql: Transaction, server_id: number, userId: number, bit: Permission) {
  await lockServer(sql, server_id)
  const actor = await membership(sql, server_id, userId)
  demand(actor.permissions, bit)
  return actor
}

/**
 * Locks the account's membership, so that its end removes what the transaction adds.
 * @throws Problem `not_found` if it has ended
 */
export async function lockMembership(sql: Transaction, server_id: number, userId: number): Promise<void> {
  found((await sql`select 1 from members where server_id = ${server_id} and user_id = ${userId} for key share`)[0])
}

/** A channel of any type that an account sees. */
export type VisibleChannel = ChannelRow & { permissions: number }

/** A channel that the account sees, with the account's permissions there. @throws Problem `not_found` */
export async function visibleChannel(sql: Sql, channelId: number, userId: number): Promise<VisibleChannel> {
  const [channel] = await sql<VisibleChannel[]>`
    select ${channelColumns(sql)}, ca.permissions
    from channels c cross join lateral channel_access(c.id, ${userId}) ca where c.id = ${channelId}`
  demandSight(channel?.permissions)
  return found(channel)
}

/**
 * The server of a channel, for actions that need a server's permission.
 * @throws Problem `missing_permission` in a dm or group, where nobody has it
 */
export function serverOf({ server_id }: VisibleChannel, bit: Permission): number {
  if (server_id === null) demand(0, bit)
  return found(server_id)
}

/** @throws Problem `not_found` for a channel that the account does not see */
export function demandSight(permissions: number | undefined): void {
  if (permissions === undefined || !holds(permissions, 'view_channel')) throw new Problem('not_found')
}

/**
 * An id in a route's path. Elysia does not pass the types of a route's parameters to a macro, so check them here.
 * @throws Error when the route declares no such parameter
 */
function idIn(params: Record<string, unknown>, name: string): number {
  const id = params[name]
  if (typeof id !== 'number') throw new Error(`The route has no parameter ${name}`)
  return id
}

type Bit = Permission | 'none'

/**
 * The plugin of routes in a server. The options `member: bit` and `channel: bit` of a route look up the path's id
 * through the caller: 404 if the caller may not see it, 403 if the bit is missing. Handlers get `member` or `channel`.
 * `none` demands only membership or sight. A handler that waits for the server's lock must check again inside the lock,
 * because the caller's permissions may have changed meanwhile.
 */
export const guarded = (parts: Parts, sessions: Sessions) =>
  new Elysia().use(signedIn(parts, sessions)).macro({
    member: (bit: Bit) => ({
      resolve: async ({ params, me }) => {
        const member = await membership(parts.sql, idIn(params, 'server_id'), found(me, 'unauthorized').id)
        if (bit !== 'none') demand(member.permissions, bit)
        return { member }
      },
    }),
    channel: (bit: Bit) => ({
      resolve: async ({ params, me }) => {
        const channel = await visibleChannel(parts.sql, idIn(params, 'channel_id'), found(me, 'unauthorized').id)
        if (bit !== 'none') demand(channel.permissions, bit)
        return { channel }
      },
    }),
  })
