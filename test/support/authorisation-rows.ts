import { randomUUID } from 'node:crypto'
import type { Permission } from '../../src/core/permissions.ts'
import { PASSWORD, type Person } from './harness.ts'
import type { Place } from './places.ts'

/**
 * Callers. All but the first five and the last two are members, of rising rank: `plain` has no role and lacks the
 * row's bit; `lower` stands below the target, `holder`, `bot` and `higher` above it, and these four hold the bit.
 * `webhook` shows the token of one.
 */
export const actors = [
  'anonymous',
  'webhook',
  'revoked',
  'stranger',
  'banned',
  'plain',
  'lower',
  'holder',
  'bot',
  'higher',
  'owner',
  'operator',
  'bot_elsewhere',
] as const
export type Actor = (typeof actors)[number]
export type Expected = Record<Actor, number>

/** A server with everyone of the table; a new one for each row. */
export interface World extends Place {
  sql: Person['parley']['parts']['sql']
  owner: Person
  /** A member between `lower` and `holder`, by this role. */
  target: Person
  target_role: number
}

export interface Call {
  path: string
  body?: unknown
}

export interface Row {
  /** Permissions that `lower`, `holder` and `higher` have and `plain` lacks. */
  bit: Permission | undefined
  expected: Expected
  /** Makes what this actor's call needs, which may destroy it, and returns the call. */
  prepare: (world: World, actor: Person) => Call | Promise<Call>
  /** The answer to a guest, where it differs from that to `plain` and the route is open to guests. */
  guest?: number
  /** The session of the call has proven whose it is. */
  proven?: true
}

type Prepare = Row['prepare']
type Other = Partial<Expected>
const everyActor = (status: number): Expected =>
  Object.fromEntries(actors.map((actor) => [actor, status])) as unknown as Expected
const NOBODY = { anonymous: 401, webhook: 401, revoked: 401 }
const OUTSIDE = { ...NOBODY, stranger: 404, banned: 404, operator: 404, bot_elsewhere: 404 }

/** Needs no token. */
export const open = (ok: number, prepare: Prepare, other: Other = {}): Row => ({
  bit: undefined,
  expected: { ...everyActor(ok), ...other },
  prepare,
})
/** Needs only an account. */
export const account = (ok: number, prepare: Prepare, other: Other = {}): Row => ({
  bit: undefined,
  expected: { ...everyActor(ok), ...NOBODY, ...other },
  prepare,
})
/** Needs only membership. */
export const member = (ok: number, prepare: Prepare, other: Other = {}): Row => ({
  bit: undefined,
  expected: { ...everyActor(ok), ...OUTSIDE, ...other },
  prepare,
})
/** Needs a bit. */
export const bit = (name: Permission, ok: number, prepare: Prepare, other: Other = {}): Row => ({
  ...member(ok, prepare, { plain: 403, ...other }),
  bit: name,
})
/** Needs a bit, and to stand above the target. */
export const above = (name: Permission, ok: number, prepare: Prepare): Row => bit(name, ok, prepare, { lower: 403 })
/** Needs to be the owner. */
export const owner = (ok: number, prepare: Prepare): Row =>
  member(ok, prepare, { plain: 403, lower: 403, holder: 403, bot: 403, higher: 403 })

/** Needs to be an operator, by a session that has proved itself; to everybody else it is not there. */
export const operator = (ok: number, prepare: Prepare): Row => ({
  bit: undefined,
  expected: { ...everyActor(404), ...NOBODY, operator: ok },
  prepare,
})

export const server =
  (rest = '', body?: unknown): Prepare =>
  ({ server_id }) => ({ path: `/api/servers/${server_id}${rest}`, body })
export const channel =
  (rest = '', body?: unknown): Prepare =>
  ({ channel_id }) => ({ path: `/api/channels/${channel_id}${rest}`, body })

export const settings =
  (of: 'servers' | 'channels', id: 'server_id' | 'channel_id', body?: unknown): Prepare =>
  (world) => ({ path: `/api/notifications/${of}/${world[id]}`, body })

export async function message({ sql, channel_id }: World, author: Person): Promise<string> {
  const [{ id }] = await sql<[{ id: number }]>`insert into messages (channel_id, author_id, content)
    values (${channel_id}, ${author.id}, 'Hello') returning id`
  return `/api/messages/${id}`
}

/** A file of the target's, attached to a message of the target's. */
export async function file(world: World): Promise<number> {
  const message_id = Number((await message(world, world.target)).split('/').at(-1))
  const row = { uploader_id: world.target.id, message_id, filename: 'owl.txt', content_type: 'text/plain', size: 3 }
  const [{ id }] = await world.sql<[{ id: number }]>`
    insert into files ${world.sql({ ...row, key: `files/${randomUUID()}` })} returning id`
  return id
}

/** Reactions of a message of the target's. */
export const reactions = (tail: string) => async (world: World) => ({
  path: `${await message(world, world.target)}/reactions${tail}`,
})

/** A message of the target's, to be pinned. */
export const pin = async (world: World) => {
  const id = (await message(world, world.target)).split('/').at(-1)
  return { path: `/api/channels/${world.channel_id}/pins/${id}` }
}

/** A custom emoji of the server. */
export async function emoji({ sql, server_id, owner: { id: creator_id } }: World): Promise<string> {
  await sql`delete from emojis where server_id = ${server_id}`
  const [{ id }] = await sql<[{ id: number }]>`
    insert into emojis ${sql({ server_id, name: 'owl', key: randomUUID(), creator_id })} returning id`
  return `/api/emoji/${id}`
}

export async function invite({ sql, server_id, owner: { id: creator_id } }: World) {
  const code = randomUUID().replaceAll('-', '').slice(0, 10)
  const [{ id }] = await sql<[{ id: number }]>`
    insert into invites ${sql({ code, server_id, creator_id })} returning id`
  return { id, code }
}

/** The target as it was: a member with its role, not banned. */
async function freshTarget({ sql, server_id, target, target_role }: World): Promise<void> {
  const user_id = target.id
  await sql`delete from bans where server_id = ${server_id} and user_id = ${user_id}`
  await sql`insert into members ${sql({ server_id, user_id })} on conflict do nothing`
  await sql`insert into member_roles ${sql({ server_id, user_id, role_id: target_role })} on conflict do nothing`
}

export const targeted =
  (rest: (world: World) => string, body?: unknown): Prepare =>
  async (world) => {
    await freshTarget(world)
    return { path: `/api/servers/${world.server_id}${rest(world)}`, body }
  }
export const heldRole = ({ target, target_role }: World) => `/members/${target.id}/roles/${target_role}`

export const overwrite =
  (body?: unknown): Prepare =>
  async ({ sql, channel_id, target_role: role_id }) => {
    await sql`insert into overwrites ${sql({ channel_id, role_id })} on conflict do nothing`
    return { path: `/api/channels/${channel_id}/permissions/${role_id}`, body }
  }

/** The overwrite for the target, who is a member with its role. */
export const memberOverwrite =
  (body?: unknown): Prepare =>
  async (world) => {
    await freshTarget(world)
    const { sql, server_id, channel_id, target } = world
    await sql`insert into member_overwrites ${sql({ server_id, channel_id, user_id: target.id, allow: 0, deny: 0 })}
      on conflict do nothing`
    return { path: `/api/channels/${channel_id}/permissions/members/${target.id}`, body }
  }

export const credentials = () => {
  const username = `mallory-${randomUUID().slice(0, 12)}`
  return { username, email: `${username}@example.org`, password: PASSWORD }
}

/** A thread of the target's in the channel. */
export async function thread({ sql, server_id, channel_id, target }: World): Promise<number> {
  const [{ id }] = await sql<[{ id: number }]>`insert into channels
    (server_id, parent_id, name, type, position, owner_id, active_at, archive_after_seconds)
    values (${server_id}, ${channel_id}, 'Kingfishers', 'thread', 0, ${target.id}, now(), 3600) returning id`
  return id
}
export const inThread =
  (rest = '', body?: unknown): Prepare =>
  async (world) => ({ path: `/api/channels/${await thread(world)}${rest}`, body })

/** The target as a follower of a thread. */
export const followed: Prepare = async (world) => ({
  path: `/api/channels/${await thread(world)}/followers/${world.target.id}`,
})

/** A bot of the target's, in no server. */
export async function newBot({ sql, target }: World): Promise<number> {
  const name = `bot:${randomUUID()}`
  const [{ id }] = await sql<[{ id: number }]>`
    insert into users (username, email, password_hash, display_name, kind)
    values (${name}, ${name}, 'none', 'Dice', 'bot') returning id`
  await sql`insert into applications ${sql({ id, owner_id: target.id })}`
  return id
}
export const application =
  (rest = '', body?: unknown): Prepare =>
  async (world) => ({ path: `/api/applications/${await newBot(world)}${rest}`, body })

/** A command of a bot of the target's, which is in the server. */
export async function command(world: World): Promise<Call> {
  const { sql, server_id, channel_id } = world
  const application_id = await newBot(world)
  await sql`insert into members ${sql({ server_id, user_id: application_id })}`
  const options = sql.json({ options: [], subcommands: [] })
  const [{ id }] = await sql<[{ id: number }]>`insert into bot_commands
    ${sql({ application_id, kind: 'chat', name: 'roll', description: 'Rolls', options, default_permissions: 0 })}
    returning id`
  return { path: '/api/interactions', body: { kind: 'command', channel_id, command_id: id } }
}
/** An interaction of one person with somebody else's bot. */
export const onInteraction =
  (rest: string, body: object): Prepare =>
  async (world) => {
    const { sql, channel_id, target } = world
    const bot_id = await newBot(world)
    const row = { hash: Buffer.alloc(32), bot_id, user_id: target.id, channel_id, kind: 'command' }
    const [{ id }] = await sql<[{ id: number }]>`insert into interactions ${sql(row)} returning id`
    return { path: `/api/interactions/${id}${rest}`, body: { token: 'a'.repeat(43), ...body } }
  }
