import { randomUUID } from 'node:crypto'
import { permissions } from '../../src/core/permissions.ts'
import { bit, type Row, type World } from './authorisation-rows.ts'

/** A stage where everybody has two of a moderator's three permissions; the third is the row's. */
async function stageOf({ sql, server_id, owner }: World, isRunning: boolean): Promise<string> {
  const stage = { id: 1, topic: 'Owls', started_by: owner.id, started_at: new Date().toISOString() }
  const [{ id }] = await sql<[{ id: number }]>`
    insert into channels (server_id, name, type, position, stage)
    values (${server_id}, ${randomUUID()}, 'stage', 1, ${isRunning ? JSON.stringify(stage) : null}::text::json)
    returning id`
  await sql`insert into overwrites (channel_id, role_id, allow, deny)
    select ${id}, r.id, ${permissions('mute_members', 'move_members')}, 0
    from roles r where r.server_id = ${server_id} and r.is_everyone`
  return `/api/channels/${id}/stage`
}

/** Rows of stages. */
export const STAGES: Record<string, Row> = {
  'POST /api/channels/:channel_id/stage': bit('manage_channels', 201, async (world) => ({
    path: await stageOf(world, false),
    body: { topic: 'Owls' },
  })),
  'PUT /api/channels/:channel_id/stage': bit('manage_channels', 200, async (world) => ({
    path: await stageOf(world, true),
    body: { topic: 'Terns' },
  })),
  'DELETE /api/channels/:channel_id/stage': bit('manage_channels', 204, async (world) => ({
    path: await stageOf(world, true),
  })),
}
