import { z } from 'zod'

export const RESET_MINUTES = 60
export const VERIFICATION_HOURS = 24

/**
 * The purpose of a link. `verify` proves the account's address; `change` proves a new address, which then replaces it.
 */
export type Purpose = 'reset' | 'verify' | 'change'

/** Validity of links by purpose, seconds. */
export const LINK_SECONDS: Record<Purpose, number> = {
  reset: RESET_MINUTES * 60,
  verify: VERIFICATION_HOURS * 3600,
  change: VERIFICATION_HOURS * 3600,
}

/** An e-mail address. The length is checked first, so that the pattern never sees a megabyte. */
export const Email = z.string().max(254, { abort: true }).check(z.email()).meta({ example: 'alice@example.org' })

/** The token of a link: 256 bits. */
const LinkToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/)
  .meta({ example: 'Zk8uYyZ4ZQ0m2yqT1n7m3s9v5bX6cW0eR4tY8uI2oPa' })

export const ForgottenPassword = z.strictObject({ email: Email })
export const EmailChange = z.strictObject({ email: Email })
export const EmailProof = z.strictObject({ token: LinkToken })
export const resetFields = { token: LinkToken }
