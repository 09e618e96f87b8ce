import type { Transaction } from '../../database/database.ts'
import { found, Problem } from '../../core/errors.ts'
import { holds } from '../../core/permissions.ts'
import { field } from '../../http/answers.ts'
import type { VisibleChannel } from '../access/guard.ts'
import type { Channel } from '../access/model.ts'
import { demandTags } from './post-rules.ts'

/** Pinned posts of a forum. */
const PINS_MAX = 5

/** Changes of a post besides those of any thread. */
export interface PostChange {
  tag_ids?: number[] | undefined
  answer_message_id?: number | null | undefined
  pinned?: boolean | undefined
  hidden?: boolean | undefined
}

/**
 * Changes what only a post has. The caller has locked it, and may change it.
 * @throws Problem `validation_failed`, `missing_permission`, `too_many_pins`
 */
export async function changePost(
  sql: Transaction,
  { id, parent_id, permissions, ...before }: VisibleChannel,
  { tag_ids, answer_message_id, pinned, hidden }: PostChange,
): Promise<void> {
  if (tag_ids !== undefined) {
    const [forum] = await sql<Pick<Channel, 'tags' | 'tag_required'>[]>`
      select tags, tag_required from channels where id = ${parent_id}`
    demandTags(found(forum), before.tag_ids ?? [], tag_ids, holds(permissions, 'manage_threads'))
    await sql`update channels set tag_ids = ${tag_ids}::bigint[] where id = ${id}`
  }
  if (answer_message_id !== undefined) {
    if (answer_message_id !== null && !(await isMessageOf(sql, id, answer_message_id)))
      throw field('answer_message_id', 'There is no such message in this post')
    await sql`update channels set answer_message_id = ${answer_message_id} where id = ${id}`
  }
  if (pinned === true && before.pinned !== true) await demandPin(sql, parent_id)
  if (pinned !== undefined) await sql`update channels set pinned = ${pinned} where id = ${id}`
  if (hidden !== undefined) await sql`update channels set hidden = ${hidden} where id = ${id}`
  if (hidden === true && before.hidden !== true) await sql`select thread_hidden(${id})`
}

async function isMessageOf(sql: Transaction, channelId: number, messageId: number): Promise<boolean> {
  const rows = await sql`
    select 1 from messages where id = ${messageId} and channel_id = ${channelId} and kind = 'default' for key share`
  return rows.length > 0
}

/** Changes of pins in one forum wait for each other. @throws Problem `too_many_pins` */
async function demandPin(sql: Transaction, forumId: number | null): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('forum pins', ${forumId}))`
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from channels where parent_id = ${forumId} and pinned`
  if (found(row).count >= PINS_MAX) throw new Problem('too_many_pins')
}
