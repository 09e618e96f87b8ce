import type { z } from 'zod'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import type { Judge, Settle } from '../../core/judge.ts'
import { holds, type Permission } from '../../core/permissions.ts'
import { field } from '../../http/answers.ts'
import { audit } from '../audit/record.ts'
import { type Channel, channelOf, type ChannelPatch, isPost } from '../access/model.ts'
import { lockedChannel } from '../messages/acknowledge.ts'
import { demand, serverOf, type VisibleChannel, visibleChannel } from '../access/guard.ts'
import { changePost } from './change-post.ts'

/** Fields that the owner of a thread may change without manage_threads. */
const OWNERS = new Set(['name', 'archived', 'tag_ids', 'answer_message_id'])
const CHANGED = new Set(['name', 'archived', 'locked', 'archive_after_seconds', 'slowmode_seconds'])
const OF_POSTS = new Set(['tag_ids', 'answer_message_id', 'pinned', 'hidden'])

/**
 * Judges the name of a thread by the rules of its server.
 * @param bit the permission of whoever may name it
 * @returns to call once it has the name
 * @throws Problem `automod_blocked`
 */
export async function judgeName(
  judge: Judge,
  channel_id: number,
  author_id: number,
  name: string | undefined,
  bit: Permission,
): Promise<Settle | undefined> {
  if (name === undefined || judge.isIdle()) return undefined
  return judge.demand({ author_id, place: { channel_id }, texts: [name], bit })
}

/** Locks a thread: until the commit it neither moves nor gets messages. @throws Problem `not_found` */
async function lockThread(sql: Transaction, id: number, userId: number): Promise<VisibleChannel> {
  await lockedChannel(sql, id, userId)
  // `no key update` and no stronger lock: ThreadKeeper may have locked the thread's change while it waits for the
  // thread.
  await sql`select 1 from channels where id = ${id} for no key update`
  return visibleChannel(sql, id, userId)
}

/** True if the account counts as the thread's owner. In a locked thread only members with manage_threads do. */
const isOwner = ({ owner_id, locked, permissions }: VisibleChannel, userId: number): boolean =>
  owner_id === userId && !locked && holds(permissions, 'send_in_threads')

/**
 * Changes a thread; ThreadKeeper publishes the change. Its owner may rename, archive and unarchive it; everything else
 * takes manage_threads.
 * @returns the thread as it is now
 * @throws Problem `not_found`, `missing_permission`, `validation_failed`
 */
export async function changeThread(
  sql: Transaction,
  id: number,
  userId: number,
  { archived, tag_ids, answer_message_id, pinned, hidden, ...change }: z.infer<typeof ChannelPatch>,
): Promise<Channel> {
  const before = await lockThread(sql, id, userId)
  const more = { archived, tag_ids, answer_message_id, pinned, hidden }
  const names = [...Object.entries(change), ...Object.entries(more)].flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  )
  const strange = names.find((name) => !CHANGED.has(name) && !(isPost(before) && OF_POSTS.has(name)))
  if (strange !== undefined) throw field(strange, 'Not of a thread')
  if (!isOwner(before, userId) || names.some((name) => !OWNERS.has(name))) demand(before.permissions, 'manage_threads')
  const isBack = archived === false && before.archived_at !== null
  await sql`update channels c set ${sql({ ...change, updated_at: new Date() })} where id = ${id}`
  if (isPost(before)) await changePost(sql, before, more)
  if (archived === true) await sql`update channels set archived_at = coalesce(archived_at, now()) where id = ${id}`
  if (isBack) {
    await sql`update channels set archived_at = null, active_at = now() where id = ${id}`
    await (isPost(before)
      ? sql`select archive_quietest_posts(${before.parent_id})`
      : sql`select archive_quietest(${before.server_id})`)
  }
  await sql`select thread_changed(${id}, ${isBack})`
  const after = channelOf(await visibleChannel(sql, id, userId))
  if (before.owner_id !== userId) {
    const entry = { server_id: serverOf(before, 'manage_threads'), actor_id: userId }
    await audit(sql, { ...entry, action: 'thread.updated' }, ['channel', id], channelOf(before), after)
  }
  return after
}

/**
 * Detaches threads from their server: nobody sees them any more, and ServerRemoval deletes them with their content.
 * @param condition a condition on channels `c`
 */
export async function releaseThreads(sql: Transaction, condition: ReturnType<Sql>): Promise<void> {
  const [firstThread] = await sql`select 1 from channels c where c.type = 'thread' and ${condition} limit 1`
  if (!firstThread) return
  const [emptyServer] = await sql<{ id: number }[]>`insert into servers (name) values ('') returning id`
  await sql`update channels c set server_id = ${found(emptyServer, 'internal').id}, parent_id = null, message_id = null
    where c.type = 'thread' and ${condition}`
}

/**
 * Deletes a thread, and publishes that. Its owner may do so while nobody else has written in it.
 * @throws Problem `not_found`, `missing_permission`
 */
export async function removeThread(sql: Transaction, emit: Emit, id: number, userId: number): Promise<void> {
  const thread = await lockThread(sql, id, userId)
  const { parent_id } = thread
  const server_id = serverOf(thread, 'manage_threads')
  if (parent_id === null) throw new Problem('not_found')
  const [others] = await sql`select 1 from messages where channel_id = ${id} and author_id <> ${userId} limit 1`
  if (!isOwner(thread, userId) || others) demand(thread.permissions, 'manage_threads')
  await sql`update events set body = null where resource = ${`thread:${id}`} and body is not null`
  // ServerRemoval blanks its messages in the event log, which are not replayed any more.
  await releaseThreads(sql, sql`c.id = ${id}`)
  emit(topic.seers(thread), 'thread.deleted', { id, server_id, parent_id, created_at: thread.created_at })
  if (thread.owner_id === userId) return
  const entry = { server_id, actor_id: userId, action: 'thread.deleted' as const }
  await audit(sql, entry, ['channel', id], channelOf(thread), null)
}
