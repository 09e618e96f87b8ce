import { z } from 'zod'
import { Id, line, text, Time } from '../../core/schema.ts'
import { CursorQuery } from '../../core/paging.ts'

const Count = z.int().meta({ example: 12 })

/** The reason of a suspension, for the admin log and other operators. */
export const SuspensionReason = line(500).meta({ example: 'Advertising in direct messages' })
export const Suspension = z.strictObject({ reason: SuspensionReason })

const summary = {
  id: Id,
  username: z.string().meta({ example: 'alice' }),
  email: z.string().meta({ example: 'alice@example.org' }),
  display_name: z.string().meta({ example: 'Alice' }),
  created_at: Time,
  suspended_at: Time.nullable().describe('since when it is suspended; null: it is not'),
  operator_since: Time.nullable().describe('since when it is an operator; null: it is none'),
  active_at: Time.nullable().describe('when it was last used, as far as is known'),
}
export const AccountSummary = z.object(summary).meta({ title: 'AccountSummary' })
export type AccountSummary = z.infer<typeof AccountSummary>

export const AccountSession = z
  .object({
    id: Id,
    created_at: Time,
    last_used_at: Time,
    expires_at: Time,
    ip: z.string().meta({ example: '203.0.113.9' }),
    user_agent: z.string().nullable(),
  })
  .meta({ title: 'AccountSession' })
export type AccountSession = z.infer<typeof AccountSession>
export const AccountServer = z
  .object({ id: Id, name: z.string(), is_owner: z.boolean(), joined_at: Time })
  .meta({ title: 'AccountServer' })
export type AccountServer = z.infer<typeof AccountServer>
export const AccountFigures = z
  .object({
    messages: Count,
    direct_messages: Count,
    friends_and_requests: Count,
    files: Count,
    stored_bytes: Count,
  })
  .meta({ title: 'AccountFigures' })
export type AccountFigures = z.infer<typeof AccountFigures>

export const AccountDetails = z
  .object({
    account: z.object({
      ...summary,
      suspended_reason: z.string().nullable(),
      avatar_file_id: Id.nullable(),
      updated_at: Time,
      deleted_at: Time.nullable(),
    }),
    figures: AccountFigures,
    sessions: z.array(AccountSession),
    servers: z.array(AccountServer),
  })
  .meta({ title: 'AccountDetails' })
export type AccountDetails = z.infer<typeof AccountDetails>

const accountFields = { id: Id, username: z.string().meta({ example: 'alice' }) }
const sessions_ended = Count.describe('sessions that ended')
export const Suspended = z
  .object({ ...accountFields, suspended_at: Time, suspended_reason: z.string(), sessions_ended })
  .meta({ title: 'Suspended' })
export const Restored = z.object(accountFields).meta({ title: 'Restored' })
export const PasswordReset = z.object({
  ...accountFields,
  password: z.string().describe('the new password, shown only now').meta({ example: 'Nj4%kTq8*xWzR2!mPbvA' }),
  sessions_ended,
})
export const ResetLink = z
  .object({ ...accountFields, link: z.string().meta({ example: 'https://chat.example.org/reset#vJ3k…' }) })
  .meta({ title: 'ResetLink' })
export const SessionsEnded = z.object({ ...accountFields, sessions_ended }).meta({ title: 'SessionsEnded' })

export const Figures = z
  .object({
    running_servers: Count.describe('processes of the installation that are connected to the database'),
    accounts: Count,
    suspended_accounts: Count,
    accounts_active_last_day: Count,
    sessions: Count,
    servers: Count,
    channels: Count,
    messages: Count,
    direct_messages: Count,
    files: Count,
    file_bytes: Count,
    objects_to_remove: Count.describe('objects of deleted files that are not removed yet'),
    events: Count.describe('events in the log, from which clients resume'),
    event_bytes: Count,
    database_bytes: Count,
  })
  .meta({ title: 'Figures' })
export type Figures = z.infer<typeof Figures>
export const FiguresNow = z
  .object({
    version: z.string().meta({ example: '0.20.0' }),
    schema_version: Count,
    counted_at: Time.describe('when the process that answers has counted; where that takes long, some time ago'),
    ...Figures.shape,
  })
  .meta({ title: 'FiguresNow' })
export type FiguresNow = z.infer<typeof FiguresNow>

export const SpanQuery = z.object({
  span: z.enum(['hour', 'day', 'month']).default('day').describe('how far back; `day` unless given'),
})
export const Sample = z
  .object({
    at: Time.describe('its beginning'),
    sockets: Count.describe('most open gateway sockets'),
    requests: Count,
    failures: Count.describe('requests that were answered with 5xx'),
    lag_ms: Count.describe('the longest that an event loop was late'),
    memory_bytes: Count.describe('most memory of the processes together'),
    messages: Count.describe('messages that were sent'),
    free_bytes: Count.nullable().describe('least free space of `DATA_DIR`; null where it was not measured'),
    accounts: Count.nullable().describe('accounts; null where they were not counted'),
    database_bytes: Count.nullable().describe('size of the database; null where it was not measured'),
  })
  .meta({ title: 'Sample', description: 'Activity of all processes in a period' })
export type Sample = z.infer<typeof Sample>

export const AccountQuery = CursorQuery.safeExtend({
  q: text(1, 254)
    .optional()
    .describe('an id, or a part of the user name, the e-mail address or the display name')
    .meta({ example: 'alice' }),
  suspended: z.enum(['true', 'false']).optional().describe('`true`: only suspended accounts'),
})
export const ServerQuery = CursorQuery.safeExtend({
  q: text(1, 100).optional().describe('an id, or a part of the name').meta({ example: 'birds' }),
})

const Owner = z.object({ id: Id, username: z.string().meta({ example: 'alice' }) }).meta({ title: 'AccountName' })
export const ServerSummary = z
  .object({
    id: Id,
    name: z.string().meta({ example: 'Birdwatchers' }),
    owner: Owner,
    member_count: Count,
    channel_count: Count,
    created_at: Time,
  })
  .meta({ title: 'ServerSummary' })
export type ServerSummary = z.infer<typeof ServerSummary>

export const InviteSummary = z
  .object({
    id: Id,
    server: z.object({ id: Id, name: z.string() }).meta({ title: 'ServerName' }),
    creator: Owner,
    uses: Count,
    max_uses: Count.describe('0: no bound'),
    expires_at: Time.nullable(),
    created_at: Time,
  })
  .meta({ title: 'InviteSummary', description: 'An invite without its code, with which anybody could join' })
export type InviteSummary = z.infer<typeof InviteSummary>

const RegistrationMode = z.enum(['open', 'invite', 'closed'])
export type RegistrationMode = z.infer<typeof RegistrationMode>
export const RegistrationState = z
  .object({
    mode: RegistrationMode.describe('what holds: the stricter of the two'),
    configured: RegistrationMode.describe('the variable REGISTRATION'),
    chosen: RegistrationMode.nullable().describe('what an operator has set; null: nothing'),
  })
  .meta({ title: 'RegistrationState' })
export type RegistrationState = z.infer<typeof RegistrationState>
export const RegistrationChange = z.strictObject({
  chosen: RegistrationMode.nullable().describe('null: as the variable REGISTRATION says').meta({ example: 'invite' }),
})

const AccountStorage = z
  .object({ ...Owner.shape, stored_bytes: Count })
  .meta({ title: 'AccountStorage', description: 'Bytes stored by an account' })
export const Storage = z
  .object({
    data: z
      .object({ free_bytes: Count, size_bytes: Count })
      .nullable()
      .describe('the file system of `DATA_DIR`; null where it cannot be measured'),
    database_bytes: Count,
    files: Count,
    file_bytes: Count,
    objects_to_remove: Count,
    largest: z.array(AccountStorage).describe('the accounts that store the most'),
  })
  .meta({ title: 'Storage' })
export type Storage = z.infer<typeof Storage>

const Backup = z
  .object({
    at: Time.describe('the moment that it holds'),
    finished_at: Time,
    kind: z.enum(['manual', 'automatic', 'upgrade']),
    file: z.string().nullable().describe('the name of its file; null when it went to the standard output'),
    bytes: Count,
    is_encrypted: z.boolean(),
  })
  .meta({ title: 'Backup' })
export const Backups = z
  .object({
    every: z.string().describe('the variable BACKUP_EVERY').meta({ example: '24h' }),
    keep: Count.describe('the variable BACKUP_KEEP'),
    running: z.boolean(),
    failure: z
      .object({ at: Time, reason: z.string() })
      .nullable()
      .describe('why the last one on this process failed; null when it did not'),
    last: z.array(Backup).describe('the newest ones that were completed'),
    check: z
      .object({
        at: Time,
        file: z.string(),
        problem: z.string().nullable().describe('why it is not intact; null when it is'),
      })
      .nullable()
      .describe('the last check by VERIFY_EVERY; null when there is none'),
    archive: z
      .object({
        state: z.enum(['ok', 'begins', 'full', 'away']),
        until: Time.nullable().describe('the newest moment that can be restored; null when there is none'),
        base_at: Time.nullable().describe('the last full copy'),
        pending_bytes: Count.describe('changes that wait in DATA_DIR'),
        objects_waiting: Count,
        gaps: Count.describe('gaps since the process began'),
      })
      .nullable()
      .describe('the archive of WAL_ARCHIVE; null without one'),
  })
  .meta({ title: 'Backups' })
export type Backups = z.infer<typeof Backups>

export const PartHealth = z
  .object({
    part: z.enum([
      'database',
      'bus',
      'object_store',
      'disk',
      'backup',
      'archive',
      'retention',
      'mail',
      'identity_provider',
      'turn',
      'sfu',
      'proxy',
    ]),
    level: z.enum(['ok', 'warning', 'error']),
    state: z.string().describe('what is the case, as a word or a reason').meta({ example: 'full' }),
  })
  .meta({ title: 'PartHealth' })
export type PartHealth = z.infer<typeof PartHealth>

export const AdminLogEntry = z
  .object({
    id: Id,
    created_at: Time,
    operator: z.string().describe('who: a user of the operating system, or an account').meta({ example: 'root' }),
    operator_id: Id.nullable().describe('the account; null for the command line'),
    action: z.string().meta({ example: 'suspend' }),
    target_type: z.string().nullable().meta({ example: 'account' }),
    target_id: Id.nullable(),
    changes: z.record(z.string(), z.unknown()).describe('what changed or was looked at').meta({ example: {} }),
  })
  .meta({ title: 'AdminLogEntry' })
export type AdminLogEntry = z.infer<typeof AdminLogEntry>
