import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { found, Problem } from '../../core/errors.ts'
import { field } from '../../http/answers.ts'
import { demand } from '../servers/guard.ts'
import { demandContact } from '../dms/contact.ts'
import { type Message, mentionsIn } from './model.ts'
import { changeMessage } from './place.ts'

/**
 * Changes the text of an own message, and publishes it.
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
    const { author_id, recipient_id, server_id, permissions } = place
    if (author_id !== me) throw new Problem('forbidden', 'Only the author edits a message')
    // To edit is to write: whoever is timed out does neither.
    if (server_id !== null) demand(permissions, 'send_messages')
    if (recipient_id !== null) await demandContact(sql, me, recipient_id)
    const [row] = await sql<{ files: number }[]>`
      update messages m set content = ${content}, edited_at = clock_timestamp(),
        mention_ids = mentioned(m.channel_id, ${mentionsIn(content)})
      where id = ${id}
      returning (select count(*)::int from files where message_id = m.id) as files`
    if (found(row).files === 0 && content === '') throw field('content', 'Must not be empty without files')
  })
  return message
}
