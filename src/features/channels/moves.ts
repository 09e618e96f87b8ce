import type { Transaction } from '../../database/database.ts'
import type { Notify } from '../../events/write.ts'
import { found, Problem } from '../../core/errors.ts'
import { field } from '../../http/answers.ts'
import { demandBelow, demandHeld } from '../roles/hierarchy.ts'
import { whileOpening } from '../roles/openings.ts'
import { endAccessChange } from '../roles/order.ts'
import { demand, demandSight, type Membership } from '../access/guard.ts'
import type { Channel } from '../access/model.ts'
import { outranks } from '../members/membership.ts'
import { applyMoves, type Move, type Place, savePlaces } from './positions.ts'

/** A channel with the caller's membership there. */
type ChannelOfCaller = Pick<Channel, 'id' | 'type' | 'parent_id'> & { caller: Membership }

/** The caller, and the server of the channels. */
interface Actor {
  server_id: number
  user_id: number
}

/**
 * The channels and categories that the moves name, by id.
 * @throws Problem `not_found` if the caller does not see one of them
 */
async function channelsIn(sql: Transaction, actor: Actor, moves: Move[]): Promise<Map<number, ChannelOfCaller>> {
  const ids = new Set(moves.flatMap(({ id, parent_id }) => (parent_id === null ? [id] : [id, parent_id])))
  const rows = await sql<(Membership & Omit<ChannelOfCaller, 'caller'>)[]>`
    select c.id, c.type, c.parent_id, cp.server_id, cp.user_id, cp.is_owner, cp.position, cp.permissions
    from channels c join channel_permissions cp on cp.channel_id = c.id and cp.user_id = ${actor.user_id}
    where c.server_id = ${actor.server_id} and c.id = any(${[...ids]})`
  const channels = new Map(rows.map(({ id, type, parent_id, ...caller }) => [id, { id, type, parent_id, caller }]))
  for (const id of ids) demandSight(channels.get(id)?.caller.permissions)
  return channels
}

/**
 * Demands that the caller may change overwrites to the extent that the moves do: moving a channel to another category
 * changes which bits it inherits.
 * @throws Problem `missing_permission`, `forbidden`
 */
async function demandInheritance(
  sql: Transaction,
  channels: Map<number, ChannelOfCaller>,
  moves: Move[],
): Promise<void> {
  const ids = moves.map(({ id }) => id)
  const [from, to] = [ids.map((id) => channels.get(id)?.parent_id ?? null), moves.map(({ parent_id }) => parent_id)]
  const changes = await sql<{ id: number; bits: number; highest: number }[]>`
    select move.id, bit_or(changed.bits) as bits, max(role.position) as highest
    from unnest(${ids}::bigint[], ${from}::bigint[], ${to}::bigint[]) as move (id, from_id, to_id)
    cross join lateral (
      select role_id,
        (coalesce(old.allow, 0) # coalesce(new.allow, 0))
          | (coalesce(old.deny, 0) # coalesce(new.deny, 0)) as bits
      from (select role_id, allow, deny from overwrites where channel_id = move.from_id) old
      full join (select role_id, allow, deny from overwrites where channel_id = move.to_id) new using (role_id)
    ) inherited
    left join overwrites own on own.channel_id = move.id and own.role_id = inherited.role_id
    cross join lateral (select inherited.bits & ~coalesce(own.allow | own.deny, 0) as bits) changed
    join roles role on role.id = inherited.role_id
    where changed.bits <> 0 group by move.id`
  for (const { id, bits, highest } of changes) {
    const { caller } = found(channels.get(id), 'internal')
    demand(caller.permissions, 'manage_roles')
    demandBelow(caller, highest)
    demandHeld(caller, bits)
  }
  await demandMembersBelow(sql, channels, [ids, from, to])
}

/**
 * The same for overwrites for members: each member must rank below the caller, who therefore cannot leave a denial of
 * their own behind.
 * @throws Problem `missing_permission`, `forbidden`
 */
async function demandMembersBelow(
  sql: Transaction,
  channels: Map<number, ChannelOfCaller>,
  [ids, from, to]: [number[], (number | null)[], (number | null)[]],
): Promise<void> {
  const changes = await sql<{ id: number; bits: number; user_id: number; position: number; is_owner: boolean }[]>`
    select move.id, changed.bits, inherited.user_id, coalesce(mp.position, -1) as position,
      coalesce(mp.is_owner, false) as is_owner
    from unnest(${ids}::bigint[], ${from}::bigint[], ${to}::bigint[]) as move (id, from_id, to_id)
    cross join lateral (
      select user_id, coalesce(old.server_id, new.server_id) as server_id,
        (coalesce(old.allow, 0) # coalesce(new.allow, 0)) | (coalesce(old.deny, 0) # coalesce(new.deny, 0)) as bits
      from (select * from member_overwrites where channel_id = move.from_id) old
      full join (select * from member_overwrites where channel_id = move.to_id) new using (user_id)
    ) inherited
    left join member_overwrites own on own.channel_id = move.id and own.user_id = inherited.user_id
    cross join lateral (select inherited.bits & ~coalesce(own.allow | own.deny, 0) as bits) changed
    left join member_permissions mp on mp.server_id = inherited.server_id and mp.user_id = inherited.user_id
    where changed.bits <> 0`
  for (const { id, bits, ...target } of changes) {
    const { caller } = found(channels.get(id), 'internal')
    demand(caller.permissions, 'manage_roles')
    demandHeld(caller, bits)
    if (!caller.is_owner && !outranks(caller, target))
      throw new Problem('forbidden', 'A member with an overwrite is not below you')
  }
}

/**
 * Moves channels of a locked list, all or none. A channel that enters another category changes its members'
 * permissions, so pending sends finish first and subscriptions are updated.
 * @param places as `lockChannels` returns them
 * @param confirmedIds channels that may become visible to self-assignable roles
 * @returns the ids of all channels whose position changed
 * @throws Problem `not_found`, `validation_failed`, `missing_permission`, `forbidden`, `opens_channels`
 */
export async function moveChannels(
  sql: Transaction,
  notify: Notify,
  actor: Actor,
  places: Place[],
  moves: Move[],
  confirmedIds: number[],
): Promise<number[]> {
  const channels = await channelsIn(sql, actor, moves)
  for (const { id, parent_id } of moves) {
    if (parent_id === null) continue
    if (channels.get(parent_id)?.type !== 'category') throw field('parent_id', 'Must be a category')
    if (channels.get(id)?.type === 'category') throw field('parent_id', 'A category stands in no other')
  }
  const categoryMoves = moves.filter(({ id, parent_id }) => channels.get(id)?.parent_id !== parent_id)
  const newCategories = categoryMoves.flatMap(({ parent_id }) => parent_id ?? [])
  for (const id of [...moves.map((move) => move.id), ...newCategories])
    demand(found(channels.get(id)).caller.permissions, 'manage_channels')
  if (categoryMoves.length > 0) {
    await demandInheritance(sql, channels, categoryMoves)
    await sql`select change_access(${actor.server_id})`
  }
  const save = () => savePlaces(sql, places, applyMoves(places, moves))
  if (categoryMoves.length === 0) return save()
  const changedIds = await whileOpening(sql, actor.server_id, confirmedIds, save)
  await endAccessChange(sql, notify, actor.server_id)
  return changedIds
}
