import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { CursorQuery } from '../../core/paging.ts'
import { GivenTime, Id, ownName, patch, PublicUser, text, Time } from '../../core/schema.ts'
import { HeldBack } from '../access/model.ts'
import { DELETED_SECONDS_MAX } from './ban-sweeps.ts'

/** In larger servers, presence is announced only to friends. */
export const PRESENCE_MEMBERS_MAX = 1000

export const Status = z.enum(['online', 'idle', 'offline'])
export type Status = z.infer<typeof Status>
/** The status of an account, which only the gateway knows. */
export type StatusOf = (userId: number) => Status

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
  })
  .meta({ title: 'Member' })
export type Member = z.infer<typeof Member>

/** The fields of a member that `PUT` changes. */
export const MemberPatch = patch({
  nickname: ownName(32).nullable(),
  timed_out_until: GivenTime.nullable().meta({ example: null }),
  held_back: z
    .literal('quarantined')
    .nullable()
    .meta({ example: null })
    .describe('quarantined: the member only looks and reads until a moderator sends null'),
  reason: text(0, 512).nullable().describe('why the member is timed out or quarantined, for the audit log'),
})

export const MemberQuery = CursorQuery.safeExtend({
  q: text(1, 64).optional().describe('part of the nickname or the display name'),
})

export const Ban = z
  .object({
    server_id: Id,
    user: PublicUser,
    reason: z.string().nullable(),
    banned_by: Id.nullable(),
    created_at: Time,
  })
  .meta({ title: 'Ban' })
export type Ban = z.infer<typeof Ban>

/** The reason for a kick or ban; `null` and an empty text mean none. */
export const ReasonDraft = z.strictObject({ reason: text(0, 512).nullable() }).partial()

/** A ban: its reason, and the period whose messages are deleted with it. */
export const BanDraft = z
  .strictObject({
    reason: text(0, 512).nullable(),
    delete_message_seconds: z
      .int()
      .min(0)
      .max(DELETED_SECONDS_MAX)
      .describe('the messages of this many seconds before the ban are deleted, in the whole server'),
  })
  .partial()

const countFields = { member_count: z.int() }
const key = (d: { server_id: number; user: { id: number } }) => `member:${d.server_id}:${d.user.id}`

export const memberEvents = {
  'member.joined': durable(Member.extend(countFields), key, 'members of the server'),
  'member.updated': durable(Member.extend(countFields), key, 'members of the server'),
  'member.left': durable(
    z.object({ server_id: Id, user_id: Id, ...countFields }),
    (d) => `member:${d.server_id}:${d.user_id}`,
    'members of the server',
  ),
  'membership.ended': durable(
    z.object({
      server_id: Id,
      name: z.string().describe("the server's name"),
      cause: z.enum(['left', 'kicked', 'banned']),
      reason: z.string().nullable().describe('what the moderator gave as the reason'),
    }),
    (d) => `membership:${d.server_id}`,
    "the account's own sockets; `server.deleted` ends what they know of the server",
  ),
}

export type Ending = Pick<z.infer<(typeof memberEvents)['membership.ended']['schema']>, 'cause' | 'reason'>

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof memberEvents> {}
}
