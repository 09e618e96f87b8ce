import { z } from 'zod'

/** Seven days. */
export const CLAIM_SECONDS = 604_800

/** The token of a link with which an account takes over an imported author's messages. */
export const AuthorClaim = z.strictObject({
  token: z
    .string()
    .regex(/^[\w-]{43}$/, 'Must be the token of a link')
    .meta({ example: 'X0s3nL2yq1c7w9f4T6e8R0a2B4d6F8h0J2k4M6n8P0s' }),
})
