import { Problem } from '../core/errors.ts'

/** A field of a message's body that breaks a rule which only the database knows. */
export const field = (path: string, message: string) =>
  new Problem('validation_failed', message, { errors: [{ path: `body.${path}`, message }] })

/** An answer that is JSON already: as SQL made it. */
export const json = (body: string, status = 200) =>
  new Response(body, { status, headers: { 'content-type': 'application/json' } })
