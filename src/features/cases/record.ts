import { found } from '../../core/errors.ts'
import type { Transaction } from '../../database/database.ts'
import { CASES_PER_MEMBER_MAX, type CaseKind } from './model.ts'

interface NewCase {
  server_id: number
  user_id: number
  kind: CaseKind
  actor_id: number
  reason: string | null
  until?: string | null
  report_id?: number
}

/**
 * Writes a case, in the transaction of the act. Beyond CASES_PER_MEMBER_MAX the member's oldest case goes, but not that
 * of the newest ban.
 * @returns its id
 */
export async function recordCase(sql: Transaction, row: NewCase): Promise<number> {
  const { server_id, user_id } = row
  const [newCase] = await sql<{ id: number }[]>`insert into cases ${sql(row)} returning id`
  await sql`delete from cases where id in (
    select id from cases where server_id = ${server_id} and user_id = ${user_id} and id is distinct from (
      select max(id) from cases where server_id = ${server_id} and user_id = ${user_id} and kind = 'ban')
    order by id desc offset ${CASES_PER_MEMBER_MAX})`
  return found(newCase, 'internal').id
}

/** Writes that a member broke a rule of automod, unless a case of the last day says so. Others have no cases. */
export async function recordBreach(
  sql: Transaction,
  { server_id, user_id }: { server_id: number; user_id: number },
  ruleName: string,
): Promise<void> {
  const [member] = await sql`
    select 1 from members where server_id = ${server_id} and user_id = ${user_id} and not exists (
      select from cases where server_id = ${server_id} and user_id = ${user_id} and kind = 'automod'
        and reason = ${ruleName} and created_at > now() - interval '1 day')`
  if (member) await recordCase(sql, { server_id, user_id, kind: 'automod', actor_id: user_id, reason: ruleName })
}

/** Writes the case of a ban; a change of a ban changes its newest case. */
export async function recordBan(
  sql: Transaction,
  { server_id, user_id, actor_id, reason, until = null }: Omit<NewCase, 'kind' | 'report_id'>,
  isChange: boolean,
): Promise<void> {
  const rows = isChange
    ? await sql`update cases set reason = ${reason}, actor_id = ${actor_id}, until = ${until} where id = (
        select max(id) from cases where server_id = ${server_id} and user_id = ${user_id} and kind = 'ban') returning 1`
    : []
  if (rows.length === 0) await recordCase(sql, { server_id, user_id, kind: 'ban', actor_id, reason, until })
}
