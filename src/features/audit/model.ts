import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { CursorQuery } from '../../core/paging.ts'
import { DecimalId, Id, PublicUser, Time } from '../../core/schema.ts'

export const auditActions = [
  'server.updated',
  'server.transferred',
  'channel.created',
  'channel.updated',
  'channel.deleted',
  'thread.updated',
  'thread.deleted',
  'overwrite.updated',
  'overwrite.deleted',
  'role.created',
  'role.updated',
  'role.deleted',
  'member.role_added',
  'member.role_removed',
  'member.updated',
  'member.timed_out',
  'member.quarantined',
  'member.released',
  'bot.added',
  'member.kicked',
  'member.expired',
  'member.banned',
  'member.unbanned',
  'member.voice_muted',
  'member.voice_deafened',
  'member.camera_stopped',
  'member.voice_moved',
  'member.voice_disconnected',
  'invite.created',
  'invite.deleted',
  'invite.used',
  'message.deleted',
  'message.reactions_cleared',
  'message.pinned',
  'message.unpinned',
  'message.embeds_suppressed',
  'messages.deleted',
  'file.deleted',
  'emoji.created',
  'emoji.updated',
  'emoji.deleted',
  'sound.created',
  'sound.updated',
  'sound.deleted',
  'stage.started',
  'stage.updated',
  'stage.ended',
  'sticker.created',
  'sticker.updated',
  'sticker.deleted',
  'webhook.created',
  'webhook.updated',
  'webhook.rotated',
  'webhook.deleted',
  'report.decided',
  'member.warned',
  'member.noted',
  'case.deleted',
  'automod.created',
  'automod.updated',
  'automod.deleted',
  'automod.timed_out',
  'automod.quarantined',
  'automod.renamed',
  'raid.updated',
  'raid.began',
  'raid.ended',
  'members.pruned',
  'rules.updated',
  'onboarding.updated',
  'welcome.updated',
] as const

/** Filters and paging of the audit log. */
export const AuditQuery = CursorQuery.safeExtend({
  user_id: DecimalId.optional().describe('who acted, or who was affected'),
  action: z.enum(auditActions).optional().describe('what was done'),
  channel_id: DecimalId.optional().describe('the channel that was changed, or in which something was'),
})
export type AuditQuery = z.infer<typeof AuditQuery>

export const AuditEntry = z
  .object({
    id: Id,
    server_id: Id,
    actor: PublicUser,
    action: z.enum(auditActions),
    target_type: z.enum([
      'server',
      'channel',
      'role',
      'member',
      'invite',
      'message',
      'file',
      'emoji',
      'sound',
      'sticker',
      'webhook',
      'report',
      'rule',
    ]),
    target_id: Id,
    target_created_at: Time.nullable().describe('when the target was made; null if the entry does not know that'),
    changes: z
      .record(z.string(), z.object({ before: z.unknown(), after: z.unknown() }))
      .describe('field → {before, after}; null where there was or is nothing'),
    created_at: Time,
  })
  .meta({ title: 'AuditEntry' })
export type AuditEntry = z.infer<typeof AuditEntry>

export const auditEvents = {
  'audit.created': durable(AuditEntry, (d) => `audit:${d.id}`, 'bots of the server that hold view_audit_log'),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof auditEvents> {}
}
