import type { z } from 'zod'
import { found, Problem } from '../../core/errors.ts'
import { topic } from '../../core/events.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { field } from '../../http/answers.ts'
import { demand, lockMembership } from '../access/guard.ts'
import { lockedChannel } from '../messages/acknowledge.ts'
import { demandOfBot } from '../messages/forward.ts'
import type { MessageDraft } from '../messages/model.ts'
import { refusals } from '../messages/send.ts'
import { SCHEDULE_DAYS_MAX, SCHEDULED_MAX, type Scheduled, ScheduledChange, type ScheduledPatch } from './model.ts'

/** Class of the advisory locks by which the changes of one account's scheduled messages run one after another. */
const SCHEDULE_LOCKS = 7_201_511

type Draft = z.infer<typeof MessageDraft>

/** An account's scheduled messages, the next first. */
export const scheduledOf = async (sql: Sql, userId: number): Promise<string> => {
  const [row] = await sql<{ body: string }[]>`
    select coalesce(json_agg(scheduled_json(s) order by s.send_at, s.id), '[]'::json)::text as body
    from scheduled_messages s where s.author_id = ${userId}`
  return found(row).body
}

const lockOwn = (sql: Transaction, userId: number) =>
  sql`select pg_advisory_xact_lock(${SCHEDULE_LOCKS}, hashint8(${userId}))`

/** @throws Problem `validation_failed` */
function demandDraft(draft: Draft): void {
  demandOfBot({ is_bot: false }, draft)
  const { forward_message_id, poll, sticker_id } = draft
  if (forward_message_id !== null) throw field('draft.forward_message_id', 'A scheduled message cannot forward')
  if (poll !== null) throw field('draft.poll', 'A scheduled message cannot begin a poll')
  if (sticker_id !== null) throw field('draft.sticker_id', 'A scheduled message cannot have a sticker')
}

/** @throws Problem `validation_failed` */
function demandTime(time: string): void {
  const aheadMs = Date.parse(time) - Date.now()
  if (aheadMs <= 0) throw field('send_at', 'Must be in the future')
  if (aheadMs > SCHEDULE_DAYS_MAX * 86_400_000) throw field('send_at', `Must be within ${SCHEDULE_DAYS_MAX} days`)
}

/**
 * Refuses early what the send would refuse by the permissions of this moment. Locks the channel.
 * @throws Problem `not_found`, `forbidden`, `missing_permission`
 */
async function demandDoor(sql: Transaction, userId: number, channel_id: number, hasFiles: boolean): Promise<void> {
  const { type, permissions, locked, server_id } = await lockedChannel(sql, channel_id, userId)
  if (server_id !== null) await lockMembership(sql, server_id, userId)
  if (type === 'category' || type === 'forum') throw refusals.is_category()
  demand(permissions, type === 'thread' ? 'send_in_threads' : 'send_messages')
  if (hasFiles) demand(permissions, 'attach_files')
  if (type === 'thread' && locked) demand(permissions, 'manage_threads')
}

/**
 * Gives files to a scheduled message: they count as attached.
 * @throws Problem `validation_failed`, `already_attached`
 */
async function attach(sql: Transaction, userId: number, id: number, fileIds: number[]): Promise<void> {
  await sql`update files set scheduled_id = null, ordinal = 0
    where scheduled_id = ${id} and id <> all (${fileIds}::bigint[])`
  if (fileIds.length === 0) return
  const files = await sql<{ id: number; is_attached: boolean }[]>`
    select id, message_id is not null or scheduled_id is not null and scheduled_id <> ${id}
        or exists (select from favourites v where v.file_id = files.id) as is_attached
    from files where id = any (${fileIds}) and uploader_id = ${userId} order by id for update`
  if (files.length < fileIds.length) throw refusals.file_unknown()
  if (files.some(({ is_attached }) => is_attached)) throw refusals.already_attached()
  await sql`update files f set scheduled_id = ${id}, ordinal = array_position(${fileIds}::bigint[], f.id)
    where f.id = any (${fileIds})`
}

async function jsonOf(sql: Sql, id: number): Promise<{ body: string; scheduled: Scheduled }> {
  const [row] = await sql<{ body: string; scheduled: Scheduled }[]>`
    select scheduled_json(s)::text as body, scheduled_json(s) as scheduled from scheduled_messages s where id = ${id}`
  return found(row)
}

/** Publishes a scheduled message to its author. @returns its JSON */
async function announce(sql: Transaction, emit: Emit, userId: number, id: number): Promise<string> {
  const { body, scheduled } = await jsonOf(sql, id)
  emit(topic.user(userId), 'scheduled.updated', ScheduledChange.parse(scheduled))
  return body
}

/**
 * Schedules a message.
 * @returns its JSON; isNew is false for a request that is repeated with its nonce
 * @throws Problem `not_found`, `forbidden`, `missing_permission`, `validation_failed`, `already_attached`,
 * `nonce_conflict`, `too_many_scheduled`
 */
export async function schedule(
  sql: Transaction,
  emit: Emit,
  userId: number,
  channel_id: number,
  { draft, send_at }: { draft: Draft; send_at: string },
): Promise<{ body: string; isNew: boolean }> {
  demandDraft(draft)
  const { content, reply_to_id, reply_mention, file_ids, nonce = null } = draft
  await lockOwn(sql, userId)
  const [earlier] = await sql<{ id: number; is_same: boolean }[]>`
    select id, channel_id = ${channel_id} and content = ${content} and send_at = ${send_at}::timestamptz as is_same
    from scheduled_messages where author_id = ${userId} and nonce = ${nonce}`
  if (earlier && !earlier.is_same) throw refusals.nonce_conflict()
  if (earlier) return { body: (await jsonOf(sql, earlier.id)).body, isNew: false }
  demandTime(send_at)
  await demandDoor(sql, userId, channel_id, file_ids.length > 0)
  const values = { author_id: userId, channel_id, content, reply_to_id, reply_mention, nonce, send_at, due_at: send_at }
  const [row] = await sql<{ id: number }[]>`insert into scheduled_messages ${sql(values)} returning id`
  const { id } = found(row)
  const [all] = await sql<{ count: number }[]>`
    select count(*)::int as count from scheduled_messages where author_id = ${userId}`
  if (found(all).count > SCHEDULED_MAX) throw new Problem('too_many_scheduled')
  await attach(sql, userId, id, file_ids)
  return { body: await announce(sql, emit, userId, id), isNew: true }
}

/**
 * Changes a scheduled message. One that was held or returned waits again.
 * @returns its JSON
 * @throws Problem as `schedule`; `not_found` also for one that has been sent
 */
export async function reschedule(
  sql: Transaction,
  emit: Emit,
  userId: number,
  id: number,
  { draft, send_at }: z.infer<typeof ScheduledPatch>,
): Promise<string> {
  if (draft) demandDraft(draft)
  if (send_at) demandTime(send_at)
  await lockOwn(sql, userId)
  const [before] = await sql<{ channel_id: number | null; send_at: string; file_count: number }[]>`
    select channel_id, send_at, (select count(*)::int from files f where f.scheduled_id = s.id) as file_count
    from scheduled_messages s where id = ${id} and author_id = ${userId}`
  const { channel_id, file_count, ...now } = found(before)
  if (!send_at) demandTime(now.send_at)
  await demandDoor(sql, userId, found(channel_id), (draft ? draft.file_ids.length : file_count) > 0)
  const fields = draft && {
    content: draft.content,
    reply_to_id: draft.reply_to_id,
    reply_mention: draft.reply_mention,
  }
  const time = send_at ?? now.send_at
  const change = { ...fields, send_at: time, due_at: time, state: 'waiting', reason: null, attempts: 0 }
  const rows = await sql`update scheduled_messages set ${sql(change)}, version = version + 1
    where id = ${id} and author_id = ${userId} returning 1`
  found(rows[0])
  if (draft) await attach(sql, userId, id, draft.file_ids)
  return announce(sql, emit, userId, id)
}

/** Cancels a scheduled message; its files are free again. @throws Problem `not_found` for one that has been sent */
export async function cancel(sql: Transaction, emit: Emit, userId: number, id: number): Promise<void> {
  const rows = await sql`delete from scheduled_messages where id = ${id} and author_id = ${userId} returning 1`
  found(rows[0])
  emit(topic.user(userId), 'scheduled.removed', { id, message_id: null })
}

/** Lets the account's held messages wait again; those whose time has passed are returned to it. */
export async function confirm(sql: Transaction, emit: Emit, userId: number): Promise<void> {
  await lockOwn(sql, userId)
  const rows = await sql<{ id: number }[]>`
    update scheduled_messages set state = case when send_at > now() then 'waiting' else 'returned' end,
      reason = case when send_at > now() then null else 'overdue' end, due_at = send_at, version = version + 1
    where author_id = ${userId} and state = 'held' returning id`
  for (const { id } of rows) await announce(sql, emit, userId, id)
}
