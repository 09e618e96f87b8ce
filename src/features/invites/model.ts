import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, PublicUser, Time } from '../../core/schema.ts'
import { PRESENCE_MEMBERS_MAX } from '../members/model.ts'

export const INVITES_PER_SERVER_MAX = 100
const EXPIRES_DEFAULT_S = 86_400
const EXPIRES_MAX_S = 2_592_000
const USES_MAX = 1000

const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'

/** Ten characters of an alphabet without look-alikes, from a CSPRNG: 49 bits. */
export const randomCode = (): string => Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/**
 * A membership for a call ends five minutes after the last call in the server, and one for a day 24 hours after
 * joining, as one for a call without a call does. A role that a moderator gives makes it last.
 */
const Temporary = z.enum(['call', 'day'])

export const Invite = z
  .object({
    id: Id,
    code: z.string(),
    server_id: Id,
    creator_id: Id,
    expires_at: Time.nullable(),
    max_uses: z.int().describe('0: unlimited'),
    uses: z.int(),
    role_id: Id.nullable().describe('a self-assignable role that it gives'),
    temporary: Temporary.nullable().describe('how long the memberships of those who join by it last; null: they stay'),
    guest: z.boolean().describe('people may join by it without an account, as guests'),
    created_at: Time,
  })
  .meta({ title: 'Invite' })
export type Invite = z.infer<typeof Invite>

export const InviteDraft = z.strictObject({
  server_id: Id,
  expires_in: z.int().min(0).max(EXPIRES_MAX_S).default(EXPIRES_DEFAULT_S).describe('seconds; 0: never'),
  max_uses: z.int().min(0).max(USES_MAX).default(0).describe('0: unlimited'),
  role_id: Id.nullable()
    .default(null)
    .describe('a self-assignable role below the caller’s, which needs manage_roles now and whenever somebody joins'),
  temporary: Temporary.nullable().default(null).describe('for a call or a day; null: people who join by it stay'),
  guest: z.boolean().default(false).describe('lets people join without an account, as guests; needs manage_server'),
})

export type InviteDraft = z.infer<typeof InviteDraft>

const PictureUrl = z.string().nullable().describe('pre-signed URL of the picture, for pages without an account')

export const InvitePreview = z
  .object({
    code: z.string(),
    server: z.object({
      id: Id,
      name: z.string(),
      description: z.string(),
      icon_file_id: Id.nullable(),
      icon_url: PictureUrl,
      member_count: z.int(),
    }),
    inviter: PublicUser.extend({ avatar_url: PictureUrl })
      .nullable()
      .describe('who made the invite; null once they are no member any more'),
    online_count: z
      .int()
      .nullable()
      .describe(`members who are online or idle; null for a server of more than ${PRESENCE_MEMBERS_MAX} members`),
    expires_at: Time.nullable(),
    temporary: Temporary.nullable().describe('how long the membership lasts; null: it stays'),
    guest: z.boolean().describe('one can join by it as a guest now'),
  })
  .meta({ title: 'InvitePreview' })
export type InvitePreview = z.infer<typeof InvitePreview>

/** Matches every code; no other path can be one. */
export const Code = z.string().regex(/^[0-9a-z]{1,64}$/, 'Must be an invite code')

const managers = 'members with manage_server'
export const inviteEvents = {
  'invite.created': durable(Invite, (d) => `invite:${d.id}`, managers),
  'invite.deleted': durable(z.object({ id: Id, server_id: Id }), (d) => `invite:${d.id}`, managers),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof inviteEvents> {}
}
