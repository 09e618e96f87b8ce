import { Problem } from '../../core/errors.ts'
import type { Transaction } from '../../database/database.ts'

/** The longest period whose messages a ban, a kick or a timeout can delete, in hours: a week. */
export const PRUNED_HOURS_MAX = 168

/**
 * Lists an author's messages of the last hours for deletion, in the channels where the moderator sees and manages
 * messages now. AuthorPrunes deletes them later; messages that come meanwhile stay. The same moderator's second list of
 * the author replaces the first one and covers its hours too, so that repeating it costs nothing.
 * @throws Problem `missing_permission` if there is no such channel
 */
export async function pruneAuthor(
  sql: Transaction,
  { server_id, user_id, actor_id }: { server_id: number; user_id: number; actor_id: number },
  hours = 0,
): Promise<void> {
  if (hours === 0) return
  const rows = await sql`
    insert into author_prunes (server_id, user_id, actor_id, channel_ids, since, until_id, before_id)
    select ${server_id}, ${user_id}, ${actor_id}, managed.ids, now() - ${hours} * interval '1 hour',
      newest.id, newest.id
    from (select array_agg(channel_id) as ids from channel_permissions
      where server_id = ${server_id} and user_id = ${actor_id} and can_view(permissions)
        and holds(permissions, 'manage_messages')) managed,
      (select newest_message_id() + 1 as id) newest
    where managed.ids is not null
    on conflict (server_id, user_id, actor_id) do update set channel_ids = excluded.channel_ids,
      since = least(author_prunes.since, excluded.since), until_id = excluded.until_id, before_id = excluded.before_id
    returning 1`
  if (rows.length === 0) throw new Problem('missing_permission', 'The permission manage_messages is missing')
}

/** The field of the audit log that says how far back messages are deleted. */
export const deletionFact = (seconds: number): { delete_message_seconds?: number } =>
  seconds > 0 ? { delete_message_seconds: seconds } : {}
