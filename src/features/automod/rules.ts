import type { Sql } from '../../database/database.ts'
import type { Rule } from './model.ts'

/** Rules, without exemptions that are gone. @param where a condition on rules `a` */
export const selectRules = (sql: Sql, where: ReturnType<Sql>) => sql<Rule[]>`
  select a.id, a.server_id, a.name, a.enabled, a.trigger, a.actions, a.covers_bots, a.covers_webhooks, a.created_at,
    a.updated_at,
    array(select r.id from roles r where r.server_id = a.server_id and r.id = any(a.exempt_role_ids) order by r.id)
      as exempt_role_ids,
    array(select c.id from channels c
      where c.server_id = a.server_id and c.id = any(a.exempt_channel_ids) order by c.id) as exempt_channel_ids
  from automod_rules a where ${where} order by a.id`

/** Differs whenever an enabled rule of the server has changed. */
export async function ruleVersion(sql: Sql, serverId: number): Promise<string> {
  const [row] = await sql<{ version: string }[]>`
    select coalesce(string_agg(id || ' ' || xmin::text, ',' order by id), '') as version
    from automod_rules where server_id = ${serverId} and enabled`
  return row?.version ?? ''
}

/** True for a text channel of the server that not every member sees: an alert elsewhere would tell too many. */
export async function isForFew(sql: Sql, serverId: number, channelId: number): Promise<boolean> {
  const [channel] = await sql`select 1 from channels
    where id = ${channelId} and server_id = ${serverId} and type = 'text' and restricted`
  return channel !== undefined
}
