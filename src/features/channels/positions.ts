import type { Sql, Transaction } from '../../database/database.ts'
import { found } from '../../core/errors.ts'
import type { Channel } from '../access/model.ts'
import { channelColumns, type ChannelRow } from '../access/channel-rows.ts'

/** A channel's position in the list of its server. */
export type Place = Pick<Channel, 'id' | 'type' | 'parent_id' | 'position'>
/** The destination of a channel; without a position, the end. */
export type Move = Pick<Place, 'id' | 'parent_id'> & { position: number | undefined }

/**
 * Channels with the same key are numbered together: the channels of one category, those without a category, and the
 * categories.
 */
export const groupOf = ({ type, parent_id }: Pick<Place, 'type' | 'parent_id'>): string =>
  type === 'category' ? 'categories' : `in ${parent_id}`

/**
 * Locks a server's list of channels. Positions have no gaps, so concurrent changes must wait for each other.
 * @returns all channels' positions, ordered
 * @throws Problem `not_found`
 */
export async function lockChannels(sql: Transaction, serverId: number): Promise<Place[]> {
  const [server] = await sql`select 1 from servers where id = ${serverId} for no key update`
  found(server)
  return sql<Place[]>`
    select id, type, parent_id, position from channels where server_id = ${serverId} and type <> 'thread'
    order by position, id`
}

/**
 * The list after simultaneous moves. Each moved channel gets its position among its new neighbours; positions out of
 * range are clamped.
 * @param places by position
 * @returns all places, numbered from 0 without gaps in each group
 */
export function applyMoves(places: Place[], moves: Move[]): Place[] {
  const goals = new Map(moves.map((move) => [move.id, move]))
  const groups = new Map<string, Place[]>()
  const groupFor = (place: Place) => {
    const key = groupOf(place)
    const group = groups.get(key) ?? []
    groups.set(key, group)
    return group
  }
  for (const place of places) if (!goals.has(place.id)) groupFor(place).push(place)
  const movedPlaces = places.flatMap((place) => {
    const goal = goals.get(place.id)
    return goal ? [{ ...place, parent_id: goal.parent_id, position: goal.position ?? Infinity }] : []
  })
  for (const place of movedPlaces.toSorted((one, other) => one.position - other.position))
    groupFor(place).splice(Math.max(0, place.position), 0, place)
  return [...groups.values()].flatMap((group) => group.map((place, position) => ({ ...place, position })))
}

/**
 * Writes the changed places of a locked list.
 * @param before, after as `lockChannels` and `applyMoves` return them
 * @returns the ids of the channels that changed
 */
export async function savePlaces(sql: Transaction, before: Place[], after: Place[]): Promise<number[]> {
  const oldPlaces = new Map(before.map((place) => [place.id, place]))
  const changedPlaces = after.filter((place) => {
    const oldPlace = oldPlaces.get(place.id)
    return oldPlace?.parent_id !== place.parent_id || oldPlace.position !== place.position
  })
  await sql`
    update channels c set parent_id = place.parent_id, position = place.position, updated_at = now()
    from unnest(
      ${changedPlaces.map(({ id }) => id)}::bigint[], ${changedPlaces.map(({ parent_id }) => parent_id)}::bigint[],
      ${changedPlaces.map(({ position }) => position)}::int[]) as place (id, parent_id, position)
    where c.id = place.id`
  return changedPlaces.map(({ id }) => id)
}

/** Channels with the columns that decide the topics of their events. */
export const channelRows = (sql: Sql, ids: number[]) => sql<ChannelRow[]>`
  select ${channelColumns(sql)} from channels c where c.id = any(${ids}) order by c.position, c.id`
