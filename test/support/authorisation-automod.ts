import { bit, type Row, server, type World } from './authorisation-rows.ts'

const DRAFT = {
  name: 'Words',
  trigger: { type: 'words', words: ['heron'], allow: [] },
  actions: [{ type: 'block', message: null }],
}

/** A rule of the server, which changes nothing of other rows. */
async function rule({ sql, server_id }: World): Promise<string> {
  await sql`delete from automod_rules where server_id = ${server_id}`
  const [{ id }] = await sql<[{ id: number }]>`insert into automod_rules
    (server_id, name, enabled, trigger, actions, exempt_role_ids, exempt_channel_ids, covers_bots, covers_webhooks)
    values (${server_id}, 'Words', false, ${sql.json(DRAFT.trigger)}, ${sql.json(DRAFT.actions)}, '{}', '{}', false,
      false) returning id`
  return `/api/automod/${id}`
}

export const AUTOMOD: Record<string, Row> = {
  'GET /api/servers/:server_id/automod': bit('manage_server', 200, server('/automod')),
  'POST /api/servers/:server_id/automod': bit('manage_server', 201, server('/automod', { ...DRAFT, enabled: false })),
  'GET /api/servers/:server_id/automod/hits': bit('moderate_members', 200, server('/automod/hits')),
  'POST /api/servers/:server_id/automod/test': bit('manage_server', 200, server('/automod/test', { content: 'heron' })),
  'PUT /api/automod/:rule_id': bit('manage_server', 200, async (world) => ({ path: await rule(world), body: DRAFT })),
  'DELETE /api/automod/:rule_id': bit('manage_server', 204, async (world) => ({ path: await rule(world) })),
}
