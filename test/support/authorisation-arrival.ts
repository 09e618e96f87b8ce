import { bit, member, type Row, server } from './authorisation-rows.ts'

export const ARRIVAL: Record<string, Row> = {
  'GET /api/servers/:server_id/rules': member(200, server('/rules')),
  'PUT /api/servers/:server_id/rules': bit('manage_server', 200, server('/rules', { content: 'Be kind.' })),
  'PUT /api/servers/:server_id/members/@me/rules': member(200, server('/members/@me/rules', { version: null }), {
    bot: 403,
    bot_elsewhere: 403,
  }),
}
