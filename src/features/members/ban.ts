import type { z } from 'zod'
import { found } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { field } from '../../http/answers.ts'
import type { Parts } from '../../parts.ts'
import { lockedMembership } from '../access/guard.ts'
import { audit } from '../audit/record.ts'
import { recordBan } from '../cases/record.ts'
import { emitBan } from './ban-news.ts'
import { deletionFact, pruneAuthor } from './author-prunes.ts'
import { demandRank, leave } from './membership.ts'
import type { BanDraft } from './model.ts'

interface Target {
  server_id: number
  user_id: number
  actor_id: number
}

/** True for bans `b` that have not ended, by the database's clock. */
export const isBanLive = (sql: Sql): ReturnType<Sql> => sql`(b.until is null or b.until > now())`

/** True if the account is banned from the server now. */
export async function isBanned(sql: Sql, server_id: number, user_id: number): Promise<boolean> {
  const [row] = await sql`select 1 from bans b
    where server_id = ${server_id} and user_id = ${user_id} and ${isBanLive(sql)}`
  return row !== undefined
}

/**
 * Bans an account, or changes its ban; a member must rank below the actor.
 * @throws Problem `not_found`, `missing_permission`, `forbidden`, `cannot_target_self`, `validation_failed`
 */
export async function banAccount(
  parts: Pick<Parts, 'write'>,
  target: Target,
  draft: z.infer<typeof BanDraft>,
): Promise<void> {
  const { server_id, user_id, actor_id } = target
  await parts.write(async (sql, emit, notify) => {
    await demandRank(sql, await lockedMembership(sql, server_id, actor_id, 'ban_members'), user_id)
    await ban(sql, emit, notify, target, draft)
  })
}

/**
 * Bans an account from the locked server, or changes its ban.
 * @throws Problem `not_found` for an account that does not exist, `validation_failed` for an end that is past
 */
export async function ban(
  sql: Transaction,
  emit: Emit,
  notify: Notify,
  { server_id, user_id, actor_id }: Target,
  draft: z.infer<typeof BanDraft>,
): Promise<void> {
  const { reason = null, until = null, delete_message_seconds = 0, delete_messages_hours = 0 } = draft
  // One that has ended is another ban, by another moderator; BanEnds may not have come to it.
  await sql`delete from bans where server_id = ${server_id} and user_id = ${user_id} and until <= now()`
  const [before] = await sql<{ reason: string | null; until: string | null }[]>`
    select reason, until from bans where server_id = ${server_id} and user_id = ${user_id}`
  const [row] = await sql<{ is_past: boolean }[]>`
    insert into bans (server_id, user_id, reason, banned_by, until, was_member)
    select ${server_id}, id, ${reason}, ${actor_id}, ${until}::timestamptz,
      exists (select from members m where m.server_id = ${server_id} and m.user_id = users.id)
    from users where id = ${user_id}
    on conflict (server_id, user_id) do update set reason = excluded.reason, until = excluded.until
    returning coalesce(until <= now(), false) as is_past`
  if (found(row).is_past) throw field('until', 'Must be in the future')
  await leave(sql, emit, notify, { server_id, user_id, ending: { cause: 'banned', reason: reason || null, until } })
  if (delete_message_seconds > 0)
    await sql`insert into ban_sweeps (server_id, user_id, actor_id, since, before_id)
      values (${server_id}, ${user_id}, ${actor_id}, now() - ${delete_message_seconds} * interval '1 second',
        newest_message_id() + 1)
      on conflict (server_id, user_id) do update set actor_id = excluded.actor_id,
        since = least(ban_sweeps.since, excluded.since), before_id = excluded.before_id`
  if (!before) await emitBan(sql, emit, 'ban.created', { server_id, user_id })
  await pruneAuthor(sql, { server_id, user_id, actor_id }, delete_messages_hours)
  const entry = { server_id, actor_id, action: 'member.banned' as const }
  const facts = {
    ...(until === null ? {} : { until }),
    ...deletionFact(Math.max(delete_message_seconds, delete_messages_hours * 3600)),
  }
  await audit(sql, entry, ['member', user_id], before ?? null, { reason, ...facts })
  await recordBan(sql, { server_id, user_id, actor_id, reason: reason || null, until }, before !== undefined)
}
