import { found, Problem } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit, Write } from '../../events/write.ts'
import { demand, lockServer, membership } from '../access/guard.ts'
import { demandWritten, type MessagePlace, messagePlace } from '../access/place.ts'
import { emitReport, isWatched } from './watchers.ts'
import {
  HELD_BACK_DAILY_MAX,
  KEPT_BYTES_MAX,
  MESSAGES_BEFORE,
  OPEN_PER_REPORTER_MAX,
  OPEN_REPORTS_MAX,
  OPERATOR_REPORTS_MAX,
  type ReportReason,
  VERSIONS_MAX,
} from './model.ts'

/** A report as its reporter wrote it. */
interface Filing {
  reporterId: number
  reason: ReportReason
  note?: string | undefined
}

/** The reported thing, and where it is. */
interface Subject {
  subject: 'message' | 'profile'
  subject_id: number
  server_id: number | null
  channel_id: number | null
  audience_id: number | null
  author_id: number
}

interface OpenReport {
  id: number
  server_id: number | null
  for_operator: boolean
  author_id: number
  /** 0 for a report that has just been opened. */
  reporter_count: number
}

/**
 * Reports a message. The same account's second report of an open one changes nothing.
 * @throws Problem `not_found`, `missing_permission`, `forbidden` for a notice, `cannot_target_self`, `too_many_reports`
 */
export function reportMessage(write: Write, messageId: number, filing: Filing): Promise<void> {
  return write(async (sql, emit) => {
    const place = await lockSubject(sql, messageId, filing.reporterId)
    demand(place.permissions, 'read_history')
    demandWritten(place)
    const { server_id, channel_id, audience_id, author_id } = place
    const subject = {
      subject: 'message' as const,
      subject_id: messageId,
      server_id,
      channel_id,
      audience_id,
      author_id,
    }
    const report = await openReport(sql, subject, filing)
    await keepMessages(sql, report.id, messageId, channel_id)
    await keepFiles(
      sql,
      report,
      filesFor(
        sql,
        sql`f.message_id = ${messageId}
      and (f.copied_from is null or copy_stands(f))`,
      ),
    )
    await addReason(sql, emit, report.id, filing)
  })
}

/** Locks what the report needs in the order of a message's deletion: server, account, message, files. */
async function lockSubject(sql: Transaction, messageId: number, reporterId: number): Promise<MessagePlace> {
  const { server_id } = await messagePlace(sql, messageId, reporterId)
  if (server_id !== null) await lockServer(sql, server_id)
  await lockReporter(sql, reporterId)
  await sql`select 1 from messages where id = ${messageId} for key share`
  await sql`select 1 from files where message_id = ${messageId} order by id for key share`
  return messagePlace(sql, messageId, reporterId)
}

/**
 * Makes the reports of one account come one after another, so that its share is exact. By a lock of its own: a deletion
 * locks messages before their authors, whose row a report would lock before the message.
 * @throws Problem `token_revoked`
 */
async function lockReporter(sql: Transaction, id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('reports', ${id}))`
  const [account] = await sql`select 1 from users where id = ${id} and deleted_at is null for key share`
  found(account, 'token_revoked')
}

/**
 * Reports a profile to a server's moderators, or to the operator.
 * @param server_id a server that both are in
 * @throws Problem `not_found`, `cannot_target_self`, `too_many_reports`
 */
export function reportProfile(
  write: Write,
  { user_id, server_id }: { user_id: number; server_id: number | null },
  filing: Filing,
): Promise<void> {
  return write(async (sql, emit) => {
    if (server_id !== null) {
      await membership(sql, server_id, filing.reporterId)
      await lockServer(sql, server_id)
      await membership(sql, server_id, filing.reporterId)
      await membership(sql, server_id, user_id)
    }
    await lockReporter(sql, filing.reporterId)
    const [profile] = await sql<{ names: string; avatar_file_id: number | null }[]>`
      select concat_ws(E'\n', nickname, display_name, p.pronouns, nullif(p.bio, '')) as names, avatar_file_id
      from users u left join profiles p on p.user_id = u.id
      left join members m on m.user_id = u.id and m.server_id = ${server_id}::bigint
      where u.id = ${user_id} and u.deleted_at is null`
    const { names, avatar_file_id } = found(profile)
    const place = { server_id, channel_id: null, audience_id: null, author_id: user_id }
    const report = await openReport(sql, { subject: 'profile', subject_id: user_id, ...place }, filing)
    await sql`insert into report_evidence (report_id, author_id, content, created_at)
      select ${report.id}, ${user_id}, ${names}, now() where not exists (
        select from report_evidence where report_id = ${report.id} and content = ${names})
        and (select count(*) from report_evidence where report_id = ${report.id}) < ${VERSIONS_MAX}`
    await sql`select 1 from files where id = ${avatar_file_id}::bigint for key share`
    await sql`select 1 from banners where user_id = ${user_id} for key share`
    await keepFiles(
      sql,
      report,
      sql`${filesFor(sql, sql`f.id = ${avatar_file_id}::bigint`)} union all
      select file_id, 'banner.webp', 'image/webp', size, width, height, 'banners/' || key, null, 1 from banners
      where user_id = ${user_id}`,
    )
    await addReason(sql, emit, report.id, filing)
  })
}

/** The open report of a subject, made where there is none. @throws Problem `cannot_target_self`, `too_many_reports` */
async function openReport(sql: Transaction, subject: Subject, { reporterId, reason }: Filing): Promise<OpenReport> {
  if (subject.author_id === reporterId) throw new Problem('cannot_target_self')
  await demandShare(sql, subject.server_id, reporterId)
  const [facts] = await sql<{ responsible_id: number | null; is_owner: boolean }[]>`
    select coalesce((select owner_id from applications where id = ${subject.author_id}),
        (select creator_id from webhooks where id = ${subject.author_id})) as responsible_id,
      exists (select from servers
        where id = ${subject.server_id}::bigint and owner_id = ${subject.author_id}) as is_owner`
  const { responsible_id, is_owner } = found(facts, 'internal')
  const insert = async (for_operator: boolean): Promise<OpenReport> => {
    const [row] = await sql<OpenReport[]>`
      insert into reports ${sql({ ...subject, responsible_id, for_operator })}
      on conflict (subject, subject_id, server_id, for_operator) where state = 'open'
        do update set has_evidence = true
      returning id, server_id, for_operator, author_id, reporter_count`
    return found(row, 'internal')
  }
  let report = await insert(subject.server_id === null || is_owner || reason === 'minor_safety')
  if (!report.for_operator && report.reporter_count === 0 && !(await isWatched(sql, report.id))) {
    // The bot or webhook of an owner who is the only moderator.
    await sql`delete from reports where id = ${report.id}`
    report = await insert(true)
  }
  if (report.reporter_count === 0) await demandSpace(sql, report, reporterId)
  return report
}

/**
 * @throws Problem `too_many_reports` for a guest who has reported HELD_BACK_DAILY_MAX today, and for a member who is
 * held back and has reported that often in the server
 */
async function demandShare(sql: Transaction, serverId: number | null, reporterId: number): Promise<void> {
  const [row] = await sql<{ reported: number }[]>`
    select (select count(*) from report_reasons o join reports r on r.id = o.report_id
      where o.reporter_id = u.id and o.created_at > now() - interval '1 day'
        and (u.kind = 'guest' or r.server_id = ${serverId}::bigint)) as reported
    from users u where u.id = ${reporterId} and (u.kind = 'guest' or exists (
      select from members m
      where m.server_id = ${serverId}::bigint and m.user_id = u.id and m.held_back is not null))`
  if (row && row.reported >= HELD_BACK_DAILY_MAX) throw new Problem('too_many_reports')
}

/** @throws Problem `too_many_reports` when this new report is one too many */
async function demandSpace(sql: Transaction, report: OpenReport, reporterId: number): Promise<void> {
  const { server_id, for_operator } = report
  const [counts] = await sql<{ open: number; own: number }[]>`
    select (select count(*) from reports where state = 'open' and for_operator = ${for_operator}
        and server_id is not distinct from ${server_id}::bigint) as open,
      (select count(*) from report_reasons o join reports r on r.id = o.report_id
        where o.reporter_id = ${reporterId} and r.state = 'open'
          and r.server_id is not distinct from ${server_id}::bigint) as own`
  const { open, own } = found(counts, 'internal')
  const openMax = server_id === null ? OPERATOR_REPORTS_MAX : OPEN_REPORTS_MAX
  if (open > openMax || own >= OPEN_PER_REPORTER_MAX) throw new Problem('too_many_reports')
}

/** Keeps the text of the message and of those before it, and once more what the message has been edited to. */
async function keepMessages(sql: Transaction, reportId: number, messageId: number, channelId: number): Promise<void> {
  // Messages of bots and webhooks may have their text only in embeds.
  const text = sql`concat_ws(E'\n', nullif(m.content, ''), forwarded_json(m, null) ->> 'content',
    poll_text(m), sticker_text(m), (
    select string_agg(concat_ws(E'\n', e ->> 'title', e ->> 'description'), E'\n')
    from json_array_elements(embeds_json(m)) e))`
  await sql`insert into report_evidence (report_id, message_id, author_id, content, created_at)
    select ${reportId}, m.id, m.author_id, ${text}, m.created_at from (
      select * from messages where channel_id = ${channelId} and id < ${messageId} and kind = 'default'
      order by id desc limit ${MESSAGES_BEFORE}) m
    where not exists (select from report_evidence where report_id = ${reportId}) order by m.id`
  await sql`insert into report_evidence (report_id, message_id, author_id, content, created_at)
    select ${reportId}, m.id, m.author_id, ${text}, m.created_at from messages m where m.id = ${messageId}
      and not exists (select from report_evidence e
        where e.report_id = ${reportId} and e.message_id = m.id and e.content = ${text})
      and (select count(*) from report_evidence e
        where e.report_id = ${reportId} and e.message_id = m.id) < ${VERSIONS_MAX}`
}

/** Files with the columns that a report keeps. @param condition the condition for the files, as `f` */
const filesFor = (sql: Sql, condition: ReturnType<Sql>): ReturnType<Sql> => sql`
  select id, filename, content_type, size, width, height, key, thumbnail_key, ordinal from files f where ${condition}`

/**
 * Keeps files by reference while there is space; ObjectDeletions leaves their objects.
 * @param files a query for them
 */
async function keepFiles(sql: Transaction, report: OpenReport, files: ReturnType<Sql>): Promise<void> {
  const { id, server_id, for_operator, author_id } = report
  // Operators keep a share for each reported account, so that nobody uses up the space of others.
  const sameShare = for_operator
    ? sql`r.for_operator and r.author_id = ${author_id}`
    : sql`not r.for_operator and r.server_id = ${server_id}::bigint`
  const [row] = await sql<{ omitted: number }[]>`
    with wanted as (
      select f.* from (${files}) f where
        not exists (select from report_files k where k.report_id = ${id} and k.file_id = f.id)
    ), fitting as (
      select w.*, sum(w.size) over (order by w.ordinal, w.id) as so_far from wanted w
    ), kept as (
      insert into report_files (report_id, file_id, filename, content_type, size, width, height, key, thumbnail_key)
      select ${id}, id, filename, content_type, size, width, height, key, thumbnail_key from fitting
      where so_far + coalesce((select sum(k.size) from report_files k join reports r on r.id = k.report_id
        where ${sameShare}), 0) <= ${KEPT_BYTES_MAX}
      returning 1
    )
    select (select count(*) from wanted) - (select count(*) from kept) as omitted`
  await sql`update reports set omitted_files = ${row?.omitted ?? 0} where id = ${id}`
}

/** Adds the reporter's reason, and publishes the new count; does nothing for an account that has reported it. */
async function addReason(sql: Transaction, emit: Emit, report_id: number, filing: Filing): Promise<void> {
  const { reporterId: reporter_id, reason, note = '' } = filing
  const rows = await sql`insert into report_reasons ${sql({ report_id, reporter_id, reason, note })}
    on conflict do nothing returning 1`
  if (rows.length === 0) return
  const [report] = await sql<{ reporter_count: number }[]>`
    update reports set reporter_count = reporter_count + 1, updated_at = now() where id = ${report_id}
    returning reporter_count`
  const isNew = report?.reporter_count === 1
  await emitReport(sql, emit, isNew ? 'report.created' : 'report.updated', report_id)
}
