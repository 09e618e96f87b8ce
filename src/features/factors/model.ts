import { z } from 'zod'
import { secondFactorMethods } from '../../core/errors.ts'
import { durable, type Payloads } from '../../core/events.ts'
import { bounded, Id, Time } from '../../core/schema.ts'
import { Assertion, RequestOptions } from '../passkeys/model.ts'

const CODE_RULE = 'Must be 6 digits'
const Code = bounded(16, CODE_RULE)
  .overwrite((code) => code.replace(/\s/g, ''))
  .regex(/^[0-9]{6}$/, CODE_RULE)
  .meta({ example: '492039' })

const RECOVERY_RULE = 'Must be 16 letters and digits, as they were shown'
const RecoveryCode = bounded(64, RECOVERY_RULE)
  .overwrite((code) => code.replace(/[\s-]/g, '').toLowerCase())
  // The pattern is not in OpenAPI, because people type dashes, which are removed first.
  .refine((code) => /^[a-z2-7]{16}$/.test(code), RECOVERY_RULE)
  .meta({ example: 'mfrg-gzdf-mztw-q2lk' })

/** The second factor; exactly one field is present. */
export const factorFields = {
  code: Code.optional().describe('of the authenticator app'),
  recovery_code: RecoveryCode.optional().describe('good for one use'),
  passkey: Assertion.optional(),
}
export interface FactorGiven {
  code?: string | undefined
  recovery_code?: string | undefined
  passkey?: Assertion | undefined
}

/** True if exactly one of these fields is present. */
export const hasOne = (body: object, ...names: string[]): boolean =>
  Object.entries(body).filter(([name, value]) => names.includes(name) && value !== undefined).length === 1

const PendingToken = z
  .string()
  .max(64, { abort: true })
  .regex(/^[A-Za-z0-9_-]*$/, 'Must be base64url')

export const SecondLogin = z
  .strictObject({ pending_token: PendingToken, ...factorFields })
  .refine((body) => hasOne(body, ...secondFactorMethods), 'Give a code, a recovery_code or a passkey')
  .meta({ example: { pending_token: 'gY1rQ2yWc0vZr5', code: '492039' } })

export const SecondLoginStart = z.strictObject({ pending_token: PendingToken })

const Methods = z.array(z.enum(secondFactorMethods))

export const SecondLoginOptions = z
  .object({ methods: Methods, passkey: RequestOptions.nullable().describe('null without passkeys') })
  .meta({ title: 'SecondLoginOptions' })

export const Factors = z
  .object({
    totp_since: Time.nullable().describe('since when an authenticator app is needed at login; null without one'),
    recovery_codes_left: z.int(),
    passkeys: z.int().describe('how many there are'),
    has_password: z.boolean().describe('false for an account that single sign-on has made'),
    methods: z
      .array(z.enum(['password', ...secondFactorMethods, 'oidc']))
      .describe('what POST /api/auth/proof takes; `oidc` is POST /api/auth/oidc/proof'),
    proven_until: Time.nullable().describe('how long the proof of this session still counts'),
  })
  .meta({ title: 'Factors' })
export type Factors = z.infer<typeof Factors>

export const TotpSecret = z
  .object({
    secret: z.string().describe('base32, for typing').meta({ example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
    uri: z.string().describe('for a QR code').meta({ example: 'otpauth://totp/Parley:alice?secret=…' }),
  })
  .meta({ title: 'TotpSecret' })

export const TotpConfirmation = z.strictObject({ code: Code })

export const RecoveryCodes = z
  .object({ recovery_codes: z.array(z.string()).describe('shown this once; each is good for one login') })
  .meta({ title: 'RecoveryCodes' })

/** The way into the account that was added or removed. */
const WayInChange = z.enum([
  'totp_on',
  'totp_off',
  'recovery_codes',
  'passkey_added',
  'passkey_removed',
  'identity_linked',
  'identity_unlinked',
])
export type WayInChange = z.infer<typeof WayInChange>

const SecurityChange = z
  .object({
    change: WayInChange,
    session_id: Id.nullable().describe('the session that has done it; null where a login by the provider has'),
    changed_at: Time,
  })
  .meta({ title: 'SecurityChange' })

export const factorEvents = {
  'security.changed': durable(
    SecurityChange,
    (d) => `security:${d.session_id}:${d.change}:${d.changed_at}`,
    'the account’s own sockets, when a factor, a passkey or a linked identity was added or removed',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof factorEvents> {}
}
