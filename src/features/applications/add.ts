import type { Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { columns } from '../../database/database.ts'
import { audit } from '../audit/record.ts'
import { isBanned } from '../members/ban.ts'
import { announceMember, join } from '../members/membership.ts'
import type { StatusOf } from '../status/model.ts'
import { beginRoleChange, demandBelow, demandHeld } from '../roles/hierarchy.ts'
import { Role } from '../roles/model.ts'
import { endAccessChange, renumberRoles, rolesInOrder } from '../roles/order.ts'
import { demand } from '../access/guard.ts'
import { publicKeyOf } from '../interactions/signing.ts'
import type { AddedApplication, Application, OwnApplication } from './model.ts'

/** Applications `a`, with their bots. @param where a condition on them */
export const selectApplications = (sql: Sql, where: ReturnType<Sql>) => sql<Application[]>`
  select a.id, public_user(bot) as bot, (select public_user(u) from users u where u.id = a.owner_id) as owner,
    a.description, a.created_at
  from applications a join users bot using (id) where ${where}`

/** Applications `a` as their owners see them. @param where a condition on them */
export async function selectOwn({ sql, secrets }: Pick<Parts, 'secrets'> & { sql: Sql }, where: ReturnType<Sql>) {
  const rows = await sql<Omit<OwnApplication, 'public_key'>[]>`
    select a.id, public_user(bot) as bot, (select public_user(u) from users u where u.id = a.owner_id) as owner,
      a.description, a.created_at, a.interactions_url
    from applications a join users bot using (id) where ${where}`
  return rows.map((row): OwnApplication => ({ ...row, public_key: publicKeyOf(secrets, row.id) }))
}

/** The bots of a server. @param where a further condition on members `m` */
export const selectServerBots = (sql: Sql, server_id: number, where: ReturnType<Sql>) => sql<AddedApplication[]>`
  select json_build_object('id', a.id, 'bot', public_user(bot), 'owner', (
      select public_user(u) from users u where u.id = a.owner_id), 'description', a.description,
      'created_at', iso(a.created_at)) as application,
    (select r.id from roles r where r.server_id = m.server_id and r.bot_id = m.user_id) as role_id,
    mp.permissions, m.joined_at
  from members m join applications a on a.id = m.user_id join users bot on bot.id = a.id
  join member_permissions mp on mp.server_id = m.server_id and mp.user_id = m.user_id
  where m.server_id = ${server_id} and ${where}`

interface NewBot {
  server_id: number
  bot_id: number
  permissions: number
}

/**
 * Makes a bot a member of a server, with its own role at position 1.
 * @returns the bot in the server, and whether this call added it; an existing member is left unchanged
 * @throws Problem `not_found`, `missing_permission`, `forbidden`, `banned`, `too_many_roles`, `too_many_servers`
 */
export function addToServer({ write }: Parts, statusOf: StatusOf, meId: number, newBot: NewBot) {
  const { server_id, bot_id, permissions } = newBot
  return write(async (sql, emit, notify) => {
    const actor = await beginRoleChange(sql, server_id, meId)
    demand(actor.permissions, 'manage_server')
    const [application] = await selectApplications(sql, sql`a.id = ${bot_id} and a.owner_id is not null`)
    const { bot } = found(application)
    const selectBot = async () => found((await selectServerBots(sql, server_id, sql`m.user_id = ${bot_id}`))[0])
    const [member] = await sql`select 1 from members where server_id = ${server_id} and user_id = ${bot_id}`
    if (member) return { bot: await selectBot(), isNew: false }
    if (await isBanned(sql, server_id, bot_id)) throw new Problem('banned')
    demandBelow(actor, 0)
    demandHeld(actor, permissions)
    const order = (await rolesInOrder(sql, server_id)).map(({ id }) => id)
    const draft = { server_id, bot_id, name: bot.display_name, permissions, position: 1 }
    const [role] = await sql<Role[]>`insert into roles ${sql(draft)} returning ${columns(sql, Role)}`
    const { id: role_id } = found(role, 'internal')
    await renumberRoles(sql, emit, [role_id, ...order], role_id)
    emit(topic.server(server_id), 'role.created', found(role))
    await join(sql, emit, notify, server_id, { user_id: bot_id, status: statusOf(bot_id) })
    await sql`insert into member_roles ${sql({ server_id, user_id: bot_id, role_id })}`
    await announceMember(sql, emit, { server_id, user_id: bot_id }, statusOf(bot_id))
    await endAccessChange(sql, notify, server_id)
    await audit(sql, { server_id, actor_id: meId, action: 'bot.added' }, ['member', bot_id], null, {
      name: bot.display_name,
      permissions,
    })
    return { bot: await selectBot(), isNew: true }
  })
}
