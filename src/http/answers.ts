import { Problem } from '../core/errors.ts'

/** The problem for a field of the request body that violates a database constraint. */
export const field = (path: string, message: string) =>
  new Problem('validation_failed', message, { errors: [{ path: `body.${path}`, message }] })

/** A response whose body SQL has already encoded as JSON. */
export const json = (body: string, status = 200) =>
  new Response(body, { status, headers: { 'content-type': 'application/json' } })
