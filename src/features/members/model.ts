import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { CursorQuery, limit } from '../../core/paging.ts'
import { decimal, DecimalId, GivenTime, Id, idList, ownName, patch, PublicUser, text, Time } from '../../core/schema.ts'
import { HeldBack, RulesVersion } from '../access/model.ts'
import { Status } from '../status/model.ts'
import { PRUNED_HOURS_MAX } from './author-prunes.ts'
import { DELETED_SECONDS_MAX } from './ban-sweeps.ts'

/** In larger servers, presence is announced only to friends. */
export const PRESENCE_MEMBERS_MAX = 1000

export const Member = z
  .object({
    server_id: Id,
    user: PublicUser,
    nickname: z.string().nullable(),
    role_ids: z.array(Id),
    status: Status,
    joined_at: Time,
    timed_out_until: Time.nullable().describe('until then the member only looks, reads and listens'),
    held_back: HeldBack.nullable().describe('why the member only looks and reads'),
    held_until: Time.nullable().describe('when that ends; null until somebody ends it'),
    rules_version: RulesVersion.nullable().describe('of the rules that the member has accepted; null: none'),
  })
  .meta({ title: 'Member' })
export type Member = z.infer<typeof Member>

const PrunedHours = z.int().min(0).max(PRUNED_HOURS_MAX)
const PRUNED =
  "the member's messages of this many hours are deleted, in the channels where the caller sees and manages messages"

/** The fields of a member that `PUT` changes. */
export const MemberPatch = patch({
  nickname: ownName(32).nullable(),
  timed_out_until: GivenTime.nullable().meta({ example: null }),
  held_back: z
    .enum(['quarantined'])
    .nullable()
    .meta({ example: 'quarantined' })
    .describe('quarantined: the member only looks and reads until a moderator sends null'),
  reason: text(0, 512).nullable().describe('why the member is timed out or quarantined, for the audit log'),
  delete_messages_hours: PrunedHours.describe(`of a timeout: ${PRUNED}`),
})

/** Rows of one page of who is online. */
export const ONLINE_PAGE = 100

export const MemberQuery = CursorQuery.safeExtend({
  ids: idList(ONLINE_PAGE).optional().describe(`only these accounts, at most ${ONLINE_PAGE}`),
  q: text(1, 64).optional().describe('part of the nickname or the display name'),
})

export const OnlineGroup = z.object({
  role_id: Id.nullable().describe('a role that is listed apart; null: everyone else who is online'),
  count: z.int().describe('members of the group who are online'),
})
export type OnlineGroup = z.infer<typeof OnlineGroup>

export const OnlineQuery = z.object({
  from: decimal(0, 10_000_000)
    .refine((from) => from % ONLINE_PAGE === 0, `Must be a multiple of ${ONLINE_PAGE}`)
    .default(0)
    .meta({ example: 0 })
    .describe(`the first row, a multiple of ${ONLINE_PAGE}; rows are counted over all groups`),
})

export const OnlineMemberPage = z
  .object({
    groups: z.array(OnlineGroup).describe('in the order of the list: the highest role first'),
    online_count: z.int(),
    offline_count: z.int(),
    from: z.int(),
    members: z.array(Member).describe(`at most ${ONLINE_PAGE}, without those who left or went offline meanwhile`),
  })
  .meta({ title: 'OnlineMemberPage' })
export type OnlineMemberPage = z.infer<typeof OnlineMemberPage>

export const Ban = z
  .object({
    server_id: Id,
    user: PublicUser,
    reason: z.string().nullable(),
    banned_by: Id.nullable(),
    until: Time.nullable().describe('when it ends; null for a ban without end'),
    created_at: Time,
  })
  .meta({ title: 'Ban' })
export type Ban = z.infer<typeof Ban>

/** A ban as the banned account reads it. */
export const OwnBan = z
  .object({
    server_id: Id,
    server_name: z.string(),
    reason: z.string().nullable(),
    until: Time.nullable().describe('when it ends; null for a ban without end'),
    appeal_contact: z.string().nullable().describe('a contact for appeals'),
    created_at: Time,
  })
  .meta({ title: 'OwnBan' })
export type OwnBan = z.infer<typeof OwnBan>

/** A kick: its reason, where `null` and an empty text mean none, and the hours of messages that are deleted with it. */
export const ReasonDraft = z
  .strictObject({ reason: text(0, 512).nullable(), delete_messages_hours: PrunedHours.describe(PRUNED) })
  .partial()

/** A ban: its reason, and the period whose messages are deleted with it. */
export const BanDraft = z
  .strictObject({
    reason: text(0, 512).nullable(),
    delete_message_seconds: z
      .int()
      .min(0)
      .max(DELETED_SECONDS_MAX)
      .describe('the messages of this many seconds before the ban are deleted, in the whole server'),
    delete_messages_hours: PrunedHours.describe(PRUNED),
    until: GivenTime.nullable().describe('when the ban ends; null or absent: never').meta({ example: null }),
  })
  .partial()

const countFields = { member_count: z.int() }
const key = (d: { server_id: number; user: { id: number } }) => `member:${d.server_id}:${d.user.id}`

const BanNews = z.object({ server_id: Id, user: PublicUser })
const banKey = (d: z.infer<typeof BanNews>) => `ban:${d.server_id}:${d.user.id}`
const banningBots = 'bots of the server that hold ban_members'

export const memberEvents = {
  'member.joined': durable(Member.extend(countFields), key, 'members of the server'),
  'member.updated': durable(Member.extend(countFields), key, 'members of the server'),
  'member.left': durable(
    z.object({ server_id: Id, user_id: Id, ...countFields }),
    (d) => `member:${d.server_id}:${d.user_id}`,
    'members of the server',
  ),
  'ban.created': durable(BanNews, banKey, banningBots),
  'ban.deleted': durable(BanNews, banKey, banningBots),
  'membership.ended': durable(
    z.object({
      server_id: Id,
      name: z.string().describe("the server's name"),
      cause: z
        .enum(['left', 'kicked', 'banned', 'expired'])
        .describe('expired: the membership was for a call or a day'),
      reason: z.string().nullable().describe('what the moderator gave as the reason'),
      until: Time.nullable().describe('when the ban ends'),
      appeal_contact: z.string().nullable().describe('a contact for appeals'),
    }),
    (d) => `membership:${d.server_id}`,
    "the account's own sockets; `server.deleted` ends what they know of the server",
  ),
}

export type Ending = Pick<z.infer<(typeof memberEvents)['membership.ended']['schema']>, 'cause' | 'reason' | 'until'>

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof memberEvents> {}
}

const RaidSettings = {
  raid_joins: z.int().min(2).max(1000).describe('joins that are allowed within raid_seconds'),
  raid_seconds: z.int().min(5).max(600),
  raid_minutes: z.int().min(1).max(1440).describe('how long raid mode lasts'),
}
const RaidMinutes = RaidSettings.raid_minutes

export const Raid = z
  .object({
    server_id: Id,
    alert_channel_id: Id.nullable().describe('where moderators are alerted; null: raid mode never begins by itself'),
    ...RaidSettings,
    until: Time.nullable().describe('until then nobody joins; null: not in raid mode'),
    since: Time.nullable().describe('the first join of the raid'),
    quarantined: z.int().describe('accounts that raid mode has quarantined'),
  })
  .meta({ title: 'Raid' })
export type Raid = z.infer<typeof Raid>

export const RaidPatch = patch({
  on: z.boolean(),
  minutes: RaidMinutes,
  alert_channel_id: Id.nullable().describe('a text channel that not every member sees'),
  ...RaidSettings,
})

/** Which members are removed: by when they joined, and by what they did and have. */
export const PruneDraft = z.strictObject({
  joined_after: GivenTime,
  joined_before: GivenTime.optional(),
  never_wrote: z.boolean().default(false).describe('only members without a message in the server'),
  with_roles: z.boolean().default(false).describe('also members with roles, below the caller'),
  action: z.enum(['kick', 'ban']),
  reason: text(0, 512).nullable().optional(),
  dry_run: z.literal(true),
})
export type PruneDraft = z.infer<typeof PruneDraft>

export const PruneStart = z.strictObject({ dry_run: z.literal(false), token: text(1, 64) })
export const PruneTry = z.object({ count: z.int(), token: z.string() }).meta({ title: 'PruneTry' })
export const PruneJob = z.object({ id: Id, count: z.int() }).meta({ title: 'PruneJob' })

/** Cases of one member that are counted. */
export const COUNTED_CASES_MAX = 100
/** Members of one request: each act is a transaction that locks the server. */
export const ACTS_MAX = 50

export const RosterMember = Member.extend({
  cases: z.int().describe(`cases of the member that the caller sees, at most ${COUNTED_CASES_MAX}`),
}).meta({ title: 'RosterMember' })
export type RosterMember = z.infer<typeof RosterMember>

export const RosterQuery = z.object({
  limit,
  sort: z.enum(['newest', 'oldest']).default('newest').describe('by the time of joining'),
  q: text(1, 64).optional().describe('part of the nickname or the display name'),
  role_id: DecimalId.optional().describe('only members with this role'),
  cursor: z
    .string()
    .regex(/^\d{1,13}\.\d{1,15}$/)
    .optional()
    .describe('of the last member: joined_at in milliseconds, a dot, and the id of the account'),
})

const user_ids = z
  .array(Id)
  .min(1)
  .max(ACTS_MAX)
  .refine((ids) => new Set(ids).size === ids.length, 'Must not repeat an id')
const reason = text(0, 512).nullable().optional().describe('of each act, for the audit log')

/** One act on many members. */
export const MemberActs = z.discriminatedUnion('action', [
  z.strictObject({ action: z.enum(['add_role', 'remove_role']), user_ids, role_id: Id, reason }),
  z.strictObject({ action: z.literal('timeout'), user_ids, timed_out_until: GivenTime, reason }),
  z.strictObject({ action: z.enum(['kick', 'ban']), user_ids, reason }),
])
export type MemberActs = z.infer<typeof MemberActs>

export const MemberActResults = z
  .object({
    done: z.array(Id),
    failed: z.array(
      z.object({
        user_id: Id,
        code: z.string().describe('as of the request for one member').meta({ example: 'forbidden' }),
        message: z.string(),
      }),
    ),
  })
  .meta({ title: 'MemberActResults' })
export type MemberActResults = z.infer<typeof MemberActResults>
