import { Problem } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'

/**
 * The channels that self-assignable roles let members see, as `role:channel`: by an overwrite, or because everyone
 * lacks view_channel and the role has it.
 */
async function selectOpenings(sql: Sql, serverId: number): Promise<Set<string>> {
  const rows = await sql<{ role_id: number; channel_id: number }[]>`
    select o.role_id, o.channel_id from roles r
    join effective_overwrites o on o.role_id = r.id and can_view(o.allow)
    join channels c on c.id = o.channel_id and c.type <> 'thread'
    where r.server_id = ${serverId} and r.self_assignable
    union all
    select r.id, c.id from roles r
    join roles e on e.server_id = r.server_id and e.is_everyone and not can_view(e.permissions)
      and not holds(e.permissions, 'administrator')
    join channels c on c.server_id = r.server_id and c.type <> 'thread'
    left join effective_overwrites own on own.channel_id = c.id and own.role_id = r.id
    left join effective_overwrites general on general.channel_id = c.id and general.role_id = e.id
    where r.server_id = ${serverId} and r.self_assignable and can_view(r.permissions)
      and not can_view(coalesce(own.allow | own.deny, 0)) and not can_view(coalesce(general.allow | general.deny, 0))`
  return new Set(rows.map(({ role_id, channel_id }) => `${role_id}:${channel_id}`))
}

/**
 * Makes a change of roles, overwrites or categories. Everybody can pick a self-assignable role, so each channel that
 * the change opens to one must have been confirmed. The caller has locked the server.
 * @param confirmedIds ids of channels that the change may open
 * @throws Problem `opens_channels`, which names the other ones; what `work` throws
 */
export async function whileOpening<T>(
  sql: Transaction,
  serverId: number,
  confirmedIds: number[],
  work: () => Promise<T>,
): Promise<T> {
  const before = await selectOpenings(sql, serverId)
  const result = await work()
  const after = await selectOpenings(sql, serverId)
  const openedIds = [...after.difference(before)].map((pair) => Number(pair.split(':')[1]))
  const unconfirmedIds = new Set(openedIds).difference(new Set(confirmedIds))
  if (unconfirmedIds.size === 0) return result
  const errors = [...unconfirmedIds].map((id) => ({ path: 'body.confirm_opens', message: `Must contain ${id}` }))
  throw new Problem('opens_channels', undefined, { errors })
}
