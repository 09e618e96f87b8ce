import type { z } from 'zod'
import { found, Problem } from '../../core/errors.ts'
import { topic } from '../../core/events.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { field } from '../../http/answers.ts'
import { withdrawReminder } from '../push/outbox.ts'
import { demand, lockMembership } from '../access/guard.ts'
import { lockedPlace } from '../access/place.ts'
import { REMINDER_DAYS_MAX, SAVED_MAX, type SavedMark, type SavedPatch } from './model.ts'

/** Class of the advisory locks by which the changes of one account's saved messages run one after another. */
const SAVED_LOCKS = 7_201_510

/** The columns of a SavedMark, of a saved message `s`, its message `m` and its channel `c`. */
export const markColumns = (sql: Sql) => sql`
  s.message_id, m.channel_id, c.server_id, s.note, s.remind_at, coalesce(s.remind_at <= now(), false) as due,
  s.saved_at`

/** True if the account may read the messages of a channel `c` now. */
export const isReadable = (sql: Sql, userId: ReturnType<Sql>) => sql`exists (
  select from channel_access(c.id, ${userId}) ca
  where can_view(ca.permissions) and holds(ca.permissions, 'read_history'))`

/** A page of the account's saved messages, due reminders first; only those that it may read now. */
export const savedPage = (sql: Sql, userId: number, limit: number, offset: number) => sql<
  { mark: string; body: string }[]
>`
  with places as materialized (
    select c.id, c.server_id from channels c
    where c.id in (select m.channel_id from saved_messages s join messages m on m.id = s.message_id
      where s.user_id = ${userId}) and ${isReadable(sql, sql`${userId}`)}
  ), page as materialized (
    select ${markColumns(sql)} from saved_messages s join messages m on m.id = s.message_id
      join places c on c.id = m.channel_id
    where s.user_id = ${userId} order by due desc, s.saved_at desc, s.message_id desc limit ${limit} offset ${offset}
  )
  select json_build_object('message_id', page.message_id, 'channel_id', page.channel_id, 'server_id', page.server_id,
    'note', page.note, 'remind_at', iso(page.remind_at), 'due', page.due, 'saved_at', iso(page.saved_at))::text as mark,
    wire.body::text as body
  from page join messages m on m.id = page.message_id cross join lateral message_wire(m, ${userId}) wire
  order by page.due desc, page.saved_at desc, page.message_id desc`

/** @throws Problem `validation_failed` for a reminder in the past or too far ahead */
function demandSoon(time: string): void {
  const aheadMs = Date.parse(time) - Date.now()
  if (aheadMs <= 0) throw field('remind_at', 'Must be in the future')
  if (aheadMs > REMINDER_DAYS_MAX * 86_400_000) throw field('remind_at', `Must be within ${REMINDER_DAYS_MAX} days`)
}

/**
 * Saves a message that the account may read, or changes its note and reminder; absent fields stay as they are.
 * @throws Problem `not_found`, `missing_permission`, `validation_failed`, `too_many_saved`
 */
export async function save(
  sql: Transaction,
  emit: Emit,
  user_id: number,
  message_id: number,
  change: z.infer<typeof SavedPatch>,
): Promise<SavedMark> {
  if (change.remind_at) demandSoon(change.remind_at)
  await sql`select pg_advisory_xact_lock(${SAVED_LOCKS}, hashint8(${user_id}))`
  const place = await lockedPlace(sql, message_id, user_id)
  demand(place.permissions, 'read_history')
  if (place.server_id !== null) await lockMembership(sql, place.server_id, user_id)
  const changes = { ...change, ...(change.remind_at === undefined ? {} : { is_announced: false }) }
  if (change.remind_at !== undefined) await endReminder(sql, user_id, message_id)
  const row = { user_id, message_id, ...changes }
  await sql`insert into saved_messages ${sql(row)} on conflict (user_id, message_id) do
    ${Object.keys(changes).length > 0 ? sql`update set ${sql(changes)}` : sql`nothing`}`
  await demandSpace(sql, emit, user_id)
  const [mark] = await sql<SavedMark[]>`
    select ${markColumns(sql)} from saved_messages s join messages m on m.id = s.message_id
      join channels c on c.id = m.channel_id where s.user_id = ${user_id} and s.message_id = ${message_id}`
  emitSaved(emit, user_id, found(mark), place.audience_id)
  return found(mark)
}

/**
 * Above the bound, first removes what the account may not read any more: it cannot see these to remove them itself.
 * @throws Problem `too_many_saved`
 */
async function demandSpace(sql: Transaction, emit: Emit, user_id: number): Promise<void> {
  const isFull = async () => {
    const [all] = await sql<{ count: number }[]>`
      select count(*)::int as count from saved_messages where user_id = ${user_id}`
    return found(all).count > SAVED_MAX
  }
  if (!(await isFull())) return
  const removed = await sql<{ message_id: number }[]>`
    delete from saved_messages s using messages m, channels c
    where s.user_id = ${user_id} and m.id = s.message_id and c.id = m.channel_id
      and not ${isReadable(sql, sql`${user_id}`)} returning s.message_id`
  for (const { message_id } of removed) emit(topic.user(user_id), 'saved.removed', { message_id })
  if (await isFull()) throw new Problem('too_many_saved')
}

/** Publishes a saved message to its owner. @param audienceId the channel that the owner must see at replay */
export function emitSaved(emit: Emit, user_id: number, mark: SavedMark, audienceId: number): void {
  const within = { server_id: mark.server_id ?? undefined, channel_id: audienceId }
  const { note: _note, saved_at: _at, ...change } = mark
  emit(topic.user(user_id, within), 'saved.updated', change)
}

/** Withdraws the notice of a reminder that was due from the account's devices. */
async function endReminder(sql: Transaction, user_id: number, message_id: number): Promise<void> {
  const [due] = await sql<{ channel_id: number }[]>`
    select m.channel_id from saved_messages s join messages m on m.id = s.message_id
    where s.user_id = ${user_id} and s.message_id = ${message_id} and s.is_announced`
  if (due) await withdrawReminder(sql, { user_id, message_id, ...due })
}

/** Removes a saved message of the account; does nothing if there is none. */
export async function unsave(sql: Transaction, emit: Emit, user_id: number, message_id: number): Promise<void> {
  await endReminder(sql, user_id, message_id)
  const rows =
    await sql`delete from saved_messages where user_id = ${user_id} and message_id = ${message_id} returning 1`
  if (rows.length > 0) emit(topic.user(user_id), 'saved.removed', { message_id })
}
