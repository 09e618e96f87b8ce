/** How long a guest's account and its only token last. */
export const GUEST_HOURS = 24

/**
 * The only routes that are open to guests; there, the permissions in their one server decide further. A new route is
 * closed until it is listed here.
 */
const OPEN = new Set([
  'GET /api/auth/me',
  'POST /api/auth/register/claim',
  'POST /api/auth/logout',
  'POST /api/auth/logout-all',
  'POST /api/auth/ws-ticket',
  'GET /api/users/:user_id',
  'POST /api/users/:user_id/reports',
  'GET /api/users/@me/warnings',
  'POST /api/users/@me/warnings/:case_id/read',
  'GET /api/servers',
  'GET /api/servers/:server_id',
  'GET /api/servers/:server_id/channels',
  'GET /api/servers/:server_id/emoji',
  'GET /api/servers/:server_id/sounds',
  'GET /api/servers/:server_id/stickers',
  'GET /api/servers/:server_id/members',
  'GET /api/servers/:server_id/members/online',
  'DELETE /api/servers/:server_id/members/@me',
  'PUT /api/servers/:server_id/members/@me/rules',
  'GET /api/servers/:server_id/members/:user_id/roles',
  'GET /api/servers/:server_id/onboarding',
  'POST /api/servers/:server_id/read-all',
  'GET /api/servers/:server_id/roles',
  'GET /api/servers/:server_id/rules',
  'GET /api/servers/:server_id/welcome',
  'GET /api/roles/:role_id',
  'GET /api/channels/:channel_id',
  'GET /api/channels/:channel_id/first-message',
  'PUT /api/channels/:channel_id/followers/@me',
  'DELETE /api/channels/:channel_id/followers/@me',
  'GET /api/channels/:channel_id/messages',
  'POST /api/channels/:channel_id/messages',
  'GET /api/channels/:channel_id/permissions',
  'GET /api/channels/:channel_id/permissions/explain',
  'GET /api/channels/:channel_id/pins',
  'GET /api/channels/:channel_id/threads',
  'POST /api/channels/:channel_id/unread',
  'GET /api/channels/:channel_id/voice-states',
  'GET /api/messages/:message_id',
  'PUT /api/messages/:message_id',
  'DELETE /api/messages/:message_id',
  'PUT /api/messages/:message_id/embeds/suppressed',
  'GET /api/messages/:message_id/files',
  'PUT /api/messages/:message_id/poll/votes',
  'GET /api/messages/:message_id/poll/answers/:answer_id/voters',
  'GET /api/messages/:message_id/reactions/:emoji',
  'PUT /api/messages/:message_id/reactions/:emoji/@me',
  'DELETE /api/messages/:message_id/reactions/:emoji/@me',
  'POST /api/messages/:message_id/reports',
  'GET /api/search',
  'POST /api/emoji/used',
  'GET /api/mentions',
  'GET /api/unread',
  'GET /api/notifications',
  'PUT /api/notifications/channels/:channel_id',
  'DELETE /api/notifications/channels/:channel_id',
  'PUT /api/notifications/servers/:server_id',
  'DELETE /api/notifications/servers/:server_id',
  'POST /api/files',
  'POST /api/files/download-urls',
  'POST /api/files/upload-url',
  'GET /api/files/:file_id',
  'DELETE /api/files/:file_id',
  'GET /api/files/:file_id/download-url',
  'GET /api/voice/ice-servers',
  'POST /api/voice/sfu-tests',
])

/** True if a route, by its pattern, refuses guests. */
export const isClosedToGuests = (method: string, route: string): boolean =>
  !OPEN.has(`${method === 'HEAD' ? 'GET' : method} ${route}`)

/** The routes that are open to guests, for a test. */
export const guestRoutes: readonly string[] = [...OPEN]
