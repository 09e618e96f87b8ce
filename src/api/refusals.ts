import { type AnyElysia, ParseError, ValidationError } from 'elysia'
import postgres from 'postgres'
import { z } from 'zod'
import type { DiskSpace } from '../core/disk-space.ts'
import { isErrorCode, Problem } from '../core/errors.ts'
import { errorFields, type Log } from '../core/log.ts'
import { ERRORS_MAX, validationProblem } from '../core/validation.ts'
import { databaseProblem, violatedConstraint } from '../database/database.ts'
import { callerOf } from '../http/caller.ts'
import { objectStoreProblem } from '../storage/s3-store.ts'

export type Routes = AnyElysia['routes']

/** The parts of a request that have a schema, in validation order. */
const PARTS = ['params', 'query', 'body'] as const
type RequestParts = { [part in (typeof PARTS)[number]]?: unknown }

/**
 * The only place that turns errors into HTTP responses. Server faults are logged as `request.failed`.
 * @param routes every declared route; read when an error occurs, so routes may be added until then
 * @param space is informed of writes that failed because the database is out of space
 */
export const openRefusals =
  (routes: Routes, log: Log, space: DiskSpace) =>
  (error: unknown, request: Request, input: RequestParts = {}): Response => {
    const { request_id, route } = callerOf(request)
    const problem = allFaults(error, input, routes, request) ?? problemOf(error, routes, request)
    // The measurement that the refusal comes from was logged, once for all of them.
    const isMeasured = error instanceof Problem && error.code === 'storage_full'
    if (problem.status >= 500 && !isMeasured) {
      if (error instanceof postgres.PostgresError) space.note(error)
      // A validation error's message contains the refused value, so it must not be logged.
      const fields = error instanceof ValidationError ? { error: `broken schema: ${error.type}` } : errorFields(error)
      log(problem.code === 'internal' ? 'error' : 'warn', 'request.failed', { request_id, route, ...fields })
    }
    return problem.toResponse(request_id)
  }

/**
 * All faults in all parts of an invalid request. Elysia stops at the first fault, so the schemas are applied again
 * here.
 */
function allFaults(error: unknown, input: RequestParts, routes: Routes, request: Request): Problem | undefined {
  if (!(error instanceof ValidationError)) return undefined
  const first = PARTS.findIndex((part) => part === error.type)
  const { route } = callerOf(request)
  const hooks = routes.find(({ method, path }) => method === request.method && path === route)?.hooks
  const problems = PARTS.slice(first === -1 ? PARTS.length : first).flatMap((part) => {
    const schema: unknown = hooks?.[part]
    const fault = schema instanceof z.ZodType ? schema.safeParse(input[part]).error : undefined
    return fault ? [validationProblem(fault, part)] : []
  })
  const errors = problems.flatMap((problem) => problem.options.errors ?? [])
  return problems.length > 1
    ? new Problem('validation_failed', undefined, { errors: errors.slice(0, ERRORS_MAX) })
    : problems[0]
}

/** The problem for an error; unknown errors become `internal` without details. */
function problemOf(error: unknown, routes: Routes, request: Request): Problem {
  if (error instanceof Problem) return error
  if (error instanceof ParseError) return error.cause instanceof Problem ? error.cause : new Problem('bad_request')
  const constraint = violatedConstraint(error)
  if (constraint !== undefined && isErrorCode(constraint)) return new Problem(constraint)
  if (error instanceof Error && 'code' in error && error.code === 'NOT_FOUND') {
    const methods = allowedMethods(routes, request)
    if (methods.length === 0) return new Problem('not_found')
    return new Problem('method_not_allowed', undefined, { headers: { allow: methods.join(', ') } })
  }
  return objectStoreProblem(error) ?? databaseProblem(error) ?? new Problem('internal')
}

/** The methods of the routes that match the request's path. */
function allowedMethods(routes: Routes, request: Request): string[] {
  const segments = new URL(request.url).pathname.split('/')
  const methods = routes
    .filter(({ path }) => {
      const pattern = path.split('/')
      return (
        pattern.length === segments.length &&
        pattern.every((part, at) => (part.startsWith(':') ? segments[at] !== '' : part === segments[at]))
      )
    })
    .map((route) => route.method)
  return [...new Set(methods.includes('GET') ? ['HEAD', ...methods] : methods)]
}
