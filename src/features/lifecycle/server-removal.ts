import type { Sql, Transaction } from '../../database/database.ts'
import { type Batch, BatchJob } from '../../events/batch-job.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { deleteAccount } from './deletion.ts'
import { clearPictures, lockServersShowing } from '../files/access.ts'
import { removeReports } from '../reports/forget.ts'
import { blankEvents } from '../messages/remove.ts'

const PERIOD_MS = 5_000
/** Rows per transaction; bounds its locks. */
const ROWS_MAX = 1_000
/** Files per transaction: each locks its uploader's account and writes to the outbox. */
const FILES_MAX = 200

/** Placeholder accounts of imported authors per transaction. */
const AUTHORS_MAX = 20
/** Threads without messages per transaction. */
const THREADS_MAX = 200

/** Deletes one batch of a server's content. @returns how many rows; 0 when none is left */
type Step = (sql: Transaction, id: number, emit: Emit) => Promise<number>

/**
 * Deletes messages with files and reactions, clears avatars and icons among the files, and blanks both in the event
 * log.
 */
const removeMessages: Step = async (sql, id, emit) => {
  const page = await sql<{ id: number }[]>`
    with page as (
      select m.id, (select count(*) from files f where f.message_id = m.id) as files from messages m
      where m.channel_id in (select c.id from channels c where c.server_id = ${id}) limit ${ROWS_MAX}
    ), counted as (
      select page.id, files, sum(files) over (order by page.id) as files_so_far from page
    )
    select counted.id from counted where files_so_far - files < ${FILES_MAX}`
  const ids = page.map((message) => message.id)
  const files: ReturnType<Sql> = sql`f.message_id = any(${ids})`
  // Servers, messages, files, accounts: every transaction locks in this order.
  await lockServersShowing(sql, files)
  await sql`select count(*) from (select 1 from messages where id = any(${ids}) order by id for update) locked`
  // A message may have more reactions or votes, or have been saved by more people, than one transaction deletes.
  const reactions = await sql`delete from message_reactions where ctid in (
    select ctid from message_reactions where message_id = any(${ids}) limit ${ROWS_MAX})`
  if (reactions.count === ROWS_MAX) return ids.length
  const votes = await sql`delete from poll_votes where ctid in (
    select ctid from poll_votes where message_id = any(${ids}) limit ${ROWS_MAX})`
  if (votes.count === ROWS_MAX) return ids.length
  const saved = await sql`delete from saved_messages where ctid in (
    select ctid from saved_messages where message_id = any(${ids}) limit ${ROWS_MAX})`
  if (saved.count === ROWS_MAX) return ids.length
  await clearPictures(sql, emit, files)
  await sql`delete from messages where id = any(${ids})`
  await blankEvents(sql, ids)
  return ids.length
}

/** Unbounded content of a server, in the order of deletion. */
const steps: Step[] = [
  removeMessages,
  async (sql, id) => {
    const rows = await sql`delete from read_marks where ctid in (select r.ctid from read_marks r
      where r.channel_id in (select c.id from channels c where c.server_id = ${id}) limit ${ROWS_MAX})`
    return rows.count
  },
  async (sql, id) => {
    // The remaining lists have marks of deleted channels only.
    const rows = await sql`delete from read_mark_lists where ctid in (
      select ctid from read_mark_lists where server_id = ${id} and server_id > 0 limit ${ROWS_MAX})`
    return rows.count
  },
  async (sql, id) => {
    const rows = await sql`delete from slowmode_marks where ctid in (select s.ctid from slowmode_marks s
      where s.channel_id in (select c.id from channels c where c.server_id = ${id}) limit ${ROWS_MAX})`
    return rows.count
  },
  async (sql, id) => {
    const rows = await sql`delete from notification_settings where id in (select s.id from notification_settings s
      where s.server_id = ${id} or s.channel_id in (select c.id from channels c where c.server_id = ${id})
      limit ${ROWS_MAX})`
    return rows.count
  },
  async (sql, id) => {
    const rows = await sql`delete from audit_log where id in (
      select id from audit_log where server_id = ${id} limit ${ROWS_MAX})`
    return rows.count
  },
  removeReports,
  async (sql, id) => {
    const rows = await sql`delete from cases where id in (
      select id from cases where server_id = ${id} limit ${ROWS_MAX})`
    return rows.count
  },
  async (sql, id) => {
    const rows = await sql`delete from thread_followers where ctid in (select f.ctid from thread_followers f
      where f.channel_id in (select c.id from channels c where c.server_id = ${id}) limit ${ROWS_MAX})`
    return rows.count
  },
  async (sql, id) => {
    const rows = await sql`delete from bans where server_id = ${id} and user_id in (
      select user_id from bans where server_id = ${id} limit ${ROWS_MAX})`
    return rows.count
  },
  // Messages of other servers show its emoji too.
  async (sql, id) => {
    const rows = await sql`delete from message_emojis where ctid in (select m.ctid from message_emojis m
      where m.emoji_id in (select e.id from emojis e where e.server_id = ${id}) limit ${ROWS_MAX})`
    return rows.count
  },
  // The outbox deletes their pictures.
  async (sql, id) => {
    const rows = await sql`delete from emojis where id in (
      select id from emojis where server_id = ${id} limit ${FILES_MAX})`
    return rows.count
  },
  async (sql, id) => {
    const rows = await sql`delete from stickers where id in (
      select id from stickers where server_id = ${id} limit ${FILES_MAX})`
    return rows.count
  },
  // Blank events lose their server, so that they are not found again. The server's last event stays for clients that
  // resume.
  async (sql, id) => {
    const events = await sql`update events set body = null, server_id = null where id in (
      select id from events where server_id = ${id} and type <> 'server.deleted' limit ${ROWS_MAX})`
    return events.count
  },
  async (sql, id) => {
    // ThreadKeeper locks these rows before the threads.
    await sql`delete from thread_changes where channel_id in (select id from channels where server_id = ${id})`
    const rows = await sql`delete from channels where id in (
      select id from channels where server_id = ${id} and type = 'thread' limit ${THREADS_MAX})`
    return rows.count
  },
  // Placeholder accounts whose messages are gone: delete their names and pictures too.
  async (sql, id, emit) => {
    const authors = await sql<{ id: number; is_living: boolean }[]>`
      select u.id, u.deleted_at is null and u.kind = 'imported' as is_living
      from import_parts p join imports i on i.id = p.import_id join users u on u.id = p.target_id
      where i.server_id = ${id} and p.kind = 'author' order by u.id limit ${AUTHORS_MAX}`
    for (const author of authors) if (author.is_living) await deleteAccount(sql, emit, () => {}, author.id)
    await sql`delete from import_parts where kind = 'author' and target_id = any(${authors.map((one) => one.id)})`
    return authors.length
  },
  async (sql, id) => {
    const rows = await sql`delete from import_messages where ctid in (select m.ctid from import_messages m
      join imports i on i.id = m.import_id where i.server_id = ${id} limit ${ROWS_MAX})`
    return rows.count
  },
  // Channels with their overwrites, at most one per role; categories after their channels.
  async (sql, id) => {
    const rows = await sql`delete from channels where id in (
      select id from channels where server_id = ${id} order by parent_id is null, id limit 1)`
    return rows.count
  },
  async (sql, id) => (await sql`delete from servers where id = ${id} and owner_id is null`).count,
]

/** Deletes the content of deleted servers, batch by batch. */
export class ServerRemoval extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log' | 'bus'>) {
    super(parts, {
      name: 'server.removal',
      lock: 'server removal',
      periodMs: PERIOD_MS,
      batchesMax: Infinity,
      due: (sql) => sql`select from servers where owner_id is null`,
      batch: removeBatch,
    })
    parts.bus.onNotice(async ({ kind }) => {
      // Not awaited, so that the request is answered meanwhile.
      if (kind === 'server_deleted') this.begin()
    })
  }
}

const removeBatch: Batch = async (sql, emit) => {
  // A random server: one that fails must not block the others.
  const [server] = await sql<{ id: number }[]>`
    select id from servers where owner_id is null order by random() limit 1`
  if (!server) return false
  for (const step of steps) if ((await step(sql, server.id, emit)) > 0) break
  return true
}
