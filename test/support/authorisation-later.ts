import { CALENDAR } from './authorisation-calendar.ts'
import { POLLS } from './authorisation-polls.ts'
import { STAGES } from './authorisation-stages.ts'
import { account, bit, channel, message, type Row, type World } from './authorisation-rows.ts'

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

/** A scheduled message of the target's, which is there for nobody else. */
async function ofTarget({ sql, target, channel_id }: World): Promise<string> {
  const row = { author_id: target.id, channel_id, content: 'Later', reply_mention: true }
  const [{ id }] = await sql<[{ id: number }]>`
    insert into scheduled_messages ${sql({ ...row, send_at: inAnHour(), due_at: inAnHour() })} returning id`
  return `/api/scheduled/${id}`
}

/** Rows of saved and scheduled messages, polls, events and stages. */
export const LATER: Record<string, Row> = {
  ...POLLS,
  ...CALENDAR,
  ...STAGES,
  'POST /api/channels/:channel_id/scheduled': bit(
    'send_messages',
    201,
    channel('/scheduled', { draft: { content: 'Later' }, send_at: inAnHour() }),
    { bot: 403, bot_elsewhere: 403 },
  ),
  'GET /api/scheduled': account(200, () => ({ path: '/api/scheduled' })),
  'PUT /api/scheduled/:scheduled_id': account(404, async (world) => ({
    path: await ofTarget(world),
    body: { send_at: inAnHour() },
  })),
  'DELETE /api/scheduled/:scheduled_id': account(404, async (world) => ({ path: await ofTarget(world) })),
  'POST /api/scheduled/confirm': account(204, () => ({ path: '/api/scheduled/confirm' })),
  'GET /api/saved': account(200, () => ({ path: '/api/saved' })),
  'PUT /api/saved/:message_id': bit('read_history', 200, async (world) => ({
    path: (await message(world, world.target)).replace('messages', 'saved'),
    body: { note: 'Answer this' },
  })),
  'DELETE /api/saved/:message_id': account(204, () => ({ path: '/api/saved/1' })),
}
