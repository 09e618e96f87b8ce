import { z } from 'zod'
import { columns, type Transaction } from '../../database/database.ts'
import { offsetList } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { BODY_CODES, found, Problem, PLACE_CODES } from '../../core/errors.ts'
import { OffsetQuery } from '../../core/paging.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import { audit } from '../audit/record.ts'
import { announceMember, outranks, selectMembers } from './membership.ts'
import { Member } from './model.ts'
import type { StatusOf } from '../status/model.ts'
import { demand, guarded, membership } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { demandBelow, demandHeld, demandOverwritesHeld, beginAccessChange, visibleRole } from '../roles/hierarchy.ts'
import { Role } from '../roles/model.ts'

const tags = ['Roles']
const MemberPath = z.object({ server_id: DecimalId, user_id: DecimalId })
const GrantPath = MemberPath.extend({ role_id: DecimalId })
type Grant = z.output<typeof GrantPath>

/**
 * Demands that the caller may give or remove the role: the role and the member rank below the caller, and the caller
 * has its bits.
 * @returns the role
 * @throws Problem `not_found`, `missing_permission`, `forbidden`
 */
async function demandGrant(sql: Transaction, { server_id, user_id, role_id }: Grant, meId: number): Promise<Role> {
  const actor = await beginAccessChange(sql, server_id, meId)
  const target = await membership(sql, server_id, user_id)
  const role = await visibleRole(sql, role_id, meId)
  if (role.server_id !== server_id) throw new Problem('not_found')
  demand(actor.permissions, 'manage_roles')
  if (role.is_everyone) throw new Problem('forbidden', 'The everyone role cannot be given or removed')
  if (role.bot_id !== null) throw new Problem('forbidden', 'The role of a bot cannot be given or removed')
  demandBelow(actor, role.position)
  if (!actor.is_owner && !outranks(actor, target)) throw new Problem('forbidden', 'This member is not below you')
  demandHeld(actor, role.permissions)
  await demandOverwritesHeld(sql, actor, role_id)
  return role
}

/** @throws Problem `forbidden` for a guest, who receives no roles */
async function demandRoleTaker(sql: Transaction, { server_id, user_id }: Grant): Promise<void> {
  const [guest] = await sql`
    select 1 from members where server_id = ${server_id} and user_id = ${user_id} and is_guest`
  if (guest) throw new Problem('forbidden', 'Guests cannot have roles')
}

/** A change of the roles of a member by a moderator. */
interface RoleChange extends Grant {
  actor_id: number
  reason?: string | null
}

const announce = async (
  sql: Transaction,
  emit: Emit,
  notify: Notify,
  grant: Grant,
  statusOf: StatusOf,
): Promise<Member> => {
  const { user_id } = grant
  const member = await announceMember(sql, emit, grant, statusOf(user_id))
  notify({ kind: 'access_changed', user_ids: [user_id] })
  return member
}

/** Gives a role to a member, who may have it already. @throws Problem `not_found`, `missing_permission`, `forbidden` */
export const giveRole = (parts: Pick<Parts, 'write'>, statusOf: StatusOf, change: RoleChange): Promise<Member> =>
  parts.write(async (sql, emit, notify) => {
    const { server_id, user_id, role_id, actor_id, reason } = change
    const { name, self_assignable } = await demandGrant(sql, change, actor_id)
    await demandRoleTaker(sql, change)
    const [row] = await sql`insert into member_roles ${sql({ server_id, user_id, role_id })}
      on conflict do nothing returning 1`
    if (!row) {
      const [member] = await selectMembers(sql, sql`m.server_id = ${server_id} and m.user_id = ${user_id}`)
      return { ...found(member), status: statusOf(user_id) }
    }
    // A role that a moderator gives verifies its member, unless members can pick it.
    if (!self_assignable)
      await sql`update members set was_unverified = false, held_back = nullif(held_back, 'unverified'),
          held_until = case when held_back <> 'unverified' then held_until end
        where server_id = ${server_id} and user_id = ${user_id} and (held_back = 'unverified' or was_unverified)`
    const entry = { server_id, actor_id, action: 'member.role_added' as const }
    await audit(sql, entry, ['member', user_id], null, { role_id, name, ...(reason ? { reason } : {}) })
    return announce(sql, emit, notify, change, statusOf)
  })

/**
 * Removes a role from a member.
 * @returns false if the member did not have it
 * @throws Problem `not_found`, `missing_permission`, `forbidden`
 */
export const takeRole = (parts: Pick<Parts, 'write'>, statusOf: StatusOf, change: RoleChange): Promise<boolean> =>
  parts.write(async (sql, emit, notify) => {
    const { server_id, user_id, role_id, actor_id, reason } = change
    const { name } = await demandGrant(sql, change, actor_id)
    const [row] = await sql`delete from member_roles
      where server_id = ${server_id} and user_id = ${user_id} and role_id = ${role_id} returning 1`
    if (!row) return false
    const entry = { server_id, actor_id, action: 'member.role_removed' as const }
    await audit(sql, entry, ['member', user_id], { role_id, name }, reason ? { reason } : null)
    await announce(sql, emit, notify, change, statusOf)
    return true
  })

export const memberRoleRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  guarded(parts, sessions)
    .get(
      '/api/servers/:server_id/members/:user_id/roles',
      async ({ params: { server_id, user_id }, query, request }) => {
        await membership(parts.sql, server_id, user_id)
        return offsetList<Role>(
          request,
          query,
          (limit, offset) => parts.sql`
            select ${columns(parts.sql, Role)} from roles where is_everyone and server_id = ${server_id}
            or id in (select role_id from member_roles where server_id = ${server_id} and user_id = ${user_id})
            order by position limit ${limit} offset ${offset}`,
        )
      },
      {
        params: MemberPath,
        query: OffsetQuery,
        member: 'none',
        detail: { summary: 'List roles of a member, everyone first', tags },
        response: answers({ 200: z.array(Role) }, ...PLACE_CODES),
      },
    )
    .post(
      '/api/servers/:server_id/members/:user_id/roles/:role_id',
      async ({ params, me }) => giveRole(parts, statusOf, { ...params, actor_id: me.id }),
      {
        params: GrantPath,
        body: NoBody,
        member: 'none',
        detail: { summary: 'Give a role to a member; both must rank below the caller', tags },
        response: answers({ 200: Member }, 'forbidden', ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/api/servers/:server_id/members/:user_id/roles/:role_id',
      async ({ params, me, status }) => {
        if (!(await takeRole(parts, statusOf, { ...params, actor_id: me.id }))) throw new Problem('not_found')
        return status(204, undefined)
      },
      {
        params: GrantPath,
        member: 'none',
        detail: { summary: 'Remove a role from a member; both must rank below the caller', tags },
        response: answers({ 204: Nothing }, 'forbidden', ...PLACE_CODES),
      },
    )
