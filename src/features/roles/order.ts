import { columns, type Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { topic } from '../../core/events.ts'
import { Role } from './model.ts'

/** Stricter than the general limit, because moving one channel causes up to 550 events. */
export const SHIFTS: BucketPolicy = { name: 'shifts', burst: 30, refillPerS: 0.2 }

/** Ends the change: updates which channels are restricted, and notifies the gateway to update subscriptions. */
export async function endAccessChange(sql: Transaction, notify: Notify, server_id: number): Promise<void> {
  const channels = await sql<{ id: number; restricted: boolean }[]>`
    select id, restricted from refresh_restricted(${server_id})`
  const ids = (isRestricted: boolean) => channels.filter((row) => row.restricted === isRestricted).map((row) => row.id)
  const [newest] = await sql<{ since: number }[]>`select max(id) as since from events`
  const since = newest?.since ?? 0
  notify({ kind: 'server_access_changed', server_id, hidden: ids(true), revealed: ids(false), since })
}

/** A server's roles above everyone, lowest first; the caller has locked the server. */
export const rolesInOrder = (sql: Transaction, server_id: number) => sql<Role[]>`
  select ${columns(sql, Role)} from roles where server_id = ${server_id} and not is_everyone order by position`

/**
 * Numbers the roles above everyone from 1 in this order, and publishes the moved ones.
 * @param exceptId a role that the caller publishes
 */
export async function renumberRoles(sql: Transaction, emit: Emit, order: number[], exceptId?: number): Promise<void> {
  const movedRoles = await sql<Role[]>`
    update roles r set position = place, updated_at = now()
    from unnest(${order}::bigint[]) with ordinality as wanted (id, place)
    where r.id = wanted.id and r.position <> place returning ${columns(sql, Role, 'r')}`
  for (const role of movedRoles) if (role.id !== exceptId) emit(topic.server(role.server_id), 'role.updated', role)
}

/**
 * Deletes the role that a bot got when it joined, before the bot leaves.
 * @returns true if it had one; the caller must then end the change of access
 */
export async function removeBotRole(sql: Transaction, emit: Emit, server_id: number, botId: number): Promise<boolean> {
  const [role] = await sql<{ id: number; created_at: string }[]>`
    select id, created_at from roles where server_id = ${server_id} and bot_id = ${botId}`
  if (!role) return false
  await sql`select change_access(${server_id})`
  await sql`delete from roles where id = ${role.id}`
  emit(topic.server(server_id), 'role.deleted', { ...role, server_id })
  const order = (await rolesInOrder(sql, server_id)).map(({ id }) => id)
  await renumberRoles(sql, emit, order)
  return true
}
