import {
  above,
  account,
  bit,
  file,
  member,
  message,
  type Row,
  server,
  targeted,
  type World,
} from './authorisation-rows.ts'

/** An open report of a message of the target's with a file. @returns its path */
async function reportOf(world: World): Promise<{ path: string; file_id: number }> {
  const { sql, server_id, channel_id, target } = world
  const file_id = await file(world)
  const subject = { subject: 'message', subject_id: file_id, author_id: target.id }
  const place = { server_id, channel_id, audience_id: channel_id, for_operator: false }
  const [{ id }] = await sql<[{ id: number }]>`insert into reports ${sql({ ...subject, ...place })} returning id`
  const fileRow = { report_id: id, file_id, filename: 'owl.txt', content_type: 'text/plain', size: 3, key: 'files/owl' }
  await sql`insert into report_files ${sql(fileRow)}`
  return { path: `/api/reports/${id}`, file_id }
}

/** Needs to see a report: moderate_members, and to stand above the target. To everybody else it is not there. */
const ofReport = (prepare: Row['prepare']): Row => bit('moderate_members', 200, prepare, { plain: 404, lower: 404 })

/** A note about the target. @returns its path */
async function noteOf({ sql, server_id, owner, target }: World): Promise<string> {
  const row = { server_id, user_id: target.id, kind: 'note', actor_id: owner.id, reason: 'Owl' }
  const [{ id }] = await sql<[{ id: number }]>`insert into cases ${sql(row)} returning id`
  return `/api/cases/${id}`
}

/** A sound of the server. @returns its path */
async function soundOf({ sql, server_id, owner: { id: creator_id } }: World): Promise<string> {
  const row = { server_id, name: 'owl', key: crypto.randomUUID(), size: 0, duration_ms: 20, creator_id }
  const [{ id }] = await sql<[{ id: number }]>`insert into sounds ${sql(row)} returning id`
  return `/api/sounds/${id}`
}

/** The rows of reports, cases, the members' page, sounds and pictures of roles. */
export const MODERATION: Record<string, Row> = {
  'POST /api/messages/:message_id/reports': bit('read_history', 204, async (world) => ({
    path: `${await message(world, world.target)}/reports`,
    body: { reason: 'spam' },
  })),
  'POST /api/users/:user_id/reports': account(204, ({ target }) => ({
    path: `/api/users/${target.id}/reports`,
    body: { reason: 'spam' },
  })),
  'GET /api/servers/:server_id/reports': bit('moderate_members', 200, server('/reports')),
  'GET /api/reports/:report_id': ofReport(async (world) => ({ path: (await reportOf(world)).path })),
  'PUT /api/reports/:report_id': ofReport(async (world) => ({
    path: (await reportOf(world)).path,
    body: { state: 'dismissed' },
  })),
  'GET /api/reports/:report_id/files/:file_id/download-url': ofReport(async (world) => {
    const { path, file_id } = await reportOf(world)
    return { path: `${path}/files/${file_id}/download-url` }
  }),
  'GET /api/servers/:server_id/ignored-reporters': bit('moderate_members', 200, server('/ignored-reporters')),
  // Nobody has reported anything that these see.
  'PUT /api/servers/:server_id/ignored-reporters/:user_id': bit(
    'moderate_members',
    404,
    targeted(({ target }) => `/ignored-reporters/${target.id}`),
  ),
  'DELETE /api/servers/:server_id/ignored-reporters/:user_id': bit(
    'moderate_members',
    404,
    targeted(({ target }) => `/ignored-reporters/${target.id}`),
  ),
  'GET /api/servers/:server_id/sounds': member(200, server('/sounds')),
  // Everyone who may is let in as far as to hear that there is no such file.
  'POST /api/servers/:server_id/sounds': bit('manage_emoji', 404, server('/sounds', { name: 'owl', file_id: 1e6 })),
  'PUT /api/sounds/:sound_id': bit('manage_emoji', 200, async (world) => ({
    path: await soundOf(world),
    body: { name: 'heron' },
  })),
  'DELETE /api/sounds/:sound_id': bit('manage_emoji', 204, async (world) => ({ path: await soundOf(world) })),
  'PUT /api/roles/:role_id/icon': above('manage_roles', 404, ({ target_role }) => ({
    path: `/api/roles/${target_role}/icon`,
    body: { file_id: 1e6 },
  })),
  'DELETE /api/roles/:role_id/icon': above('manage_roles', 200, ({ target_role }) => ({
    path: `/api/roles/${target_role}/icon`,
  })),
  'GET /api/servers/:server_id/roster': bit('moderate_members', 200, server('/roster')),
  // An act that is refused for a member is an answer.
  'POST /api/servers/:server_id/members/acts': bit('kick_members', 200, ({ server_id, target }) => ({
    path: `/api/servers/${server_id}/members/acts`,
    body: { action: 'kick', user_ids: [target.id] },
  })),
  'GET /api/servers/:server_id/cases': bit('moderate_members', 200, server('/cases')),
  'GET /api/servers/:server_id/members/:user_id/cases': bit(
    'moderate_members',
    200,
    targeted(({ target }) => `/members/${target.id}/cases`),
  ),
  'POST /api/servers/:server_id/members/:user_id/warnings': above(
    'moderate_members',
    201,
    targeted(({ target }) => `/members/${target.id}/warnings`, { reason: 'Owl' }),
  ),
  'POST /api/servers/:server_id/members/:user_id/notes': above(
    'moderate_members',
    201,
    targeted(({ target }) => `/members/${target.id}/notes`, { text: 'Owl' }),
  ),
  'DELETE /api/cases/:case_id': bit('moderate_members', 204, async (world) => ({ path: await noteOf(world) }), {
    plain: 404,
    lower: 404,
  }),
  'GET /api/users/@me/bans': account(200, () => ({ path: '/api/users/@me/bans' })),
  'GET /api/users/@me/warnings': account(200, () => ({ path: '/api/users/@me/warnings' })),
  // Somebody else's.
  'POST /api/users/@me/warnings/:case_id/read': account(404, async (world) => {
    const path = await noteOf(world)
    return { path: `/api/users/@me/warnings/${path.split('/').at(-1)}/read` }
  }),
}
