import { type ErrorCode, Problem } from '../core/errors.ts'
import type { Kind } from './lookup.ts'

/** A body that Discord would answer with an error. */
interface DiscordError {
  message: string
  code: number
  errors?: object
  retry_after?: number
  global?: boolean
}

/** Kinds of things in the paths of Discord's routes. */
export type Named =
  Kind | 'member' | 'webhook' | 'invite' | 'ban' | 'thread' | 'reaction' | 'stage' | 'event' | 'rule' | 'overwrite'

/** Discord's codes for what does not exist. */
const UNKNOWN: Record<Named, [code: number, name: string]> = {
  channel: [10003, 'Channel'],
  thread: [10003, 'Channel'],
  server: [10004, 'Guild'],
  invite: [10006, 'Invite'],
  member: [10007, 'Member'],
  message: [10008, 'Message'],
  role: [10011, 'Role'],
  user: [10013, 'User'],
  emoji: [10014, 'Emoji'],
  reaction: [10014, 'Emoji'],
  webhook: [10015, 'Webhook'],
  overwrite: [10009, 'Overwrite'],
  ban: [10026, 'Ban'],
  interaction: [10062, 'interaction'],
  command: [10063, 'application command'],
  file: [10008, 'Message'],
  sticker: [10060, 'Sticker'],
  stage: [10067, 'Stage Instance'],
  event: [10070, 'Guild Scheduled Event'],
  sound: [10097, 'Soundboard Sound'],
  audit: [10000, 'Audit Log Entry'],
  rule: [10066, 'Auto Moderation Rule'],
}

/** The thing that a route names does not exist, or not for this bot. */
export class Unknown extends Error {
  constructor(readonly named: Named) {
    super(`Unknown ${named}`)
  }
}

/** An act that Discord refuses by a code of its own. */
export class Refused extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly status = 400,
  ) {
    super(message)
  }
}

/** Parley's codes that Discord has one for; others have Discord's general code of their status. */
const CODES: Partial<Record<ErrorCode, [status: number, code: number]>> = {
  missing_permission: [403, 50013],
  forbidden: [403, 50001],
  cannot_contact: [403, 50007],
  not_for_bots: [403, 20001],
  banned: [403, 40007],
  automod_blocked: [400, 200000],
  interaction_gone: [404, 10062],
  payload_too_large: [413, 40005],
  too_many_pins: [400, 30003],
  too_many_roles: [400, 30005],
  too_many_webhooks: [400, 30007],
  too_many_emoji: [400, 30008],
  too_many_stickers: [400, 30039],
  too_many_reactions: [400, 30010],
  too_many_channels: [400, 30013],
  too_many_invites: [400, 30016],
  thread_exists: [400, 160004],
  validation_failed: [400, 50035],
  malformed_json: [400, 50109],
  slowmode: [429, 20016],
}

const GENERAL: Record<number, number> = { 400: 50035, 401: 0, 403: 50001, 404: 0, 405: 0, 409: 30000, 415: 50109 }

/** The errors of fields as a tree, as Discord writes them. */
function errorTree(errors: { path: string; message: string }[]): object {
  const tree: Record<string, unknown> = Object.create(null)
  for (const { path, message } of errors) {
    let node = tree
    // Names come from a request: without a prototype, none of them means anything else.
    for (const step of path.split('.').slice(1)) {
      const next = Object.hasOwn(node, step) ? node[step] : (node[step] = Object.create(null))
      node = next as Record<string, unknown>
    }
    node._errors = [{ code: 'INVALID_VALUE', message }]
  }
  return tree
}

const answer = (status: number, body: DiscordError, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

/**
 * Answers an error in Discord's format.
 * @param named what the route's last id names, for what is not found
 */
export function refusal(error: unknown, named: Named | undefined): Response {
  if (error instanceof Unknown) return unknownAnswer(error.named)
  if (error instanceof Refused) return answer(error.status, { message: error.message, code: error.code })
  const problem = error instanceof Problem ? error : new Problem('internal')
  const { code, status, detail, options } = problem
  if (code === 'not_found' && named) return unknownAnswer(named)
  if (status === 401) return answer(401, { message: '401: Unauthorized', code: 0 })
  if (status === 429) {
    const seconds = options.retry_after ?? 1
    const slow = code === 'slowmode' ? 20016 : 0
    return answer(
      429,
      { message: 'You are being rate limited.', retry_after: seconds, global: false, code: slow },
      { 'retry-after': String(seconds), 'x-ratelimit-scope': 'user' },
    )
  }
  const [discordStatus, discordCode] = CODES[code] ?? [
    status === 422 || status === 409 ? 400 : status,
    GENERAL[status] ?? 0,
  ]
  const errors = options.errors ? { errors: errorTree(options.errors) } : {}
  const message = discordCode === 50035 ? 'Invalid Form Body' : discordCode === 50013 ? 'Missing Permissions' : detail
  return answer(discordStatus, { message, code: discordCode, ...errors })
}

const unknownAnswer = (named: Named): Response => {
  const [code, name] = UNKNOWN[named]
  return answer(404, { message: `Unknown ${name}`, code })
}
