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

/** Names another account as the author of what was reported: it must not see the reports about itself. */
export async function moveInReports(sql: Transaction, fromId: number, toId: number): Promise<void> {
  await sql`update reports set author_id = ${toId} where author_id = ${fromId} and subject = 'message'`
  await sql`update report_evidence set author_id = ${toId} where author_id = ${fromId} and message_id is not null`
}

/** Gives reports about the new owner of a server to the operator, joined with those that the operator has already. */
export async function reportToOperator(sql: Transaction, serverId: number, ownerId: number): Promise<void> {
  const twins = await sql<{ id: number; into_id: number }[]>`
    select r.id, o.id as into_id from reports r join reports o using (subject, subject_id, server_id)
    where r.server_id = ${serverId} and r.author_id = ${ownerId} and r.state = 'open' and not r.for_operator
      and o.state = 'open' and o.for_operator order by r.id for update`
  for (const { id, into_id } of twins) {
    await sql`insert into report_reasons (report_id, reporter_id, reason, note, created_at)
      select ${into_id}, reporter_id, reason, note, created_at from report_reasons where report_id = ${id}
      on conflict do nothing`
    await sql`delete from reports where id = ${id}`
    await sql`update reports set reporter_count = (select count(*) from report_reasons where report_id = ${into_id})
      where id = ${into_id}`
  }
  await sql`update reports set for_operator = true
    where server_id = ${serverId} and author_id = ${ownerId} and not for_operator`
}

/** Deletes one batch of a deleted server's reports; those of operators stay. @returns how many */
export async function removeReports(sql: Transaction, serverId: number): Promise<number> {
  const rows = await sql`delete from reports where id in (
    select id from reports where server_id = ${serverId} and not for_operator limit ${REMOVED_MAX})`
  return rows.count
}
