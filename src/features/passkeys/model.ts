import { z } from 'zod'
import { Id, line, Time } from '../../core/schema.ts'

/** Passkeys per account. */
export const PASSKEYS_MAX = 20

/** Bytes as base64url, RFC 4648 §5. */
const bytes = (max: number) =>
  z
    .string()
    .max(max, { abort: true })
    .regex(/^[A-Za-z0-9_-]*$/, 'Must be base64url')

/** WebAuthn §4: a credential id has at most 1,023 bytes. */
const CredentialId = bytes(1364).meta({ example: 'q83vASNFZ4k' })

const Transports = z.array(z.string().max(32)).max(16)

/** A credential as browsers return it: RegistrationResponseJSON of WebAuthn §5.1.8. Further fields are ignored. */
export const NewCredential = z
  .object({
    id: CredentialId,
    rawId: CredentialId,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: bytes(4096),
      attestationObject: bytes(12_288),
      transports: Transports.optional(),
    }),
  })
  .meta({ title: 'NewCredential' })
export type NewCredential = z.infer<typeof NewCredential>

/** The answer to a challenge: AuthenticationResponseJSON of WebAuthn §5.1.8. Further fields are ignored. */
export const Assertion = z
  .object({
    id: CredentialId,
    rawId: CredentialId,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: bytes(4096),
      authenticatorData: bytes(4096),
      signature: bytes(4096),
      userHandle: bytes(88).nullable().optional(),
    }),
  })
  .meta({ title: 'Assertion' })
export type Assertion = z.infer<typeof Assertion>

const name = line(64).meta({ example: 'Phone' })

export const PasskeyDraft = z.strictObject({ name, passkey: NewCredential })
export const PasskeyPatch = z.strictObject({ name })
export const PasskeyLogin = z.strictObject({ passkey: Assertion })

export const Passkey = z
  .object({ id: Id, name: z.string(), created_at: Time, last_used_at: Time.nullable() })
  .meta({ title: 'Passkey' })
export type Passkey = z.infer<typeof Passkey>

const Descriptor = z.object({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.string()) })

/** PublicKeyCredentialCreationOptionsJSON, for `navigator.credentials.create`. */
export const CreationOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int().describe('milliseconds'),
    excludeCredentials: z.array(Descriptor),
    authenticatorSelection: z.object({ residentKey: z.literal('required'), userVerification: z.literal('required') }),
    attestation: z.literal('none'),
  })
  .meta({ title: 'CreationOptions' })
export type CreationOptions = z.infer<typeof CreationOptions>

/** PublicKeyCredentialRequestOptionsJSON, for `navigator.credentials.get`. */
export const RequestOptions = z
  .object({
    challenge: z.string(),
    timeout: z.int().describe('milliseconds'),
    rpId: z.string(),
    allowCredentials: z.array(Descriptor).describe('empty: whichever the authenticator has for this host'),
    userVerification: z.literal('required'),
  })
  .meta({ title: 'RequestOptions' })
export type RequestOptions = z.infer<typeof RequestOptions>
