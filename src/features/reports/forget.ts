import type { Transaction } from '../../database/database.ts'

/** Server reports per transaction of a server's removal; each has up to ten texts and some files. */
const REMOVED_MAX = 200

/**
 * Removes a deleted account from reports: its notes, the names of its profile, and its responsibility for others. What
 * it wrote stays as evidence, under the name of a deleted account.
 */
export async function forgetInReports(sql: Transaction, id: number): Promise<void> {
  await sql`update report_reasons set note = '' where reporter_id = ${id} and note <> ''`
  await sql`update report_evidence set content = '' where author_id = ${id} and message_id is null`
  await sql`update reports set responsible_id = null where responsible_id = ${id}`
}

/** Gives reports about the new owner of a server to the operator. */
export async function reportToOperator(sql: Transaction, serverId: number, ownerId: number): Promise<void> {
  await sql`update reports r set for_operator = true
    where server_id = ${serverId} and author_id = ${ownerId} and not for_operator
      and not (state = 'open' and exists (select from reports o where o.for_operator and o.state = 'open'
        and o.subject = r.subject and o.subject_id = r.subject_id and o.server_id = r.server_id))`
}

/** Deletes one batch of a deleted server's reports; those of operators stay. @returns how many */
export async function removeReports(sql: Transaction, serverId: number): Promise<number> {
  const rows = await sql`delete from reports where id in (
    select id from reports where server_id = ${serverId} and not for_operator limit ${REMOVED_MAX})`
  return rows.count
}
