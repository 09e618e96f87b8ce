import { z } from 'zod'
import { limit } from '../../core/paging.ts'
import { DecimalId, GivenTime, Id, text } from '../../core/schema.ts'
import { Member } from './model.ts'

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
