import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { bit, type Call, channel, open, type Row, server, type World } from './authorisation-rows.ts'

/** A webhook of the channel's, made by SQL: its id and its token. */
export async function hook({ sql, channel_id, owner }: Pick<World, 'sql' | 'channel_id' | 'owner'>) {
  const [{ id }] = await sql<[{ id: number }]>`
    insert into users (username, email, password_hash, display_name, kind, deleted_at)
    values (${randomUUID()}, ${randomUUID()}, 'none', 'Grafana', 'webhook', now()) returning id`
  await sql`insert into webhooks ${sql({ id, channel_id, creator_id: owner.id })}`
  const token = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(token).digest()
  await sql`insert into webhook_tokens ${sql({ webhook_id: id, hash })}`
  return { id, token }
}

const managed =
  (rest = '', body?: unknown) =>
  async (world: World): Promise<Call> => ({ path: `/api/webhooks/${(await hook(world)).id}${rest}`, body })

/** Only by the URL, whoever sends. */
const posted =
  (rest: string, body: unknown) =>
  async (world: World): Promise<Call> => {
    const { id, token } = await hook(world)
    return { path: `/hooks/${id}/${token}${rest}`, body }
  }

const ofMessage = (body?: unknown) => async (world: World) => {
  const { id, token } = await hook(world)
  const [row] = await world.sql<[{ id: number }]>`insert into messages (channel_id, author_id, content)
    values (${world.channel_id}, ${id}, 'Hello') returning id`
  return { path: `/hooks/${id}/${token}/messages/${row.id}`, body }
}

/** The rows of webhooks. */
export const WEBHOOKS: Record<string, Row> = {
  'POST /api/channels/:channel_id/webhooks': bit('manage_webhooks', 201, async (world) => {
    await world.sql`delete from webhooks where channel_id = ${world.channel_id}`
    return { path: `/api/channels/${world.channel_id}/webhooks`, body: { name: 'Grafana' } }
  }),
  'GET /api/channels/:channel_id/webhooks': bit('manage_webhooks', 200, channel('/webhooks')),
  // The list is empty for members without the bit.
  'GET /api/servers/:server_id/webhooks': bit('manage_webhooks', 200, server('/webhooks'), { plain: 200 }),
  'PUT /api/webhooks/:webhook_id': bit('manage_webhooks', 200, managed('', { name: 'Owl' })),
  'POST /api/webhooks/:webhook_id/rotate': bit('manage_webhooks', 200, managed('/rotate')),
  'DELETE /api/webhooks/:webhook_id': bit('manage_webhooks', 204, managed()),
  'GET /hooks/:webhook_id/:token': open(200, posted('', undefined)),
  'POST /hooks/:webhook_id/:token': open(204, posted('', { content: 'Hello' })),
  'PATCH /hooks/:webhook_id/:token': open(200, posted('', { name: 'Owl' })),
  'DELETE /hooks/:webhook_id/:token': open(204, posted('', undefined)),
  'GET /hooks/:webhook_id/:token/messages/:message_id': open(200, ofMessage()),
  'PATCH /hooks/:webhook_id/:token/messages/:message_id': open(200, ofMessage({ content: 'Hello again' })),
  'DELETE /hooks/:webhook_id/:token/messages/:message_id': open(204, ofMessage()),
  'POST /hooks/:webhook_id/:token/slack': open(200, posted('/slack', { text: 'Hello' })),
  'POST /hooks/:webhook_id/:token/github': open(204, posted('/github', { zen: 'Hello' })),
}
