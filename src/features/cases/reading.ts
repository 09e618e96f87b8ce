import type { Sql } from '../../database/database.ts'
import type { Membership } from '../access/guard.ts'
import type { Case, Warning } from './model.ts'

/** Cases `c`, as rows of a list. @param where a condition, with the order and limit of the page */
export const selectCases = (sql: Sql, where: ReturnType<Sql>) => sql<Case[]>`
  select c.id, c.server_id, public_user(u) as user, public_user(actor) as actor, c.kind, c.reason, c.until, c.report_id,
    c.read_at, c.created_at
  from cases c join users u on u.id = c.user_id join users actor on actor.id = c.actor_id where ${where}`

/**
 * True for cases `c` that a moderator sees: about members of lower rank and about accounts that are no members, never
 * about themselves or their bots; a report's only while they see the report.
 */
export const caseSeenBy = (sql: Sql, { server_id, user_id, is_owner, position }: Membership): ReturnType<Sql> => sql`
  c.server_id = ${server_id} and c.user_id <> ${user_id} and not exists (
    select from member_permissions target where target.server_id = c.server_id and target.user_id = c.user_id
      and (target.is_owner or (not ${is_owner} and target.position >= ${position})))
  and not exists (select from applications a where a.id = c.user_id and a.owner_id = ${user_id})
  and (c.report_id is null or exists (
    select from reports r where r.id = c.report_id and sees_report(r, ${user_id})))`

/** Warnings `c`, as their member reads them. @param where a condition, with the order and limit of the page */
export const selectWarnings = (sql: Sql, where: ReturnType<Sql>) => sql<Warning[]>`
  select c.id, c.server_id, s.name as server_name, c.reason, s.appeal_contact, c.read_at, c.created_at
  from cases c join servers s on s.id = c.server_id where c.kind = 'warning' and ${where}`
