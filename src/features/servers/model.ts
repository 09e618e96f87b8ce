import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { decimal, Id, line, ownName, patch, text } from '../../core/schema.ts'
import {
  AfkMinutes,
  CallsEncryption,
  NotificationLevel,
  RetentionDays,
  Server,
  Verification,
  VERIFICATION_MINUTES_MAX,
  VerificationMinutes,
} from '../access/model.ts'

export const ServerDraft = z.strictObject({
  name: ownName(100).meta({ example: 'Birdwatchers' }),
  description: text(0, 1024).default(''),
})
export const ServerPatch = patch({
  name: ownName(100),
  description: text(0, 1024),
  icon_file_id: Id.nullable(),
  system_channel_id: Id.nullable().describe('a text channel of the server'),
  afk_channel_id: Id.nullable().describe('a voice channel of the server'),
  afk_minutes: AfkMinutes,
  calls_encryption: CallsEncryption.meta({ example: 'preferred' }),
  message_retention_days: RetentionDays,
  default_notifications: NotificationLevel,
  appeal_contact: line(200).nullable().meta({ example: 'appeals@example.org' }),
  verification: Verification.describe('binds members who join afterwards'),
  verification_minutes: VerificationMinutes,
  public: z.boolean(),
  public_indexed: z.boolean(),
  binds_members: z.boolean().describe('verification also binds members who have no role (owner)'),
})
/** A verification to try. */
export const VerificationQuery = z.strictObject({
  verification: Verification.describe('who may write right after joining'),
  verification_minutes: decimal(1, VERIFICATION_MINUTES_MAX)
    .default(10)
    .describe('the age that an account or membership needs'),
})
export const VerificationCount = z
  .object({ count: z.int().describe('members who could no longer write until they are verified') })
  .meta({ title: 'VerificationCount' })
export const Transfer = z.strictObject({ user_id: Id })

export const serverEvents = {
  'server.created': durable(Server, (d) => `server:${d.id}`, 'sockets of the person who created or joined it'),
  'server.updated': durable(Server, (d) => `server:${d.id}`, 'members of the server'),
  'server.deleted': durable(
    z.object({ id: Id }),
    (d) => `server:${d.id}`,
    'members of the server; without `s` to the sockets of one who left, was kicked or banned',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof serverEvents> {}
}
