import { Problem } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import { field } from '../../http/answers.ts'
import type { VisibleChannel } from '../access/guard.ts'

/** Changes of who reads a channel without an account. */
export interface Publication {
  public?: boolean | undefined
  public_older?: boolean | undefined
}

/**
 * Makes a channel public, or no longer. Messages from before become public only by the owner's word.
 * @throws Problem `validation_failed`, `forbidden`
 */
export async function publish(
  sql: Transaction,
  { id, type, server_id, public_since, public_older: wasOlder }: VisibleChannel,
  userId: number,
  { public: isPublic, public_older }: Publication,
): Promise<void> {
  if (isPublic === undefined && public_older === undefined) return
  if (type !== 'text' && type !== 'forum') throw field('public', 'Only text channels and forums have public pages')
  if (public_older === true && wasOlder !== true) {
    const [server] = await sql`select 1 from servers where id = ${server_id} and owner_id = ${userId}`
    if (!server) throw new Problem('forbidden', 'Only the owner can publish what was written before')
    if (isPublic === false || (isPublic === undefined && !public_since))
      throw field('public_older', 'The channel is not public')
  }
  if (isPublic === false) await sql`update channels set public_since = null, public_older = false where id = ${id}`
  if (isPublic === true) await sql`update channels set public_since = coalesce(public_since, now()) where id = ${id}`
  if (public_older !== undefined && isPublic !== false)
    await sql`update channels set public_older = ${public_older} where id = ${id}`
}

/** The people whose messages in a channel and its threads were written before it became public, or before now. */
export async function countWriters(sql: Sql, channelId: number): Promise<{ people: number; messages: number }> {
  const [row] = await sql<[{ people: number; messages: number }]>`
    select count(distinct m.author_id)::int as people, count(*)::int as messages
    from channels home join channels c on c.id = home.id or c.parent_id = home.id
    join messages m on m.channel_id = c.id
    where home.id = ${channelId} and m.kind = 'default'
      and (home.public_since is null or m.created_at < home.public_since)`
  return row
}
