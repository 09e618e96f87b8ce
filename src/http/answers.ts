import { Problem } from '../core/errors.ts'

/** The problem for a field of the request body that breaks a rule of the database. */
export const field = (path: string, message: string) =>
  new Problem('validation_failed', message, { errors: [{ path: `body.${path}`, message }] })

/** A response with a body that SQL has encoded as JSON. */
export const json = (body: string, status = 200) =>
  new Response(body, { status, headers: { 'content-type': 'application/json' } })
