/**
 * Routes closed to bots: the account itself and its ways to log in, applications, friends, the operator's page, the
 * search for people, reporting, and joining or creating a server. A path that ends with a slash includes all below it.
 */
const CLOSED = [
  '/api/auth/',
  '/api/applications',
  '/api/applications/',
  '/api/friends',
  '/api/friends/',
  '/api/operator/',
  '/api/users/search',
  '/api/users/@me/imported-messages',
  '/api/messages/:message_id/reports',
  '/api/users/:user_id/reports',
  'POST /api/interactions',
  '/api/channels/:channel_id/commands',
  'POST /api/servers',
  'POST /api/servers/:server_id/transfer',
  'PUT /api/servers/:server_id/applications/:application_id',
  'POST /api/invites/:invite/join',
  'PUT /api/channels/:channel_id/recipients/:user_id',
]

/** Exceptions to CLOSED. */
const OPEN = new Set(['GET /api/auth/me', 'POST /api/auth/ws-ticket'])
const OWN = '/api/applications/@me'

/** True if a route, by its pattern, refuses bots. */
export function isClosedToBots(method: string, route: string): boolean {
  if (OPEN.has(`${method} ${route}`) || route === OWN || route.startsWith(`${OWN}/`)) return false
  return CLOSED.some((pattern) =>
    pattern.endsWith('/') ? route.startsWith(pattern) : pattern === route || pattern === `${method} ${route}`,
  )
}
