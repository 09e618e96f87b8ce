import { Elysia, ParseError, ValidationError } from 'elysia'
import { z } from 'zod'
import { attachCaller, callerOf } from '../http/caller.ts'
import { databaseProblem, violatedConstraint } from '../database/database.ts'
import { errorFields } from '../core/log.ts'
import { objectStoreProblem } from '../storage/object-store.ts'
import type { Parts } from '../parts.ts'
import { readBody } from '../http/body.ts'
import { type ErrorCode, errorCodes, Problem } from '../core/errors.ts'
import { validationProblem } from '../core/validation.ts'
import { docs } from './docs.ts'
import { ownDataRoutes } from '../features/accounts/own-data.ts'
import { privacyRoutes } from '../features/accounts/privacy.ts'
import { accountRoutes, ownAccountRoutes } from '../features/accounts/routes.ts'
import { auditRoutes } from '../features/audit/routes.ts'
import { channelRoutes } from '../features/channels/routes.ts'
import { conversationRoutes, directMessageRoutes } from '../features/dms/routes.ts'
import { fileRoutes, uploadRoutes } from '../features/files/routes.ts'
import { friendRoutes, relationRoutes } from '../features/friends/routes.ts'
import type { Hub } from '../gateway/hub.ts'
import { ticketRoutes } from '../gateway/routes.ts'
import { inviteRoutes } from '../features/invites/routes.ts'
import { memberRoutes } from '../features/members/routes.ts'
import { channelMessageRoutes, messageRoutes } from '../features/messages/routes.ts'
import { operationRoutes } from '../features/operations/routes.ts'
import { memberRoleRoutes } from '../features/roles/member-roles.ts'
import { overwriteRoutes } from '../features/roles/overwrites.ts'
import { roleRoutes } from '../features/roles/routes.ts'
import { serverRoutes } from '../features/servers/routes.ts'
import { admitAddress } from '../features/sessions/identity.ts'
import { sessionRoutes } from '../features/sessions/routes.ts'
import { turnRoutes } from '../turn/routes.ts'
import type { Turn } from '../turn/thread.ts'
import type { Sessions } from '../features/sessions/store.ts'
import { userRoutes } from '../features/users/routes.ts'
import { voiceRoutes } from '../voice/routes.ts'
import type { Media } from '../voice/sfu/sfu.ts'
import type { Voice } from '../voice/voice.ts'
import { site } from './site.ts'

/** What calls are made of. */
interface Calls {
  voice: Voice
  media: Media
  turn: Turn
}

/** The REST side: one line a feature. */
export function openApp(parts: Parts, sessions: Sessions, hub: Hub, { voice, media, turn }: Calls) {
  const app: Elysia = new Elysia({ handler: { standardHostname: false }, normalize: true })
    .onParse(({ request }) =>
      readBody(request).catch(async (error: unknown) => {
        // Nobody has been identified yet, and reading costs: what cannot be read counts by address.
        await admitAddress(parts, callerOf(request))
        throw error
      }),
    )
    .onError(({ error, request, params, query, body }) => refuse(error, request, { params, query, body }))
    .use(operationRoutes(parts, { turn: turn.state, sfu: media.state }))
    .use(docs(() => app.routes))
    .use(site(parts.environment))
    .use(accountRoutes(parts, sessions))
    .use(ownAccountRoutes(parts, sessions))
    .use(privacyRoutes(parts, sessions))
    .use(ownDataRoutes(parts, sessions))
    .use(sessionRoutes(parts, sessions))
    .use(ticketRoutes(parts, sessions))
    .use(serverRoutes(parts, sessions, hub.presence.statusOf))
    .use(memberRoutes(parts, sessions, hub.presence.statusOf))
    .use(roleRoutes(parts, sessions))
    .use(memberRoleRoutes(parts, sessions, hub.presence.statusOf))
    .use(overwriteRoutes(parts, sessions))
    .use(auditRoutes(parts, sessions))
    .use(channelRoutes(parts, sessions))
    .use(voiceRoutes(parts, sessions, voice))
    .use(channelMessageRoutes(parts, sessions))
    .use(messageRoutes(parts, sessions))
    .use(uploadRoutes(parts, sessions))
    .use(fileRoutes(parts, sessions))
    .use(turnRoutes(parts, sessions, turn))
    .use(inviteRoutes(parts, sessions, hub.presence.statusOf))
    .use(relationRoutes(parts, sessions))
    .use(friendRoutes(parts, sessions, hub.presence.statusOf))
    .use(userRoutes(parts, sessions))
    .use(conversationRoutes(parts, sessions))
    .use(directMessageRoutes(parts, sessions)) as unknown as Elysia

  /** The only error translation: the answer that an error means, and a log line where the fault is ours. */
  function refuse(error: unknown, request: Request, given: Given = {}): Response {
    const { request_id, route } = callerOf(request)
    const problem =
      broken(error, given, () => hooksOf(app, request)) ?? translate(error, () => allowedMethods(app, request))
    if (problem.status >= 500) {
      // A validation error's message holds the value that was judged, so it stays out of the log.
      const said = error instanceof ValidationError ? { error: `broken schema: ${error.type}` } : errorFields(error)
      parts.log(problem.code === 'internal' ? 'error' : 'warn', 'request.failed', { request_id, route, ...said })
    }
    return problem.toResponse(request_id)
  }

  return { fetch: (request: Request) => app.fetch(asHttp(request)), refuse, routes: app.routes }
}

export type App = ReturnType<typeof openApp>

/** Elysia looks for the path from a fixed index of the URL on; the one that fits short hosts fits `http://` alone. */
function asHttp(request: Request): Request {
  if (!request.url.startsWith('https:')) return request
  const same = new Request(request.url.replace('https:', 'http:'), request)
  attachCaller(same, callerOf(request))
  return same
}

/** The parts of a request that are judged, in this order. */
const JUDGED = ['params', 'query', 'body'] as const
type Given = { [part in (typeof JUDGED)[number]]?: unknown }

const hooksOf = (app: Elysia, request: Request) =>
  app.routes.find(({ method, path }) => method === request.method && path === callerOf(request).route)?.hooks

/** Elysia stops at the first part that breaks a rule, and at that rule; the schemas themselves name all of them. */
function broken(error: unknown, given: Given, hooks: () => Given | undefined): Problem | undefined {
  if (!(error instanceof ValidationError)) return undefined
  const first = JUDGED.findIndex((part) => part === error.type)
  const problems = JUDGED.slice(first === -1 ? JUDGED.length : first).flatMap((part) => {
    const schema = hooks()?.[part]
    const fault = schema instanceof z.ZodType ? schema.safeParse(given[part]).error : undefined
    return fault ? [validationProblem(fault, part)] : []
  })
  const errors = problems.flatMap((problem) => problem.options.errors ?? [])
  return problems.length > 1 ? new Problem('validation_failed', undefined, { errors }) : problems[0]
}

/** What an error means to the client. Everything that is not known by name is `internal`, and says nothing. */
function translate(error: unknown, allowed: () => string[]): Problem {
  if (error instanceof Problem) return error
  if (error instanceof ParseError) return error.cause instanceof Problem ? error.cause : new Problem('bad_request')
  const constraint = violatedConstraint(error)
  if (constraint !== undefined && constraint in errorCodes) return new Problem(constraint as ErrorCode)
  if (error instanceof Error && 'code' in error && error.code === 'NOT_FOUND') {
    const methods = allowed()
    if (methods.length === 0) return new Problem('not_found')
    return new Problem('method_not_allowed', undefined, { headers: { allow: methods.join(', ') } })
  }
  return objectStoreProblem(error) ?? databaseProblem(error) ?? new Problem('internal')
}

/** The methods that the path answers to, when the one that was tried is not among them. */
function allowedMethods(app: Elysia, request: Request): string[] {
  const parts = new URL(request.url).pathname.split('/')
  const methods = app.routes
    .filter(({ path }) => {
      const pattern = path.split('/')
      return (
        pattern.length === parts.length &&
        pattern.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
      )
    })
    .map((route) => route.method)
  return [...new Set(methods.includes('GET') ? ['HEAD', ...methods] : methods)]
}
