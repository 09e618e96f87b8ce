import { randomUUID } from 'node:crypto'
import { type Call, invite, message, operator, type Row, type World } from './authorisation-rows.ts'

const at = (path: string, body?: unknown): Row['prepare'] => {
  return () => ({ path: `/api/operator${path}`, body })
}

/** A new account that nobody else knows of. */
async function somebody({ sql }: World): Promise<number> {
  const username = `carol-${randomUUID().slice(0, 12)}`
  const row = { username, email: `${username}@example.org`, password_hash: 'none', display_name: 'Carol' }
  const [{ id }] = await sql<[{ id: number }]>`insert into users ${sql(row)} returning id`
  return id
}

const onAccount =
  (rest = '', body?: unknown) =>
  async (world: World): Promise<Call> => ({ path: `/api/operator/accounts/${await somebody(world)}${rest}`, body })

/** A report for operators, with a file, of a message that is in no server. */
async function secretReport(world: World): Promise<{ path: string }> {
  const { sql, target } = world
  const path = await message(world, target)
  const subject_id = Number(path.split('/').at(-1))
  const row = { subject: 'message', subject_id, author_id: target.id, for_operator: true }
  const [{ id: report_id }] = await sql<[{ id: number }]>`insert into reports ${sql(row)} returning id`
  const fileRow = { report_id, file_id: 1, filename: 'owl.txt', content_type: 'text/plain', size: 3, key: 'files/owl' }
  await sql`insert into report_files ${sql(fileRow)}`
  return { path: `/api/operator/reports/${report_id}` }
}
const onReport =
  (rest = '', body?: unknown) =>
  async (world: World): Promise<Call> => ({ path: (await secretReport(world)).path + rest, body })

/** The rows of the operator's page. */
export const OPERATOR: Record<string, Row> = {
  'GET /api/operator/figures': operator(200, at('/figures')),
  'GET /api/operator/samples': operator(200, at('/samples?span=hour')),
  'GET /api/operator/health': operator(200, at('/health')),
  'GET /api/operator/storage': operator(200, at('/storage')),
  'GET /api/operator/log': operator(200, at('/log')),
  'GET /api/operator/backups': operator(200, at('/backups')),
  // The operator is let in as far as to hear that the body is wrong: other tests want a server without a backup.
  'POST /api/operator/backups': operator(422, at('/backups', { now: true })),
  'GET /api/operator/registration': operator(200, at('/registration')),
  'PUT /api/operator/registration': operator(200, at('/registration', { chosen: null })),
  'GET /api/operator/servers': operator(200, at('/servers?q=Birdwatchers')),
  'DELETE /api/operator/servers/:server_id': operator(204, ({ server_id }) => ({
    path: `/api/operator/servers/${server_id}`,
  })),
  'GET /api/operator/invites': operator(200, at('/invites')),
  'DELETE /api/operator/invites/:invite': operator(204, async (world) => ({
    path: `/api/operator/invites/${(await invite(world)).id}`,
  })),
  'GET /api/operator/reports': operator(200, at('/reports')),
  'GET /api/operator/reports/:report_id': operator(200, onReport()),
  'PUT /api/operator/reports/:report_id': operator(200, onReport('', { state: 'dismissed' })),
  'DELETE /api/operator/reports/:report_id/message': operator(204, onReport('/message')),
  'GET /api/operator/reports/:report_id/files/:file_id/download-url': operator(200, onReport('/files/1/download-url')),
  'GET /api/operator/accounts': operator(200, at('/accounts?q=carol')),
  'GET /api/operator/accounts/:user_id': operator(200, onAccount()),
  'DELETE /api/operator/accounts/:user_id': operator(204, onAccount()),
  'PUT /api/operator/accounts/:user_id/suspension': operator(200, onAccount('/suspension', { reason: 'spam' })),
  'DELETE /api/operator/accounts/:user_id/suspension': operator(200, async (world) => {
    const id = await somebody(world)
    await world.sql`update users set suspended_at = now(), suspended_reason = 'spam' where id = ${id}`
    return { path: `/api/operator/accounts/${id}/suspension` }
  }),
  'POST /api/operator/accounts/:user_id/reset': operator(200, onAccount('/reset')),
  'POST /api/operator/accounts/:user_id/reset-link': operator(200, onAccount('/reset-link')),
  'DELETE /api/operator/accounts/:user_id/sessions': operator(200, onAccount('/sessions')),
  'DELETE /api/operator/accounts/:user_id/sessions/:session_id': operator(200, async (world) => {
    const userId = await somebody(world)
    const [{ id }] = await world.sql<[{ id: number }]>`insert into sessions (user_id, expires_at, ip)
      values (${userId}, now() + interval '1 day', '127.0.0.1') returning id`
    return { path: `/api/operator/accounts/${userId}/sessions/${id}` }
  }),
}
