import { account, bit, file, message, type Row, server, type World } from './authorisation-rows.ts'

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

/** The rows of reports and cases. */
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
}
