import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { columns } from '../../database/database.ts'
import { demand, membership } from '../../features/access/guard.ts'
import { Role } from '../../features/roles/model.ts'
import { Unknown } from '../refusals.ts'
import { roleOf } from '../shapes/guilds.ts'
import { parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'

// The order of a server's roles. Parley moves a role with each request, and allows few of them.

const RoleMoves = z.array(z.object({ id: z.string(), position: z.int().nullish() })).max(250)

/** Roles above everyone, lowest first. */
type Order = number[]

/** The order in which each named role has its position, and the others keep theirs among each other. */
function orderWith(order: Order, positions: Map<number, number>): Order {
  const target = order.filter((id) => !positions.has(id))
  for (const [id, position] of [...positions].toSorted(([, a], [, b]) => a - b))
    target.splice(Math.max(position, 1) - 1, 0, id)
  return target
}

/** The largest set of roles that can stay, because they already stand in the new order. */
function settledIn(order: Order, target: Order): Set<number> {
  const placeOf = new Map(target.map((id, at) => [id, at]))
  const places = order.map((id) => placeOf.get(id) ?? 0)
  const chains: number[][] = []
  for (const place of places) {
    let longest: number[] = []
    for (const chain of chains) if ((chain.at(-1) ?? 0) < place && chain.length > longest.length) longest = chain
    chains.push([...longest, place])
  }
  const best = chains.reduce((one, other) => (other.length > one.length ? other : one), [])
  return new Set(best.flatMap((place) => target[place] ?? []))
}

interface Move {
  id: number
  /** Positions before and after it; everyone has 0. */
  from: number
  to: number
}

/** The fewest moves of one role each that lead to the new order. */
function movesTo(order: Order, target: Order): Move[] {
  const settled = settledIn(order, target)
  let now = order
  return target.flatMap((id, at) => {
    if (settled.has(id)) return []
    const from = now.indexOf(id) + 1
    const others = now.filter((each) => each !== id)
    // All roles that belong below it are settled by now, and the one right below shows its place.
    const place = at === 0 ? 0 : others.indexOf(target[at - 1] ?? 0) + 1
    now = others.toSpliced(place, 0, id)
    settled.add(id)
    return [{ id, from, to: place + 1 }]
  })
}

async function moveRoles(call: Call): Promise<Reply> {
  const { sql } = call.tools.parts
  const serverId = await call.id('server', 'guild')
  const me = await membership(sql, serverId, call.me.id)
  demand(me.permissions, 'manage_roles')
  const rolesNow = () =>
    sql<Role[]>`select ${columns(sql, Role)} from roles where server_id = ${serverId} order by position`
  const roles = await rolesNow()
  const named = parseBody(RoleMoves, call.body)
  const idOf = await call.tools.ids.findAll(named.map(({ id }) => ({ kind: 'role', snowflake: id })))
  const positions = new Map<number, number>()
  for (const { id: snowflake, position } of named) {
    const role = roles.find(({ id }) => id === idOf('role', snowflake))
    if (!role) throw new Unknown('role')
    // Libraries name all roles, everyone too.
    if (typeof position === 'number' && !role.is_everyone) positions.set(role.id, position)
  }
  const order = roles.flatMap(({ id, is_everyone }) => (is_everyone ? [] : [id]))
  const moves = movesTo(order, orderWith(order, positions))
  // Each move is checked again. A refusal of a later one would leave an order that nobody wants.
  if (!me.is_owner && moves.some(({ from, to }) => Math.max(from, to) >= me.position))
    throw new Problem('forbidden', 'This role is not below you')
  for (const { id, to } of moves) await call.own('PUT', `/api/roles/${id}`, { position: to })
  const moved = moves.length > 0 ? await rolesNow() : roles
  return call.resolve((of) => moved.map((role) => roleOf(of, role)))
}

export const roleOrderRoutes = [route('PATCH', '/guilds/:guild/roles', 'server', moveRoles)]
