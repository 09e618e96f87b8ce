import { bitOf } from '../../src/core/permissions.ts'
import { bit, member, type Row, server, type World } from './authorisation-rows.ts'

/** A role that the actor may pick, and has already if it shall give it back. */
const roleOf =
  (isHeld: boolean) =>
  async ({ sql, server_id }: World, { id: userId }: { id: number }) => {
    await sql`delete from roles where server_id = ${server_id} and self_assignable`
    const [{ id: roleId }] = await sql<[{ id: number }]>`
      insert into roles (server_id, name, permissions, position, self_assignable)
      select ${server_id}, 'Birds', 0, max(position) + 1, true from roles where server_id = ${server_id} returning id`
    if (isHeld)
      await sql`insert into member_roles (server_id, user_id, role_id)
        select server_id, user_id, ${roleId} from members where server_id = ${server_id} and user_id = ${userId}`
    return { path: `/api/servers/${server_id}/members/@me/roles/${roleId}` }
  }
/** Everybody with the row's bit also has the other one that is needed. */
const ONBOARDING = async ({ sql, server_id }: World) => {
  await sql`update roles set permissions = permissions | ${bitOf('manage_roles')}
    where server_id = ${server_id} and holds(permissions, 'manage_server')`
  return { path: `/api/servers/${server_id}/onboarding`, body: { questions: [] } }
}
const NO_BOTS = { bot: 403, bot_elsewhere: 403 }

export const ARRIVAL: Record<string, Row> = {
  'GET /api/servers/:server_id/rules': member(200, server('/rules')),
  'PUT /api/servers/:server_id/rules': bit('manage_server', 200, server('/rules', { content: 'Be kind.' })),
  'PUT /api/servers/:server_id/members/@me/rules': member(
    200,
    server('/members/@me/rules', { version: null }),
    NO_BOTS,
  ),
  'GET /api/servers/:server_id/template': member(200, server('/template')),
  'GET /api/servers/:server_id/welcome': member(200, server('/welcome')),
  'PUT /api/servers/:server_id/welcome': bit('manage_server', 200, server('/welcome', { content: 'Hello' })),
  'GET /api/servers/:server_id/onboarding': member(200, server('/onboarding')),
  'PUT /api/servers/:server_id/onboarding': bit('manage_server', 200, ONBOARDING, { lower: 200 }),
  'PUT /api/servers/:server_id/members/@me/onboarding': member(
    200,
    server('/members/@me/onboarding', { option_ids: [] }),
    NO_BOTS,
  ),
  'PUT /api/servers/:server_id/members/@me/roles/:role_id': member(200, roleOf(false), NO_BOTS),
  'DELETE /api/servers/:server_id/members/@me/roles/:role_id': member(204, roleOf(true), NO_BOTS),
}
