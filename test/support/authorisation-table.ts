import { randomUUID } from 'node:crypto'
import { ARRIVAL } from './authorisation-arrival.ts'
import { RAIDS } from './authorisation-raids.ts'
import { AUTOMOD } from './authorisation-automod.ts'
import { FACTORS } from './authorisation-factors.ts'
import { FOLLOWERS } from './authorisation-followers.ts'
import { MODERATION } from './authorisation-moderation.ts'
import { LATER } from './authorisation-later.ts'
import { OPERATOR } from './authorisation-operator.ts'
import { PICTURES } from './authorisation-pictures.ts'
import { PEOPLE } from './authorisation-people.ts'
import { WEBHOOKS } from './authorisation-webhooks.ts'
import { PASSWORD } from './harness.ts'
import {
  above,
  account,
  application,
  bit,
  channel,
  command,
  credentials,
  emoji,
  file,
  heldRole,
  invite,
  member,
  message,
  newBot,
  onInteraction,
  open,
  overwrite,
  owner,
  pin,
  reactions,
  type Row,
  server,
  settings,
  targeted,
} from './authorisation-rows.ts'

/**
 * The status of every route for every actor. A route that is missing here fails the test. A row has the requirement (an
 * account, membership, a bit, a position above the target, ownership), the status of success, and the call; statuses
 * that differ from the rule come last.
 */
export const TABLE: Record<string, Row> = {
  ...PEOPLE,
  ...PICTURES,
  ...FACTORS,
  ...MODERATION,
  ...FOLLOWERS,
  ...LATER,
  ...OPERATOR,
  ...AUTOMOD,
  ...RAIDS,
  ...ARRIVAL,
  ...WEBHOOKS,
  'POST /api/auth/register': open(201, () => ({ path: '/api/auth/register', body: credentials() })),
  'POST /api/auth/login': open(200, ({ owner: { username } }) => ({
    path: '/api/auth/login',
    body: { username, password: PASSWORD },
  })),
  'GET /.well-known/parley': open(200, () => ({ path: '/.well-known/parley' })),
  'GET /healthz': open(200, () => ({ path: '/healthz' })),
  'GET /readyz': open(200, () => ({ path: '/readyz' })),
  'GET /metrics': open(200, () => ({ path: '/metrics' })),
  'GET /api/auth/me': account(200, () => ({ path: '/api/auth/me' })),
  'GET /api/auth/privacy': account(200, () => ({ path: '/api/auth/privacy' })),
  'PUT /api/auth/privacy': account(200, () => ({ path: '/api/auth/privacy', body: { dms_from: 'servers' } })),
  // Nobody has this link.
  'POST /api/users/@me/imported-messages': account(410, () => ({
    path: '/api/users/@me/imported-messages',
    body: { token: 'A'.repeat(43) },
  })),
  'GET /api/auth/export': { ...account(200, () => ({ path: '/api/auth/export' })), proven: true },
  // With the right password each of them would be gone.
  'DELETE /api/auth/me': account(401, () => ({ path: '/api/auth/me', body: { password: 'Wrong-Horse-77!' } })),
  'PUT /api/auth/display-name': account(200, () => ({
    path: '/api/auth/display-name',
    body: { display_name: 'Otter' },
  })),
  'PUT /api/auth/password': account(200, () => ({
    path: '/api/auth/password',
    body: { current_password: PASSWORD, new_password: PASSWORD },
  })),
  // The table's server sends no mail, and nobody guesses a token.
  'POST /api/auth/password/forgot': open(404, () => ({
    path: '/api/auth/password/forgot',
    body: { email: 'alice@example.org' },
  })),
  'POST /api/auth/password/reset': open(410, () => ({
    path: '/api/auth/password/reset',
    body: { token: 'a'.repeat(43), password: PASSWORD },
  })),
  'POST /api/auth/email/verify': open(410, () => ({ path: '/api/auth/email/verify', body: { token: 'a'.repeat(43) } })),
  'PUT /api/auth/email': account(404, () => ({ path: '/api/auth/email', body: { email: 'alice@example.org' } })),
  'POST /api/auth/email/resend': account(404, () => ({ path: '/api/auth/email/resend' })),
  'POST /api/auth/logout': account(200, () => ({ path: '/api/auth/logout' })),
  'POST /api/auth/logout-all': account(200, () => ({ path: '/api/auth/logout-all' })),
  'POST /api/auth/refresh': account(200, () => ({ path: '/api/auth/refresh' })),
  'GET /api/auth/sessions': account(200, () => ({ path: '/api/auth/sessions' })),
  'DELETE /api/auth/sessions/:id': account(204, async ({ sql }, { id: userId }) => {
    const [{ id }] = await sql<[{ id: number }]>`insert into sessions (user_id, expires_at, ip)
      values (${userId}, now() + interval '1 day', '127.0.0.1') returning id`
    return { path: `/api/auth/sessions/${id}` }
  }),
  'POST /api/auth/ws-ticket': account(201, () => ({ path: '/api/auth/ws-ticket' })),

  'PUT /api/auth/avatar': account(200, () => ({ path: '/api/auth/avatar', body: { avatar_file_id: null } })),
  'POST /api/files/upload-url': account(201, () => ({
    path: '/api/files/upload-url',
    body: { filename: 'owl.txt', content_type: 'text/plain', size: 3 },
  })),
  // Everyone with an account is let in as far as to hear that the bytes are missing.
  'POST /api/files': account(409, async ({ sql }, { id: userId }) => {
    const key = `incoming/${userId}/${randomUUID().replaceAll('-', '')}`
    await sql`insert into uploads (key, user_id, filename, content_type, size, expires_at)
      values (${key}, ${userId}, 'owl.txt', 'text/plain', 3, now() + interval '1 hour')`
    return { path: '/api/files', body: { key } }
  }),
  'POST /api/files/download-urls': account(200, async (world) => ({
    path: '/api/files/download-urls',
    body: { ids: [await file(world)] },
  })),
  'GET /api/files/:file_id': bit('read_history', 200, async (world) => ({ path: `/api/files/${await file(world)}` }), {
    plain: 404,
  }),
  'GET /api/files/:file_id/download-url': bit(
    'read_history',
    200,
    async (world) => ({ path: `/api/files/${await file(world)}/download-url` }),
    { plain: 404 },
  ),
  'DELETE /api/files/:file_id': bit('manage_messages', 204, async (world) => ({
    path: `/api/files/${await file(world)}`,
  })),
  'GET /api/messages/:message_id/files': bit('read_history', 200, async (world) => ({
    path: `${await message(world, world.target)}/files`,
  })),

  'POST /api/servers': account(201, () => ({ path: '/api/servers', body: { name: 'Own' } })),
  'GET /api/servers': account(200, () => ({ path: '/api/servers' })),
  'GET /api/servers/:server_id': member(200, server()),
  'PUT /api/servers/:server_id': bit('manage_server', 200, server('', { name: 'Owls' })),
  'DELETE /api/servers/:server_id': owner(204, server()),
  'POST /api/servers/:server_id/transfer': owner(200, (world) =>
    server('/transfer', { user_id: world.target.id })(world, world.owner),
  ),
  'POST /api/servers/:server_id/read-all': member(204, server('/read-all')),
  'POST /api/channels/:channel_id/unread': bit('read_history', 200, async (world) => {
    const message_id = Number((await message(world, world.target)).split('/').at(-1))
    return { path: `/api/channels/${world.channel_id}/unread`, body: { message_id } }
  }),
  'GET /api/channels/:channel_id/first-message': bit(
    'read_history',
    200,
    channel('/first-message?since=2026-01-01T00:00:00.000Z'),
  ),
  'GET /api/unread': account(200, ({ channel_id }) => ({ path: `/api/unread?channel_ids=${channel_id}` })),
  'GET /api/mentions': account(200, () => ({ path: '/api/mentions' })),
  'GET /api/notifications': account(200, () => ({ path: '/api/notifications' })),
  'POST /api/push/subscriptions': account(201, () => ({
    path: '/api/push/subscriptions',
    body: {
      endpoint: `https://push.example.org/send/${randomUUID()}`,
      keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
    },
  })),
  'DELETE /api/push/subscriptions': account(204, () => ({ path: '/api/push/subscriptions' })),
  'GET /api/push/settings': account(200, () => ({ path: '/api/push/settings' })),
  'PUT /api/push/settings': account(200, () => ({ path: '/api/push/settings', body: { hide_content: false } })),
  'PUT /api/notifications/servers/:server_id': member(200, settings('servers', 'server_id', { level: 'all' })),
  'DELETE /api/notifications/servers/:server_id': member(204, settings('servers', 'server_id')),
  'PUT /api/notifications/channels/:channel_id': member(200, settings('channels', 'channel_id', { level: 'all' })),
  'DELETE /api/notifications/channels/:channel_id': member(204, settings('channels', 'channel_id')),
  'GET /api/servers/:server_id/audit-log': bit('view_audit_log', 200, server('/audit-log')),

  'POST /api/applications': account(201, () => ({ path: '/api/applications', body: { name: 'Dice' } })),
  'GET /api/applications': account(200, () => ({ path: '/api/applications' })),
  'GET /api/applications/@me': account(404, () => ({ path: '/api/applications/@me' })),
  'PUT /api/applications/@me': account(404, () => ({ path: '/api/applications/@me', body: { name: 'Dice' } })),
  'GET /api/applications/:application_id': account(200, application()),
  // Somebody else's.
  'PUT /api/applications/:application_id': account(404, application('', { name: 'Dice' })),
  'DELETE /api/applications/:application_id': account(404, application()),
  'POST /api/applications/:application_id/token': account(404, application('/token')),
  // They are no bots, and nobody guesses a token.
  'GET /api/applications/@me/commands': account(200, () => ({ path: '/api/applications/@me/commands' })),
  'PUT /api/applications/@me/commands': account(404, () => ({ path: '/api/applications/@me/commands', body: [] })),
  'POST /api/interactions/:interaction_id/answer': account(410, onInteraction('/answer', { kind: 'deferred' })),
  'PUT /api/interactions/:interaction_id/answer': account(410, onInteraction('/answer', { content: 'Hello' })),
  'POST /api/interactions/:interaction_id/follow-ups': account(410, onInteraction('/follow-ups', { content: 'Hello' })),
  'GET /api/channels/:channel_id/commands': member(200, channel('/commands')),
  'POST /api/interactions': bit('use_commands', 201, command),
  'GET /api/servers/:server_id/applications': member(200, server('/applications')),
  'PUT /api/servers/:server_id/applications/:application_id': bit('administrator', 201, async (world) => {
    const id = await newBot(world)
    return { path: `/api/servers/${world.server_id}/applications/${id}`, body: { permissions: 0 } }
  }),

  'GET /api/servers/:server_id/members': member(200, server('/members')),
  'GET /api/servers/:server_id/members/online': member(200, server('/members/online')),
  'DELETE /api/servers/:server_id/members/@me': member(204, server('/members/@me'), { owner: 409 }),
  'DELETE /api/servers/:server_id/members/:user_id': above(
    'kick_members',
    204,
    targeted(({ target }) => `/members/${target.id}`),
  ),
  'PUT /api/servers/:server_id/members/:user_id': above(
    'moderate_members',
    200,
    targeted(({ target }) => `/members/${target.id}`, { timed_out_until: null }),
  ),
  'GET /api/servers/:server_id/bans': bit('ban_members', 200, server('/bans')),
  'PUT /api/servers/:server_id/bans/:user_id': above(
    'ban_members',
    200,
    targeted(({ target }) => `/bans/${target.id}`, {}),
  ),
  'DELETE /api/servers/:server_id/bans/:user_id': bit('ban_members', 204, async (world) => {
    const { sql, server_id, target } = world
    await sql`insert into bans ${sql({ server_id, user_id: target.id })} on conflict do nothing`
    return { path: `/api/servers/${server_id}/bans/${target.id}` }
  }),

  'POST /api/servers/:server_id/roles': bit('manage_roles', 201, server('/roles', { name: 'New' })),
  'GET /api/servers/:server_id/roles': member(200, server('/roles')),
  'GET /api/roles/:role_id': member(200, ({ target_role }) => ({ path: `/api/roles/${target_role}` })),
  'GET /api/roles/:role_id/overwrites': member(200, ({ target_role }) => ({
    path: `/api/roles/${target_role}/overwrites`,
  })),
  'PUT /api/roles/:role_id': above('manage_roles', 200, ({ target_role }) => ({
    path: `/api/roles/${target_role}`,
    body: { name: 'Renamed' },
  })),
  'DELETE /api/roles/:role_id': above('manage_roles', 204, async ({ sql, server_id, target_role }) => {
    const [{ id }] = await sql<[{ id: number }]>`insert into roles (server_id, name, permissions, position)
      select ${server_id}, 'Doomed', 0, position from roles where id = ${target_role} returning id`
    return { path: `/api/roles/${id}` }
  }),
  'GET /api/servers/:server_id/members/:user_id/roles': member(
    200,
    targeted(({ target }) => `/members/${target.id}/roles`),
  ),
  'POST /api/servers/:server_id/members/:user_id/roles/:role_id': above('manage_roles', 200, targeted(heldRole)),
  'DELETE /api/servers/:server_id/members/:user_id/roles/:role_id': above('manage_roles', 204, targeted(heldRole)),

  'POST /api/servers/:server_id/channels': bit('manage_channels', 201, (world, actor) =>
    server('/channels', { name: randomUUID(), type: 'text' })(world, actor),
  ),
  'PUT /api/servers/:server_id/channels/order': bit('manage_channels', 200, ({ server_id, channel_id }) => ({
    path: `/api/servers/${server_id}/channels/order`,
    body: [{ id: channel_id, parent_id: null, position: 0 }],
  })),
  'GET /api/servers/:server_id/channels': member(200, server('/channels')),
  'GET /api/channels/:channel_id': bit('view_channel', 200, channel(), { plain: 404 }),
  'PUT /api/channels/:channel_id': bit('manage_channels', 200, channel('', { topic: 'Owls' })),
  'DELETE /api/channels/:channel_id': bit('manage_channels', 204, async ({ sql, server_id }) => {
    const [{ id }] = await sql<[{ id: number }]>`insert into channels (server_id, name, type, position)
      values (${server_id}, ${randomUUID()}, 'text', 1) returning id`
    return { path: `/api/channels/${id}` }
  }),
  'POST /api/channels/:channel_id/threads': bit('create_threads', 201, channel('/threads', { name: 'Kingfishers' })),
  'GET /api/channels/:channel_id/threads': bit('view_channel', 200, channel('/threads'), { plain: 404 }),
  'GET /api/channels/:channel_id/writers': bit('manage_server', 200, channel('/writers')),
  'POST /api/channels/:channel_id/messages/bulk-delete': bit(
    'manage_messages',
    204,
    channel('/messages/bulk-delete', { ids: [1] }),
    { plain: 403 },
  ),
  'POST /api/channels/:channel_id/call/decline': bit('view_channel', 204, channel('/call/decline'), { plain: 404 }),
  'GET /api/channels/:channel_id/voice-states': bit('view_channel', 200, channel('/voice-states'), { plain: 404 }),
  'GET /api/channels/:channel_id/permissions': bit('view_channel', 200, channel('/permissions'), { plain: 404 }),
  'PUT /api/channels/:channel_id/permissions/:role_id': above('manage_roles', 200, overwrite({})),
  'DELETE /api/channels/:channel_id/permissions/:role_id': above('manage_roles', 204, overwrite()),
  'GET /api/channels/:channel_id/permissions/explain': bit('manage_roles', 200, (world, actor) =>
    channel(`/permissions/explain?user_id=${world.target.id}`)(world, actor),
  ),

  'POST /api/channels/:channel_id/messages': bit('send_messages', 201, channel('/messages', { content: 'Hello' })),
  'GET /api/channels/:channel_id/messages': bit('read_history', 200, channel('/messages')),
  'GET /api/search': account(200, () => ({ path: '/api/search?q=heron' })),
  'GET /api/messages/:message_id': bit('read_history', 200, async (world) => ({
    path: await message(world, world.target),
  })),
  'PUT /api/messages/:message_id': member(
    403,
    async (world) => ({ path: await message(world, world.owner), body: { content: 'Edited' } }),
    { owner: 200 },
  ),
  'PUT /api/messages/:message_id/embeds/suppressed': bit('manage_messages', 200, async (world) => ({
    path: `${await message(world, world.target)}/embeds/suppressed`,
    body: { suppressed: true },
  })),
  'DELETE /api/messages/:message_id': bit('manage_messages', 204, async (world) => ({
    path: await message(world, world.target),
  })),

  'PUT /api/messages/:message_id/reactions/:emoji/@me': bit('add_reactions', 204, async (world) => ({
    path: `${await message(world, world.target)}/reactions/👍/@me`,
  })),
  'DELETE /api/messages/:message_id/reactions/:emoji/@me': bit(
    'view_channel',
    204,
    async (world) => ({ path: `${await message(world, world.target)}/reactions/👍/@me` }),
    { plain: 404 },
  ),
  'GET /api/messages/:message_id/reactions/:emoji': bit('read_history', 200, reactions('/👍')),
  'DELETE /api/messages/:message_id/reactions/:emoji': bit('manage_messages', 204, reactions('/👍')),
  'DELETE /api/messages/:message_id/reactions/:emoji/:user_id': bit('manage_messages', 204, reactions('/👍/999999999')),
  'DELETE /api/messages/:message_id/reactions': bit('manage_messages', 204, reactions('')),
  'PUT /api/channels/:channel_id/pins/:message_id': bit('pin_messages', 204, pin),
  'DELETE /api/channels/:channel_id/pins/:message_id': bit('pin_messages', 204, pin),
  'GET /api/channels/:channel_id/pins': bit('read_history', 200, channel('/pins')),
  'GET /api/servers/:server_id/emoji': member(200, server('/emoji')),
  // Everyone who may is let in as far as to hear that there is no such file.
  'POST /api/servers/:server_id/emoji': bit('manage_emoji', 404, server('/emoji', { name: 'owl', file_id: 1_000_000 })),
  'PUT /api/emoji/:emoji_id': bit('manage_emoji', 200, async (world) => ({
    path: await emoji(world),
    body: { name: 'heron' },
  })),
  'DELETE /api/emoji/:emoji_id': bit('manage_emoji', 204, async (world) => ({ path: await emoji(world) })),
  'POST /api/emoji/used': account(200, () => ({ path: '/api/emoji/used', body: { message_ids: [1] } })),
  'GET /api/voice/ice-servers': account(200, () => ({ path: '/api/voice/ice-servers' })),
  // The table's server has no SFU.
  'POST /api/voice/sfu-tests': account(503, () => ({
    path: '/api/voice/sfu-tests',
    body: { fingerprints: [{ algorithm: 'sha-256', value: Array(32).fill('AB').join(':') }] },
  })),

  'POST /api/invites': bit('create_invite', 201, ({ server_id }) => ({ path: '/api/invites', body: { server_id } })),
  'GET /api/servers/:server_id/invites': bit('manage_server', 200, server('/invites')),
  'DELETE /api/invites/:invite': bit('manage_server', 204, async (world) => ({
    path: `/api/invites/${(await invite(world)).id}`,
  })),
  'GET /api/invites/:invite': open(200, async (world) => ({ path: `/api/invites/${(await invite(world)).code}` }), {
    banned: 403,
  }),
  'POST /api/invites/:invite/join': account(
    200,
    async (world) => ({ path: `/api/invites/${(await invite(world)).code}/join` }),
    { stranger: 201, operator: 201, banned: 403 },
  ),
}
