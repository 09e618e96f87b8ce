import { columns, type Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { holds } from '../../core/permissions.ts'
import { field } from '../../http/answers.ts'
import { Channel, channelOf, isSpoken } from '../access/model.ts'
import { lockedChannel } from '../messages/acknowledge.ts'
import type { Message } from '../messages/model.ts'
import { sendNotice } from '../messages/notice.ts'
import { demandLiving, demandWritten } from '../access/place.ts'
import { demand, serverOf } from '../access/guard.ts'

/** Three days. */
const ARCHIVE_AFTER_SECONDS_DEFAULT = 259_200

/**
 * Starts a thread in a text or voice channel, and publishes it; the account follows it. A notice of kind
 * `thread_created` announces it in the channel.
 * @throws Problem `not_found`, `missing_permission`, `forbidden`, `validation_failed`, `slowmode`, `thread_exists`,
 * `token_revoked`
 */
export async function beginThread(
  sql: Transaction,
  emit: Emit,
  parentId: number,
  userId: number,
  { name, message_id }: { name: string; message_id?: number | undefined },
): Promise<Channel> {
  const parent = await lockedChannel(sql, parentId, userId)
  const server_id = serverOf(parent, 'create_threads')
  demand(parent.permissions, 'create_threads')
  if (parent.type !== 'text' && !isSpoken(parent.type))
    throw new Problem('forbidden', 'Threads belong to text and voice channels')
  await demandLiving(sql, userId)
  if (parent.slowmode_seconds > 0 && !holds(parent.permissions, 'manage_messages'))
    await waitForSlowmode(sql, parent, userId)
  if (message_id !== undefined) {
    demand(parent.permissions, 'read_history')
    const [message] = await sql<Pick<Message, 'kind'>[]>`
      update messages set began_thread = true where id = ${message_id} and channel_id = ${parentId} returning kind`
    if (!message) throw field('message_id', 'There is no such message in this channel')
    demandWritten(message)
  }
  const [thread] = await sql<Channel[]>`
    insert into channels as c (server_id, parent_id, name, type, position, owner_id, message_id, active_at,
      archive_after_seconds)
    values (${server_id}, ${parentId}, ${name}, 'thread', 0, ${userId}, ${message_id ?? null}, now(),
      ${ARCHIVE_AFTER_SECONDS_DEFAULT})
    on conflict (message_id) where message_id is not null do nothing returning ${columns(sql, Channel, 'c')}`
  const newThread = channelOf(found(thread, 'thread_exists'))
  await sql`insert into thread_followers (channel_id, user_id) values (${newThread.id}, ${userId})`
  await sql`select archive_quietest(${server_id})`
  emit(topic.seers(parent), 'thread.created', newThread)
  const event = { channel_id: newThread.id, following: true }
  emit(topic.user(userId, { server_id, channel_id: parentId }), 'thread.followed', event)
  await sendNotice(sql, emit, parentId, userId, 'thread_created', { thread_id: newThread.id, name })
  return newThread
}

/**
 * Applies slowmode to the account, as write_message does, because the notice of a thread is a message in the channel.
 */
export async function waitForSlowmode(
  sql: Transaction,
  { id, slowmode_seconds }: Channel,
  userId: number,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('slowmode', ${userId}::bigint * 1000003 + ${id}::bigint))`
  const [mark] = await sql<{ retry_after: number }[]>`
    select ceil(extract(epoch from sent_at - clock_timestamp()) + ${slowmode_seconds})::int as retry_after
    from slowmode_marks where user_id = ${userId} and channel_id = ${id}`
  const retry_after = mark?.retry_after ?? 0
  if (retry_after > 0) throw new Problem('slowmode', undefined, { retry_after })
  await sql`insert into slowmode_marks values (${userId}, ${id}, clock_timestamp())
    on conflict (user_id, channel_id) do update set sent_at = excluded.sent_at`
}
