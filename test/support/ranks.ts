import { type Permission, permissions } from '../../src/core/permissions.ts'
import type { Person } from './harness.ts'

/** Gives a member a role of its own with these bits, at this position: past the API, which has tests of its own. */
export async function promote(
  who: Person,
  serverId: number,
  { position = 1, bits = [] }: { position?: number; bits?: Permission[] },
): Promise<number> {
  const { sql, bus } = who.parley.parts
  const [role] = await sql<{ id: number }[]>`
    insert into roles (server_id, name, permissions, position)
    values (${serverId}, ${`rank ${position}`}, ${permissions(...bits)}, ${position}) returning id`
  const id = (role as { id: number }).id
  await sql`insert into member_roles (server_id, user_id, role_id) values (${serverId}, ${who.id}, ${id})`
  await bus.notify({ kind: 'access_changed', user_ids: [who.id] })
  return id
}

/** Takes a bit from everyone in a server, past the API. */
export async function forbidEveryone(who: Person, serverId: number, bit: Permission): Promise<void> {
  await who.parley.parts.sql`
    update roles set permissions = permissions & ~${permissions(bit)}::bigint
    where server_id = ${serverId} and is_everyone`
}
