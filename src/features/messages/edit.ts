import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { field } from '../../http/answers.ts'
import { demand } from '../servers/guard.ts'
import { demandContact } from '../dms/contact.ts'
import { type Message, mentionsIn } from './model.ts'
import { withMine } from '../reactions/mine.ts'
import { changeMessage, demandWritten, type MessagePlace } from './place.ts'
import { FORWARDS_OF_EDIT_MAX, publishForwards } from './remove.ts'

/**
 * Demands that the caller may change what an own message says.
 * @throws Problem `forbidden`, `missing_permission`, `cannot_contact` in a dm
 */
export async function demandOwn(sql: Transaction, me: number, place: MessagePlace): Promise<void> {
  const { author_id, recipient_id, server_id, permissions } = place
  if (author_id !== me) throw new Problem('forbidden', 'Only the author edits a message')
  demandWritten(place)
  // To edit is to write: whoever is timed out does neither.
  if (server_id !== null) demand(permissions, place.is_thread ? 'send_in_threads' : 'send_messages')
  if (place.locked) demand(permissions, 'manage_threads')
  if (recipient_id !== null) await demandContact(sql, me, recipient_id)
}

/** Whoever an edit mentions anew in a thread follows it. */
async function followMentioned(sql: Transaction, emit: Emit, place: MessagePlace, user_ids: number[]): Promise<void> {
  const { channel_id, server_id, audience_id } = place
  if (user_ids.length === 0 || server_id === null) return
  const followers = await sql<{ user_id: number }[]>`
    select user_id from follow_thread(${channel_id}, ${user_ids}) user_id order by user_id`
  for (const { user_id } of followers) {
    const own = topic.user(user_id, { server_id, channel_id: audience_id })
    emit(own, 'thread.followed', { channel_id, following: true })
  }
}

/**
 * Changes the text of an own message, and publishes it and its newest forwards.
 * @returns the message as it is now
 * @throws Problem `not_found`, `forbidden`, `missing_permission`, `cannot_contact` in a dm, `validation_failed`
 */
export async function editMessage(
  sql: Transaction,
  emit: Emit,
  id: number,
  me: number,
  content: string,
): Promise<Message> {
  const { message } = await changeMessage(sql, emit, id, me, undefined, async (place) => {
    await demandOwn(sql, me, place)
    const { people, roles, everyone, here } = mentionsIn(content)
    const [row] = await sql<{ is_empty: boolean; added_ids: number[] }[]>`
      update messages m set content = ${content}, edited_at = clock_timestamp(), mention_ids = named.people,
        mention_role_ids = named.roles, mention_everyone = named.everyone, mention_here = named.here,
        embeds = kept_embeds(m, ${content})
      from messages before, channels c, resolved_mentions(c, ${place.permissions}, ${people}::bigint[] || array(
        select r.author_id from messages r join messages own on own.reply_to_id = r.id
        where own.id = ${id} and own.reply_mention and r.author_id <> own.author_id),
        ${roles}, ${everyone}, ${here}) named
      where m.id = ${id} and before.id = m.id and c.id = m.channel_id
      returning array(select unnest(m.mention_ids) except select unnest(before.mention_ids)) as added_ids,
        m.content = '' and m.forwarded_id is null and m.forwarded is null
        and not exists (select from files where message_id = m.id) as is_empty`
    const { is_empty, added_ids } = found(row)
    if (is_empty) throw field('content', 'Must not be empty without files')
    if (place.is_thread) await followMentioned(sql, emit, place, added_ids)
  })
  await publishForwards(sql, emit, [id], FORWARDS_OF_EDIT_MAX)
  return found((await withMine(sql, me, [message]))[0])
}
