import { Problem } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'

/**
 * The channels that self-assignable roles let members see, as `role:channel`: by an overwrite, or because everyone
 * lacks view_channel and the role has it.
 */
async function selectOpenings(sql: Sql, serverId: number): Promise<Set<string>> {
  const rows = await sql<{ role_id: number; channel_id: number }[]>`
    select r.id as role_id, c.id as channel_id
    from roles r
    join roles e on e.server_id = r.server_id and e.is_everyone
    join channels c on c.server_id = r.server_id and c.type <> 'thread'
    left join effective_overwrites own on own.channel_id = c.id and own.role_id = r.id
    left join effective_overwrites general on general.channel_id = c.id and general.role_id = e.id
    cross join lateral (
      select coalesce(own.allow, 0) as allow, coalesce(own.deny, 0) as deny, coalesce(general.allow, 0) as all_allow,
        coalesce(general.deny, 0) as all_deny) o
    where r.server_id = ${serverId} and r.self_assignable and (can_view(o.allow) or (
      can_view(permissions_of(false, e.permissions | r.permissions, o.all_allow, o.all_deny, 0, o.deny, false, null))
      and not can_view(permissions_of(false, e.permissions, o.all_allow, o.all_deny, 0, 0, false, null))))`
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
