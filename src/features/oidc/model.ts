import { z } from 'zod'
import { Id, Time } from '../../core/schema.ts'

/** The page after a login without `return_to`. */
const HOME = '/app'
const PATH_MAX = 512

/** True if the path stays on this server's own pages, however it is written. */
export function isOwnPath(value: string): boolean {
  if (!/^\/[\x21-\x5b\x5d-\x7e]*$/.test(value) || value.length > PATH_MAX) return false
  const url = URL.parse(value, 'http://own.invalid')
  // `/.//host` becomes `//host`. API paths are excluded, because one that starts a login would loop.
  return url?.host === 'own.invalid' && !/^\/(\/|api\/)/.test(url.pathname)
}

const ReturnTo = z
  .string()
  .max(PATH_MAX, { abort: true })
  .refine(isOwnPath, 'Must be a path of this server’s pages, such as /app')
  .default(HOME)
  .describe('the page of this server to go on with')

export const StartQuery = z.object({
  return_to: ReturnTo,
  invite_code: z
    .string()
    .regex(/^[0-9a-z]{1,64}$/)
    .optional()
    .describe('needed for a new account where registration is `invite`'),
})

/** The query with which the provider sends the browser back. RFC 6749 §4.1.2, RFC 9207. */
export const CallbackQuery = z.object({
  state: z.string().max(256).optional().describe('of the attempt that the browser has begun'),
  code: z.string().max(4096).optional().describe('good for one use, only by this server'),
  iss: z.string().max(512).optional().describe('who answers'),
  error: z.string().max(256).optional().describe('why the provider lets nobody in'),
})
export type CallbackQuery = z.infer<typeof CallbackQuery>

export const OidcStart = z.strictObject({ return_to: ReturnTo }).meta({ example: { return_to: '/app' } })

export const OidcUrl = z
  .object({
    url: z
      .url({ protocol: /^https?$/ })
      .describe('the provider’s page; the browser goes there')
      .meta({ example: 'https://id.example.org/auth?state=a' }),
  })
  .meta({ title: 'OidcUrl' })

export const Identity = z
  .object({
    id: Id,
    issuer: z.string().describe('the provider'),
    subject: z.string().describe('how the provider tells the person from all others'),
    name: z.string().describe('what the provider called the person'),
    created_at: Time,
    last_used_at: Time.nullable(),
  })
  .meta({ title: 'Identity' })
export type Identity = z.infer<typeof Identity>
