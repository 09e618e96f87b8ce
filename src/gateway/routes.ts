import { createHash, randomBytes } from 'node:crypto'
import { callerOf } from '../http/caller.ts'
import type { Parts } from '../parts.ts'
import { Elysia } from 'elysia'
import { BODY_CODES, found, Problem, TOKEN_CODES } from '../core/errors.ts'
import { answers, NoBody } from '../core/schema.ts'
import { admitAddress, isOwnOrigin, presentedToken, signedIn } from '../features/sessions/identity.ts'
import type { Sessions } from '../features/sessions/store.ts'
import { INTENTS, parseIntents } from './intents.ts'
import { parseChoice, SERVERS_NAMED_MAX } from './lazy-servers.ts'
import { GATEWAY_VERSION, Ticket, TICKET_SECONDS } from './model.ts'
import { newSocketData, type SocketServer } from './socket.ts'
import { variantOf } from './variants.ts'

const digest = (ticket: string) => createHash('sha256').update(ticket).digest()

/** One-time tickets, for clients that keep their token out of URLs. */
export const ticketRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia().use(signedIn(parts, sessions)).post(
    '/api/auth/ws-ticket',
    async ({ me, status }) => {
      if (me.unverified) throw new Problem('email_unverified')
      const ticket = randomBytes(24).toString('base64url')
      const [row] = await parts.write(
        (sql) => sql<{ expires_at: string }[]>`
          insert into ws_tickets (hash, session_id, expires_at)
          select ${digest(ticket)}, id, now() + ${TICKET_SECONDS} * interval '1 second'
          from sessions where id = ${me.session_id} for key share returning expires_at`,
      )
      return status(201, { ticket, ...found(row, 'token_revoked') })
    },
    {
      body: NoBody,
      detail: { summary: 'Get a one-time ticket for the gateway, good for 30 s', tags: ['Gateway'] },
      response: answers({ 201: Ticket }, ...BODY_CODES, ...TOKEN_CODES),
    },
  )

/**
 * Authenticates a request to /ws and upgrades it. Refusals come before the upgrade, as a problem.
 * @returns undefined when the request became a socket
 * @throws Problem `unauthorized`, `token_expired`, `token_revoked`, `csrf`, `email_unverified`, `bad_request`,
 * `rate_limited`, `method_not_allowed`
 */
export async function upgrade(
  parts: Parts,
  sessions: Sessions,
  request: Request,
  server: SocketServer,
): Promise<Response | undefined> {
  const caller = callerOf(request)
  caller.route = '/ws'
  if (request.method !== 'GET') throw new Problem('method_not_allowed', undefined, { headers: { allow: 'GET' } })
  const query = new URL(request.url).searchParams
  await admitAddress(parts, caller)
  const me = await authenticate(parts, sessions, request, query)
  caller.user_id = me.id
  if (me.unverified) throw new Problem('email_unverified')
  if ((query.get('v') ?? GATEWAY_VERSION) !== GATEWAY_VERSION)
    throw new Problem('bad_request', 'Unknown gateway version')
  const s = query.get('s')
  if (s !== null && !/^\d{1,15}$/.test(s)) throw new Problem('bad_request', '`s` must be decimal digits')
  const requestedIntents = query.get('intents')
  const intents = requestedIntents === null ? undefined : parseIntents(requestedIntents)
  if (requestedIntents !== null && intents === undefined)
    throw new Problem('bad_request', `\`intents\` must be among ${INTENTS.join(', ')}`)
  const compress = query.get('compress')
  if (compress !== null && compress !== 'deflate') throw new Problem('bad_request', '`compress` must be deflate')
  const variant = variantOf(intents, compress !== null)
  const named = query.get('servers')
  const servers = named === null ? undefined : parseChoice(named)
  if (named !== null && !servers)
    throw new Problem('bad_request', `\`servers\` must be \`recent\` and at most ${SERVERS_NAMED_MAX} ids`)
  const isUpgraded = server.upgrade(request, {
    data: newSocketData(me, s === null ? undefined : Number(s), caller.base, variant, servers),
    headers: { 'x-request-id': caller.request_id },
  })
  if (!isUpgraded) throw new Problem('bad_request', 'This is a WebSocket endpoint')
  return undefined
}

async function authenticate(parts: Parts, sessions: Sessions, request: Request, query: URLSearchParams) {
  const ticket = query.get('ticket')
  if (ticket !== null) return redeem(parts, ticket)
  const token = query.get('token')
  if (token !== null) return sessions.authenticate(token, false)
  const { base } = callerOf(request)
  const credentials = presentedToken(request, base)
  if (!credentials) throw new Problem('unauthorized')
  // Browsers send the cookie with sockets opened by any page, so check that the page is ours.
  if (credentials.cookie && !isOwnOrigin(request, base, parts.environment.CORS_ORIGINS)) throw new Problem('csrf')
  return sessions.authenticate(credentials.token, false)
}

/** Redeems a ticket, which is then spent. */
async function redeem({ write }: Parts, ticket: string) {
  const [session] = await write(
    (sql) => sql<{ session_id: number; user_id: number; expires_at: string; is_bot: boolean; is_guest: boolean }[]>`
      with used as (delete from ws_tickets where hash = ${digest(ticket)} returning session_id, expires_at)
      select s.id as session_id, s.user_id, s.expires_at, u.kind = 'bot' as is_bot, u.kind = 'guest' as is_guest
      from used join sessions s on s.id = used.session_id join users u on u.id = s.user_id
      where used.expires_at > now() and s.expires_at > now()`,
  )
  const { session_id, user_id, expires_at, is_bot } = found(session, 'unauthorized')
  // Tickets are only issued to accounts with a confirmed e-mail address.
  const unverified = false
  return { id: user_id, session_id, tokenExpiresS: Math.floor(Date.parse(expires_at) / 1000), unverified, is_bot }
}
