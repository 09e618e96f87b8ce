import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import type { Message, NoticeData } from './model.ts'
import { location, type MessageLocation, seersOf } from '../access/place.ts'

/**
 * Posts a notice: a message that says what somebody did. Notices are never unread. The caller's locks keep access to
 * the channel from changing until the commit.
 * @param authorId the account that acted: in a dm one of its two people
 * @returns its id
 * @throws Problem `not_found` if the channel does not exist
 */
export async function sendNotice(
  sql: Transaction,
  emit: Emit,
  channel_id: number,
  authorId: number,
  kind: Exclude<Message['kind'], 'default'>,
  data: NoticeData,
): Promise<number> {
  const [row] = await sql<(MessageLocation & { message: Message })[]>`
    with sent as (
      select m.* from channels c left join participants p on p.channel_id = c.id and p.user_id = ${authorId}
      cross join insert_messages(array[new_message(channel_id => c.id, author_id => ${authorId},
        recipient_id => p.other_id, kind => ${kind}, content => '', data => ${JSON.stringify(data)}::text::json,
        read_at => case when p.other_id is not null then now() end)]) m
      where c.id = ${channel_id}
    ) select message_json(m) as message, ${location(sql)} from sent m join channels c on c.id = m.channel_id`
  const { message, ...place } = found(row)
  if (place.is_thread) await sql`select note_in_thread(${channel_id}, m) from messages m where m.id = ${message.id}`
  if (place.recipient_id === null) emit(seersOf(place), 'message.created', message)
  else
    for (const { user_id, ...side } of await newSides(sql, channel_id))
      emit(topic.user(user_id, { channel_id }), 'message.created', { ...message, ...side })
  return message.id
}

/** Fields of a new message for each side of a dm. */
async function newSides(sql: Transaction, channel_id: number) {
  const rows = await sql<{ user_id: number; unread_count: number; request: 'waiting' | 'ignored' | null }[]>`
    select user_id, unread_count, nullif(request, 'accepted') as request
    from participants where channel_id = ${channel_id} order by user_id`
  return rows.map(({ request, ...side }) => (request === null ? side : { ...side, request }))
}

/** True for messages `m` about what their author did, which only moderators may read and delete. */
export const isAlert = (sql: Sql) => sql`m.kind in ('automod_alert', 'raid_alert')`
