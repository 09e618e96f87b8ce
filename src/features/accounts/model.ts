import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { isReserved } from '../../core/look-alikes.ts'
import { bounded, Id, ownName, patch, PublicUser, text, Time } from '../../core/schema.ts'
import { Email, resetFields } from '../mail/model.ts'
import { passwordFaults } from './passwords.ts'

const userFields = {
  id: Id,
  username: z.string(),
  email: z.string(),
  email_verified_at: Time.nullable().describe('when a link proved that the address is the account’s'),
  display_name: z.string(),
  avatar_file_id: Id.nullable(),
  created_at: Time,
}

/** An account as its owner sees it. */
export const User = z.object(userFields).meta({ title: 'User' })
export const FullUser = z
  .object({
    ...userFields,
    updated_at: Time,
    operator_since: Time.nullable().describe('since when the account may use the operator’s page; null: it may not'),
  })
  .meta({ title: 'FullUser' })
export type FullUser = z.infer<typeof FullUser>

export const SignedIn = z.object({ user: User, token: z.string() }).meta({ title: 'SignedIn' })

const USERNAME_RULE = 'Must be 2 to 32 characters of a-z, 0-9, _ . -'
const Username = bounded(32, USERNAME_RULE)
  .overwrite((name) => name.toLowerCase())
  .regex(/^[a-z0-9_.-]{2,32}$/, USERNAME_RULE)
  .refine((name) => !isReserved(name), 'Must not look like "system", "everyone" or "here"')
  .meta({ example: 'alice' })

/** A new password. The error names every rule that it breaks, or is `weak_password` if it only is too common. */
const NewPassword = z
  .string()
  .superRefine((password, context) => {
    for (const message of passwordFaults(password))
      context.addIssue({ code: 'custom', message, params: { problem: 'weak_password' } })
  })
  .meta({ example: 'Correct-Horse-7!Battery', minLength: 12, maxLength: 128 })

/** A password to verify: any bounded string. */
export const Password = z.string().max(1024)

export const Registration = z.strictObject({
  username: Username,
  email: Email,
  password: NewPassword,
  invite_code: z
    .string()
    .regex(/^[0-9a-z]{1,64}$/)
    .optional()
    .describe('needed where REGISTRATION=invite'),
})

export const Credentials = z
  .strictObject({ username: text(1, 254), email: text(1, 254), password: Password })
  .partial({ username: true, email: true })
  .refine((body) => (body.username === undefined) !== (body.email === undefined), 'Give either username or email')
  .meta({
    oneOf: [{ required: ['username'] }, { required: ['email'] }],
    example: { username: 'alice', password: 'Correct-Horse-7!Battery' },
  })

export const DisplayNameChange = z.strictObject({ display_name: ownName(32).meta({ example: 'Otter#4821' }) })

const NEEDED = 'needed unless this session is proven by POST /api/auth/proof'

export const PasswordChange = z.strictObject({
  current_password: Password.optional().describe(NEEDED),
  new_password: NewPassword,
})

/** Sets a new password by a link. */
export const PasswordReset = z.strictObject({ ...resetFields, password: NewPassword })

const settings = {
  dms_from: z
    .enum(['everyone', 'servers', 'friends'])
    .describe('whose direct messages the account takes; `servers`: of who shares one with it, and of friends'),
  requests: z
    .boolean()
    .describe('direct messages of strangers wait as requests; dms_from decides only while this is off'),
  friend_requests_from: z
    .enum(['everyone', 'servers', 'nobody'])
    .describe('whose friend requests it takes; `servers`: of who shares one with it'),
  link_previews: z
    .boolean()
    .describe('links in direct messages and groups get previews, where everybody there has this on'),
}

export const Privacy = z.object(settings).meta({ title: 'Privacy' })
export type Privacy = z.infer<typeof Privacy>
export const PrivacyPatch = patch(settings)

export const AccountDeletion = z.strictObject({ password: Password.optional().describe(NEEDED) })

export const userEvents = {
  'user.updated': durable(
    PublicUser,
    (d) => `user:${d.id}`,
    'everyone who shares a server with the account, its friends and who has written with it',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof userEvents> {}
}
