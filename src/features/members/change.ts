import type { z } from 'zod'
import type { Transaction } from '../../database/database.ts'
import { field } from '../../http/answers.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { found, Problem } from '../../core/errors.ts'
import type { Judge, Settle } from '../../core/judge.ts'
import { audit } from '../audit/record.ts'
import { recordCase } from '../cases/record.ts'
import { demand, lockServer, type Membership, membership } from '../access/guard.ts'
import { announceMember, demandRank, outranks, selectMembers } from './membership.ts'
import { deletionFact, pruneAuthor } from './author-prunes.ts'
import type { Member, MemberPatch } from './model.ts'
import type { Status } from '../status/model.ts'
import { quarantine, release } from './quarantine.ts'
import { TIMEOUT_DAYS_MAX } from './timeouts.ts'

const DAY_MS = 86_400_000

/**
 * One's own nickname takes change_nickname; another member's takes manage_nicknames and a higher rank.
 * @throws Problem
 */
function demandNaming(actor: Membership, target: Membership): void {
  const isOwn = actor.user_id === target.user_id
  demand(actor.permissions, isOwn ? 'change_nickname' : 'manage_nicknames')
  if (!isOwn && !outranks(actor, target)) throw new Problem('forbidden', 'This member is not below you')
}

/** Times out a member who ranks below the actor, or lifts the timeout. @throws Problem */
async function timeOut(
  sql: Transaction,
  actor: Membership,
  target: Membership,
  until: string | null,
  reason: string | null,
): Promise<void> {
  demand(actor.permissions, 'moderate_members')
  await demandRank(sql, actor, target.user_id)
  const { server_id, user_id } = target
  if (until === null) {
    await sql`delete from timeouts where server_id = ${server_id} and user_id = ${user_id}`
    return
  }
  // Use the database's clock, by which timeouts end.
  const [clock] = await sql<{ left_ms: number }[]>`
    select extract(epoch from ${until}::timestamptz - now())::float8 * 1000 as left_ms`
  const { left_ms } = found(clock, 'internal')
  if (left_ms <= 0) throw field('timed_out_until', 'Must be in the future')
  if (left_ms > TIMEOUT_DAYS_MAX * DAY_MS) throw field('timed_out_until', `Must be within ${TIMEOUT_DAYS_MAX} days`)
  const [admin] = await sql<{ is_admin: boolean }[]>`
    select holds(base, 'administrator') as is_admin from member_permissions
    where server_id = ${server_id} and user_id = ${user_id}`
  if (admin?.is_admin) throw new Problem('forbidden', 'Administrators cannot be timed out')
  await sql`insert into timeouts ${sql({ server_id, user_id, until })}
    on conflict (server_id, user_id) do update set until = excluded.until`
  await recordCase(sql, { server_id, user_id, kind: 'timeout', actor_id: actor.user_id, reason, until })
}

/** Quarantines a member who ranks below the actor, or lets a member in who is held back. @throws Problem */
async function holdBack(
  sql: Transaction,
  emit: Emit,
  actor: Membership,
  target: Membership,
  isHeld: boolean,
): Promise<void> {
  demand(actor.permissions, 'moderate_members')
  await demandRank(sql, actor, target.user_id)
  if (!isHeld) return release(sql, emit, target)
  if (!(await quarantine(sql, target))) throw new Problem('forbidden', 'Administrators and bots cannot be quarantined')
}

/**
 * Judges a new nickname by the rules about profiles.
 * @returns to call once the member has it
 * @throws Problem `automod_blocked`
 */
export async function judgeNickname(
  judge: Judge,
  { server_id, user_id }: { server_id: number; user_id: number },
  author_id: number,
  nickname: string | null | undefined,
): Promise<Settle | undefined> {
  if (nickname === undefined || nickname === null || judge.isIdle()) return undefined
  const bit = author_id === user_id ? 'change_nickname' : 'manage_nicknames'
  return judge.demand({ author_id, place: { server_id }, texts: [nickname], bit, isName: true })
}

/**
 * Changes a member's nickname, timeout or quarantine. Messages being sent when a timeout begins are still delivered.
 * @throws Problem `not_found`, `missing_permission`, `forbidden`, `cannot_target_self`, `validation_failed`
 */
export async function changeMember(
  parts: Pick<Parts, 'write'>,
  { server_id, user_id, meId }: { server_id: number; user_id: number; meId: number },
  { nickname, timed_out_until, held_back, reason, delete_messages_hours }: z.infer<typeof MemberPatch>,
  status: Status,
): Promise<Member> {
  return parts.write(async (sql, emit, notify) => {
    await membership(sql, server_id, meId)
    await lockServer(sql, server_id)
    const isLimiting = timed_out_until !== undefined || held_back !== undefined
    if (isLimiting) await sql`select change_access(${server_id})`
    const [actor, target] = [await membership(sql, server_id, meId), await membership(sql, server_id, user_id)]
    const [before] = await selectMembers(sql, sql`m.server_id = ${server_id} and m.user_id = ${user_id}`)
    if (nickname !== undefined) {
      demandNaming(actor, target)
      await sql`update members set nickname = ${nickname} where server_id = ${server_id} and user_id = ${user_id}`
    }
    if (timed_out_until !== undefined) await timeOut(sql, actor, target, timed_out_until, reason || null)
    if (held_back !== undefined) await holdBack(sql, emit, actor, target, held_back !== null)
    const member = await announceMember(sql, emit, { server_id, user_id }, status)
    const entry = { server_id, actor_id: meId }
    if (member.nickname !== before?.nickname && meId !== user_id)
      await audit(
        sql,
        { ...entry, action: 'member.updated' },
        ['member', user_id],
        { nickname: before?.nickname ?? null },
        { nickname: member.nickname },
      )
    if (timed_out_until !== undefined) {
      const old = { timed_out_until: before?.timed_out_until ?? null }
      const hours = timed_out_until === null ? 0 : (delete_messages_hours ?? 0)
      const facts = { ...(reason ? { reason } : {}), ...deletionFact(hours * 3600) }
      const now = { timed_out_until: member.timed_out_until, ...facts }
      await audit(sql, { ...entry, action: 'member.timed_out' }, ['member', user_id], old, now)
      await pruneAuthor(sql, { server_id, user_id, actor_id: meId }, hours)
    }
    if (held_back !== undefined && member.held_back !== before?.held_back) {
      const now = { held_back: member.held_back, ...(reason ? { reason } : {}) }
      const action = held_back === null ? ('member.released' as const) : ('member.quarantined' as const)
      await audit(sql, { ...entry, action }, ['member', user_id], { held_back: before?.held_back ?? null }, now)
    }
    if (isLimiting) notify({ kind: 'access_changed', user_ids: [user_id] })
    return member
  })
}
