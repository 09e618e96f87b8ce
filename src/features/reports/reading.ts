import type { Sql } from '../../database/database.ts'
import { found } from '../../core/errors.ts'
import { holds } from '../../core/permissions.ts'
import type { Membership } from '../access/guard.ts'
import type { StoredFile } from '../files/model.ts'
import { type Report, type ReportDetails, REPORTERS_SHOWN_MAX } from './model.ts'

/** Reports `r`, as rows of a list. @param where a condition, with the order and limit of the page */
export const selectReports = (sql: Sql, where: ReturnType<Sql>) => sql<Report[]>`
  select r.id, r.server_id, r.subject, r.channel_id,
    case when r.subject = 'message' then r.subject_id end as message_id,
    case r.subject when 'message' then not exists (select from messages m where m.id = r.subject_id)
      else reported.deleted_at is not null end as is_deleted,
    public_user(reported) as author,
    coalesce((select e.content from report_evidence e where e.report_id = r.id order by e.id desc limit 1), '')
      as content,
    (select count(*) from report_files f where f.report_id = r.id) as file_count,
    r.state, r.reporter_count as count,
    array(select reason from report_reasons o where o.report_id = r.id group by reason order by reason) as reasons,
    r.created_at, r.updated_at, r.closed_at,
    (select public_user(u) from users u where u.id = r.closed_by) as closed_by, r.decision as note, r.omitted_files
  from reports r join users reported on reported.id = r.author_id where ${where}`

/** True for reports `r` that the account sees. The first half is in the function too; an index needs it here. */
export const seenBy = (sql: Sql, userId: number): ReturnType<Sql> =>
  sql`(not r.for_operator and sees_report(r, ${userId}))`

/** True for reports `r` of the server that the member sees; reads the channels once, not for each report. */
export const listedFor = (sql: Sql, { server_id, user_id, is_owner, permissions }: Membership): ReturnType<Sql> => sql`
  r.server_id = ${server_id} and (${is_owner || holds(permissions, 'administrator')} or r.audience_id is null
    or r.audience_id = any(array(select rp.channel_id from resolved_permissions rp
      where rp.server_id = ${server_id} and rp.user_id = ${user_id}
        and can_view(rp.permissions) and holds(rp.permissions, 'read_history'))))
  and ${seenBy(sql, user_id)}`

/**
 * A report with its evidence.
 * @param condition who may see it, on reports `r`
 * @throws Problem `not_found`
 */
export async function reportDetails(sql: Sql, id: number, condition: ReturnType<Sql>): Promise<ReportDetails> {
  const [report] = await selectReports(sql, sql`r.id = ${id} and ${condition}`)
  const fields = found(report)
  const reporters = await sql<ReportDetails['reporters']>`
    select public_user(u) as user, o.reason, o.note, o.created_at
    from report_reasons o join users u on u.id = o.reporter_id where o.report_id = ${id}
    order by o.created_at desc, u.id desc limit ${REPORTERS_SHOWN_MAX}`
  const evidence = await sql<ReportDetails['evidence']>`
    select e.message_id, public_user(u) as author, e.content, e.created_at
    from report_evidence e join users u on u.id = e.author_id where e.report_id = ${id} order by e.id`
  const files = await sql<ReportDetails['files']>`
    select file_id, filename, content_type, size, width, height, thumbnail_key is not null as has_thumbnail
    from report_files where report_id = ${id} order by id`
  return { ...fields, reporters: [...reporters], evidence: [...evidence], files: [...files] }
}

/** A file that a report keeps. @param condition who may see the report, on reports `r` @throws Problem `not_found` */
export async function reportFile(
  sql: Sql,
  { report_id, file_id }: { report_id: number; file_id: number },
  condition: ReturnType<Sql>,
): Promise<StoredFile> {
  const [file] = await sql<StoredFile[]>`
    select f.key, f.thumbnail_key, f.content_type, f.filename from report_files f join reports r on r.id = f.report_id
    where f.report_id = ${report_id} and f.file_id = ${file_id} and ${condition}`
  return found(file)
}
