import { bitOf } from '../../src/core/permissions.ts'
import { above, account, bit, channel, member, memberOverwrite, type Row, type World } from './authorisation-rows.ts'
import type { Person } from './harness.ts'

/** Relation between the actor and the target before the call. */
type Bond = 'none' | 'asked_by_actor' | 'asked_by_target' | 'friends' | 'blocked'

async function tie({ sql, target }: World, actor: Person, bond: Bond): Promise<void> {
  const [low, high] = [actor.id, target.id].toSorted((a, b) => a - b) as [number, number]
  const isLow = actor.id === low
  await sql`delete from relations where low = ${low} and high = ${high}`
  if (bond === 'none') return
  const stateName = (bond === 'asked_by_actor') === isLow ? 'asked_by_low' : 'asked_by_high'
  const blocked = { bond: 'none', [isLow ? 'low_blocked_at' : 'high_blocked_at']: new Date() }
  const row = bond === 'blocked' ? blocked : { bond: bond === 'friends' ? bond : stateName }
  await sql`insert into relations ${sql({ low, high, ...row })}`
}

const friend = (action: string, bond: Bond, ok = 200): Row =>
  account(ok, async (world, actor) => {
    await tie(world, actor, bond)
    return { path: `/api/friends/${world.target.id}${action}` }
  })

/** The dm of the two, by way of SQL. */
async function dmChannel({ sql, target }: World, actor: Person): Promise<number> {
  const [dm] = await sql<{ channel_id: number }[]>`
    select channel_id from participants where user_id = ${actor.id} and other_id = ${target.id}`
  if (dm) return dm.channel_id
  const [{ id }] = await sql<[{ id: number }]>`
    insert into channels (name, type, position) values ('', 'dm', 0) returning id`
  await sql`insert into participants (channel_id, user_id, other_id)
    values (${id}, ${actor.id}, ${target.id}), (${id}, ${target.id}, ${actor.id})`
  return id
}

/** A direct message between the two, by way of SQL; the sender is who the row needs. */
async function dm(world: World, actor: Person, sender: 'actor' | 'target'): Promise<number> {
  const channelId = await dmChannel(world, actor)
  const [from, to] = sender === 'actor' ? [actor.id, world.target.id] : [world.target.id, actor.id]
  const [{ id }] = await world.sql<[{ id: number }]>`insert into messages (channel_id, author_id, recipient_id, content)
    values (${channelId}, ${from}, ${to}, 'Hello') returning id`
  return id
}

/** The actor may write to the target: they are friends. */
const onDm = (sender: 'actor' | 'target', ok: number, rest = '', body?: unknown): Row =>
  account(ok, async (world, actor) => {
    await tie(world, actor, 'friends')
    return { path: `/api/dm/messages/${await dm(world, actor, sender)}${rest}`, body }
  })
const withTarget = (ok: number, rest: string): Row =>
  account(ok, async (world, actor) => {
    await dm(world, actor, 'target')
    return { path: `/api/dm/${world.target.id}/${rest}` }
  })
/** A group of the actor's, with the target in it. */
async function group({ sql, target }: World, actor: Person): Promise<number> {
  const [{ id }] = await sql<[{ id: number }]>`
    insert into channels (name, type, position, owner_id) values ('', 'group', 0, ${actor.id}) returning id`
  await sql`insert into participants (channel_id, user_id)
    select ${id}, id from users where id in (${actor.id}, ${target.id})`
  return id
}

const list = (path: string): Row => account(200, () => ({ path }))

/** The rows of what passes between two people: an account is enough, and the other's leave. */
export const PEOPLE: Record<string, Row> = {
  'GET /api/channels/:channel_id/permissions/members': bit('manage_roles', 200, channel('/permissions/members')),
  'PUT /api/channels/:channel_id/permissions/members/:user_id': above(
    'manage_roles',
    200,
    memberOverwrite({ deny: bitOf('view_channel') }),
  ),
  'DELETE /api/channels/:channel_id/permissions/members/:user_id': above('manage_roles', 204, memberOverwrite()),
  'GET /api/auth/status': account(200, () => ({ path: '/api/auth/status' })),
  'PUT /api/auth/status': account(200, () => ({ path: '/api/auth/status', body: { status: 'online' } })),
  'GET /api/auth/status/callers': account(200, () => ({ path: '/api/auth/status/callers' })),
  'PUT /api/auth/status/callers': account(200, () => ({ path: '/api/auth/status/callers', body: { user_ids: [] } })),
  'POST /api/friends/request': account(201, async (world, actor) => {
    await tie(world, actor, 'none')
    return { path: '/api/friends/request', body: { friend_id: world.target.id } }
  }),
  'GET /api/friends': list('/api/friends'),
  'GET /api/friends/pending': list('/api/friends/pending'),
  'GET /api/friends/sent': list('/api/friends/sent'),
  'GET /api/friends/blocked': list('/api/friends/blocked'),
  'POST /api/friends/:user_id/accept': friend('/accept', 'asked_by_target'),
  'POST /api/friends/:user_id/decline': friend('/decline', 'asked_by_target'),
  'POST /api/friends/:user_id/cancel': friend('/cancel', 'asked_by_actor'),
  'POST /api/friends/:user_id/block': friend('/block', 'none'),
  'POST /api/friends/:user_id/unblock': friend('/unblock', 'blocked'),
  'DELETE /api/friends/:user_id': friend('', 'friends', 204),
  'GET /api/users/search': list('/api/users/search?q=nobody'),
  'GET /api/users/:user_id/profile': member(200, async (world, actor) => {
    // A refused call of another row leaves its bond.
    await tie(world, actor, 'none')
    return { path: `/api/users/${world.target.id}/profile` }
  }),
  'PUT /api/auth/profile': account(200, () => ({ path: '/api/auth/profile', body: { bio: 'Herons' } })),
  'PUT /api/auth/banner': account(200, () => ({ path: '/api/auth/banner', body: { file_id: null } })),
  'GET /api/users/:user_id': account(200, ({ target }) => ({ path: `/api/users/${target.id}` })),

  'POST /api/channels/direct': account(200, async (world, actor) => {
    await dmChannel(world, actor)
    return { path: '/api/channels/direct', body: { recipient_ids: [world.target.id] } }
  }),
  'GET /api/channels/direct': list('/api/channels/direct'),
  'PUT /api/channels/:channel_id/recipients/:user_id': account(200, async (world, actor) => ({
    path: `/api/channels/${await group(world, actor)}/recipients/${world.target.id}`,
  })),
  'DELETE /api/channels/:channel_id/recipients/:user_id': account(204, async (world, actor) => ({
    path: `/api/channels/${await group(world, actor)}/recipients/${world.target.id}`,
  })),

  'POST /api/dm/messages': account(201, async (world, actor) => {
    await tie(world, actor, 'friends')
    return { path: '/api/dm/messages', body: { recipient_id: world.target.id, content: 'Hello' } }
  }),
  'GET /api/dm/conversations': list('/api/dm/conversations'),
  'GET /api/dm/:user_id/messages': withTarget(200, 'messages'),
  'POST /api/dm/:user_id/read-all': withTarget(200, 'read-all'),
  'PUT /api/files/:file_id': account(200, async ({ sql }, actor) => {
    const [file] = await sql<{ id: number }[]>`
      insert into files (uploader_id, filename, content_type, size, key)
      values (${actor.id}, 'owl.png', 'image/png', 3, gen_random_uuid()::text) returning id`
    return { path: `/api/files/${file?.id}`, body: { alt: 'An owl' } }
  }),
  'PUT /api/dm/:user_id/request': account(204, async (world, actor) => {
    await dm(world, actor, 'target')
    await world.sql`update participants set request = 'waiting'
      where user_id = ${actor.id} and other_id = ${world.target.id}`
    return { path: `/api/dm/${world.target.id}/request`, body: { state: 'accepted' } }
  }),
  'DELETE /api/dm/:user_id/hide': withTarget(204, 'hide'),
  'PUT /api/dm/messages/:message_id': onDm('actor', 200, '', { content: 'Edited' }),
  'DELETE /api/dm/messages/:message_id': onDm('actor', 204),
  'POST /api/dm/messages/:message_id/read': onDm('target', 200, '/read'),
}
