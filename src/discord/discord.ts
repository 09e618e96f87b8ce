import { withReason } from '../core/act-reason.ts'
import { errorFields } from '../core/log.ts'
import { Problem } from '../core/errors.ts'
import { parseJson } from '../core/json.ts'
import { BODY_BYTES_MAX, readBounded } from '../http/body.ts'
import { type Caller, callerOf } from '../http/caller.ts'
import type { BucketPolicy } from '../http/limits/limiter.ts'
import { databaseProblem } from '../database/database.ts'
import { Answers } from '../features/interactions/answer.ts'
import type { SendGroups } from '../features/messages/send-groups.ts'
import { admitAddress, presentedToken } from '../features/sessions/identity.ts'
import type { Sessions } from '../features/sessions/store.ts'
import { type HookBody, type HookFile, withBody } from '../features/webhooks/body.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { SocketServer } from '../gateway/socket.ts'
import type { Parts } from '../parts.ts'
import type { Voice } from '../voice/voice.ts'
import { Bots } from './gateway/bots.ts'
import { Connections } from './gateway/connections.ts'
import { FileLinks } from './file-links.ts'
import { refusal } from './refusals.ts'
import { Call, type OwnApi, type Reply, type Tools } from './rest/call.ts'
import { openLink } from './rest/file-links.ts'
import { isHookAlias, passToHook } from './rest/hook-alias.ts'
import { ownerOf } from './rest/interactions.ts'
import { reasonIn } from './rest/reasons.ts'
import { openRouter, type Route } from './rest/router.ts'
import { discordRoutes } from './rest/routes.ts'
import { BotCalls, type CallKeeping } from './voice/bot-calls.ts'
import { withWholeIds } from './whole-ids.ts'

/**
 * The door for programs that were made for Discord. It translates Discord's REST API and gateway to Parley's, and back:
 * a request becomes requests to Parley's own API, and a connection becomes a socket of Parley's own gateway. It decides
 * nothing itself about what a bot may do or see.
 */

const PREFIX = '/discord/'
const API = /^\/discord\/api(?:\/v(\d{1,3}))?(\/.*)$/
const VERSIONS = ['9', '10']
/** All requests of a bot, as on our own door. */
const REQUESTS: BucketPolicy = { name: 'discord', burst: 100, refillPerS: 50 }
/** JSON values in a body: commands have many. */
const VALUES_MAX = 20_000

export interface Discord {
  /** True for paths that belong to Discord's door. */
  takes(path: string): boolean
  /** @returns undefined when the request became a socket */
  fetch(request: Request, server: SocketServer): Promise<Response | undefined>
  /** Ends the calls of bots. Call before their connections to the gateway close, so that libraries wait for them. */
  endCalls(): void
  /** Keeps the sessions of bots, which resume when the server runs again. */
  stop(): Promise<void>
}

/**
 * Opens Discord's door.
 * @param api runs a request of Parley's own API
 * @returns undefined if the operator has turned it off
 */
export function openDiscord(
  parts: Parts,
  sessions: Sessions,
  gateway: Gateway,
  groups: SendGroups,
  voice: Voice,
  api: OwnApi,
): Discord | undefined {
  if (parts.environment.DISCORD_API === 'off') return undefined
  const links = FileLinks.open(parts.secrets, parts.environment.PUBLIC_URL ?? '')
  const openCalls = (tools: CallKeeping) => new BotCalls({ ...tools, parts, voice, links })
  const bots = new Bots(parts, sessions, gateway, links, openCalls)
  const connections = new Connections(parts, bots)
  const routes = discordRoutes(new Answers(parts, groups))
  const match = openRouter(routes)
  const { facts, ids } = bots
  const tools: Tools = { parts, presence: gateway.presence, voice: voice.handlers, facts, ids, links, api }

  /** The account of a request's token. @throws Problem `unauthorized`, `not_for_bots`, `rate_limited` */
  async function authenticate(request: Request, caller: Caller) {
    const { token: presented = '', cookie = false } = presentedToken(request, caller.base) ?? {}
    // Browsers send cookies by themselves, also for other pages.
    const token = cookie ? '' : presented
    const me = await sessions.authenticate(token).catch(async (error: unknown) => {
      await admitAddress(parts, caller)
      throw error
    })
    if (!me.is_bot) throw new Problem('unauthorized')
    caller.user_id = me.id
    await parts.limits.take(caller, REQUESTS, `user:${me.id}`)
    return { me, token }
  }

  /** @throws Problem `malformed_json`, `payload_too_large`, `rate_limited` */
  async function bodyOf(request: Request, caller: Caller, { isOpen }: Route): Promise<unknown> {
    const bytes = await readBounded(request, BODY_BYTES_MAX)
    caller.bodyBytes = bytes.length
    if (isOpen) await admitAddress(parts, caller)
    return bytes.length === 0 ? {} : parseJson(withWholeIds(bytes), VALUES_MAX)
  }

  async function answer(request: Request, caller: Caller): Promise<Response> {
    const url = new URL(request.url)
    const [, version = '10', path = ''] = API.exec(url.pathname) ?? []
    const matched = VERSIONS.includes(version) ? match(request.method, path) : undefined
    caller.route = matched ? `${PREFIX}api${matched.route.pattern}` : `${PREFIX}api/*`
    try {
      if (!matched) {
        await admitAddress(parts, caller)
        return refusal(new Problem('not_found', '404: Not Found'), undefined)
      }
      const { route, params } = matched
      // Anybody can reach an open route: its address is counted before the body is read.
      if (route.isOpen) await admitAddress(parts, caller)
      const { me, token } = route.isOpen ? { me: undefined, token: '' } : await authenticate(request, caller)
      const reason = reasonIn(request.headers)
      const callWith = (body: unknown, files: HookFile[]) =>
        new Call(tools, me, caller, token, params, url.searchParams, body, files, reason)
      const runWith = async (body: unknown, files: HookFile[]) => {
        const run = () => route.run(callWith(body, files))
        return replyOf(await (me && reason !== undefined ? withReason(me.id, reason, run) : run()), caller)
      }
      if (!isForm(request)) return await runWith(await bodyOf(request, caller, route), [])
      const creator_id = me?.id ?? (await ownerOf(callWith({}, [])))
      const run = ({ fields, files }: HookBody) => runWith(fields, files)
      return await withBody(parts, request, caller, { creator_id }, run, withWholeIds)
    } catch (error) {
      const problem = error instanceof Error ? (databaseProblem(error) ?? error) : error
      const response = refusal(problem, matched?.route.named)
      if (response.status >= 500)
        parts.log('error', 'discord.failed', {
          request_id: caller.request_id,
          route: caller.route,
          ...errorFields(error),
        })
      return withLimits(response, caller)
    }
  }

  return {
    takes: (path) => path.startsWith(PREFIX) || isHookAlias(path),
    async fetch(request, server) {
      const caller = callerOf(request)
      const path = caller.path ?? ''
      if (isHookAlias(path)) return passToHook(api, bots.ids, request, caller)
      if (path.startsWith(`${PREFIX}files/`))
        return openLink(parts, links, caller).catch((error: unknown) => refusal(error, undefined))
      if (path === `${PREFIX}gateway` || path === `${PREFIX}gateway/`) return connections.upgrade(request, server)
      if (path === `${PREFIX}voice` || path === `${PREFIX}voice/`) return bots.calls.upgrade(request, server)
      return answer(request, caller)
    },
    endCalls: () => bots.calls.stop(),
    stop: () => bots.stop(),
  }
}

const isForm = ({ headers }: Request): boolean => /^multipart\/form-data\b/i.test(headers.get('content-type') ?? '')

function replyOf(reply: Reply, caller: Caller): Response {
  if (reply instanceof Response) return reply
  // Exactly this type: discord.py reads no other as JSON.
  const headers = { 'content-type': 'application/json' }
  const response =
    reply === undefined ? new Response(null, { status: 204 }) : new Response(JSON.stringify(reply), { headers })
  return withLimits(response, caller)
}

/** Adds the headers that libraries wait by. */
function withLimits(response: Response, { headers }: Caller): Response {
  const [, name, remaining, seconds] = /^"([^"]+)";r=(\d+);t=(\d+)$/.exec(headers.ratelimit ?? '') ?? []
  const [, quota] = /;q=(\d+);/.exec(headers['ratelimit-policy'] ?? '') ?? []
  if (name === undefined || quota === undefined) return response
  response.headers.set('x-ratelimit-bucket', name)
  response.headers.set('x-ratelimit-limit', quota)
  response.headers.set('x-ratelimit-remaining', remaining ?? '0')
  response.headers.set('x-ratelimit-reset-after', seconds ?? '1')
  response.headers.set('x-ratelimit-reset', String(Date.now() / 1000 + Number(seconds)))
  return response
}
