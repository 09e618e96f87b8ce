import { bit, type Row, server } from './authorisation-rows.ts'

const PRUNE = { joined_after: '2036-01-01T00:00:00.000Z', action: 'kick', dry_run: true }

export const RAIDS: Record<string, Row> = {
  'GET /api/servers/:server_id/verification': bit('manage_server', 200, server('/verification?verification=mail')),
  'GET /api/servers/:server_id/raid': bit('moderate_members', 200, server('/raid')),
  'PUT /api/servers/:server_id/raid': bit('moderate_members', 200, server('/raid', { on: false })),
  'POST /api/servers/:server_id/members/prune': bit('kick_members', 200, server('/members/prune', PRUNE)),
}
