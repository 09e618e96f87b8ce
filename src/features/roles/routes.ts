import { Elysia } from 'elysia'
import { z } from 'zod'
import { columns } from '../../database/database.ts'
import { offsetList } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { topic } from '../../core/events.ts'
import { BODY_CODES, found, Problem, PLACE_CODES } from '../../core/errors.ts'
import { OffsetQuery } from '../../core/paging.ts'
import { difference } from '../../core/permissions.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { audit } from '../audit/record.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { beginRoleChange, demandBelow, demandHeld, demandOverwritesHeld, visibleRole } from './hierarchy.ts'
import { Role, RoleDraft, RolePatch } from './model.ts'
import { whileOpening } from './openings.ts'
import { endAccessChange, renumberRoles, rolesInOrder, SHIFTS } from './order.ts'
import { overwriteRoutes } from './overwrites.ts'

const tags = ['Roles']
const ServerPath = z.object({ server_id: DecimalId })
const RolePath = z.object({ role_id: DecimalId })

const serverRoleRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .post(
      '/api/servers/:server_id/roles',
      async ({ params: { server_id }, me, caller, body: { confirm_opens, ...draft }, status }) => {
        await parts.limits.take(caller, SHIFTS, `user:${me.id}`)
        return parts.write(async (sql, emit) => {
          const actor = await beginRoleChange(sql, server_id, me.id)
          // A new role gets position 1, so the caller must rank above 0.
          demandBelow(actor, 0)
          demandHeld(actor, draft.permissions)
          const order = (await rolesInOrder(sql, server_id)).map((role) => role.id)
          const [role] = await whileOpening(
            sql,
            server_id,
            confirm_opens,
            async () => sql<Role[]>`
            insert into roles ${sql({ ...draft, server_id, position: 1 })} returning ${columns(sql, Role)}`,
          )
          const { id } = found(role, 'internal')
          await renumberRoles(sql, emit, [id, ...order], id)
          emit(topic.server(server_id), 'role.created', found(role))
          await audit(sql, { server_id, actor_id: me.id, action: 'role.created' }, ['role', id], null, found(role))
          return status(201, found(role))
        })
      },
      {
        params: ServerPath,
        body: RoleDraft,
        member: 'none',
        detail: { summary: 'Create a role at position 1, with permissions that the caller has', tags },
        response: answers(
          { 201: Role },
          'too_many_roles',
          'forbidden',
          'opens_channels',
          'role_too_strong',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .get(
      '/api/servers/:server_id/roles',
      async ({ params, query, request }) =>
        offsetList<Role>(
          request,
          query,
          (limit, offset) => parts.sql`select ${columns(parts.sql, Role)} from roles
            where server_id = ${params.server_id} order by position limit ${limit} offset ${offset}`,
        ),
      {
        params: ServerPath,
        query: OffsetQuery,
        member: 'none',
        detail: { summary: 'List roles by position, everyone first', tags },
        response: answers({ 200: z.array(Role) }, ...PLACE_CODES),
      },
    )
    .get('/api/roles/:role_id', async ({ params, me }) => visibleRole(parts.sql, params.role_id, me.id), {
      params: RolePath,
      detail: { summary: 'Get a role', tags },
      response: answers({ 200: Role }, ...PLACE_CODES),
    })
    .put(
      '/api/roles/:role_id',
      async ({ params: { role_id }, me, caller, body: { position, confirm_opens = [], ...changes } }) => {
        if (position !== undefined) await parts.limits.take(caller, SHIFTS, `user:${me.id}`)
        return parts.write(async (sql, emit, notify) => {
          const { server_id } = await visibleRole(sql, role_id, me.id)
          const actor = await beginRoleChange(sql, server_id, me.id)
          const before = await visibleRole(sql, role_id, me.id)
          demandBelow(actor, before.position)
          if (before.is_everyone && (position !== undefined || changes.name !== undefined))
            throw new Problem('forbidden', 'The everyone role cannot be moved or renamed')
          // Everybody can pick it from now on, so the caller gives it to everybody.
          if (changes.self_assignable && !before.self_assignable) {
            demandHeld(actor, before.permissions)
            await demandOverwritesHeld(sql, actor, role_id)
          }
          if (changes.permissions !== undefined) demandHeld(actor, difference(before.permissions, changes.permissions))
          if (position !== undefined) {
            const others = (await rolesInOrder(sql, server_id)).map((role) => role.id).filter((id) => id !== role_id)
            const place = Math.max(1, Math.min(position, others.length + 1))
            demandBelow(actor, place)
            await renumberRoles(
              sql,
              emit,
              [...others.slice(0, place - 1), role_id, ...others.slice(place - 1)],
              role_id,
            )
          }
          const [role] = await whileOpening(
            sql,
            server_id,
            confirm_opens,
            async () => sql<Role[]>`update roles set ${sql({ ...changes, updated_at: new Date() })}
              where id = ${role_id} returning ${columns(sql, Role)}`,
          )
          emit(topic.server(server_id), 'role.updated', found(role))
          await endAccessChange(sql, notify, server_id)
          await audit(
            sql,
            { server_id, actor_id: me.id, action: 'role.updated' },
            ['role', role_id],
            before,
            found(role),
          )
          return found(role)
        })
      },
      {
        params: RolePath,
        body: RolePatch,
        detail: {
          summary: 'Update a role below the caller’s; the caller must have changed permissions; positions are clamped',
          tags,
        },
        response: answers(
          { 200: Role },
          'forbidden',
          'opens_channels',
          'role_too_strong',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .delete(
      '/api/roles/:role_id',
      async ({ params: { role_id }, me, caller, status }) => {
        await parts.limits.take(caller, SHIFTS, `user:${me.id}`)
        return parts.write(async (sql, emit, notify) => {
          const { server_id } = await visibleRole(sql, role_id, me.id)
          const actor = await beginRoleChange(sql, server_id, me.id)
          const role = await visibleRole(sql, role_id, me.id)
          if (role.is_everyone) throw new Problem('forbidden', 'The everyone role cannot be deleted')
          if (role.bot_id !== null) throw new Problem('forbidden', 'The role of a bot is deleted with the bot')
          demandBelow(actor, role.position)
          await demandOverwritesHeld(sql, actor, role_id)
          await sql`delete from roles where id = ${role_id}`
          emit(topic.server(server_id), 'role.deleted', { id: role_id, server_id, created_at: role.created_at })
          await renumberRoles(
            sql,
            emit,
            (await rolesInOrder(sql, server_id)).map(({ id }) => id),
          )
          await endAccessChange(sql, notify, server_id)
          await audit(sql, { server_id, actor_id: me.id, action: 'role.deleted' }, ['role', role_id], role, null)
          return status(204, undefined)
        })
      },
      {
        params: RolePath,
        detail: { summary: 'Delete a role below the caller’s', tags },
        response: answers({ 204: Nothing }, 'forbidden', ...PLACE_CODES),
      },
    )

/** Roles, and overwrites of channels. */
export const roleRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia().use(serverRoleRoutes(parts, sessions)).use(overwriteRoutes(parts, sessions))
