import { found, Problem } from '../../core/errors.ts'
import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { audit } from '../audit/record.ts'
import { demandPartner } from '../access/contact.ts'
import type { Message } from './model.ts'
import { emitUpdated, lockedPlace, type MessagePlace } from '../access/place.ts'
import { withMine } from '../reactions/mine.ts'
import { demand } from '../access/guard.ts'

/**
 * Hides or shows the embeds of a message, and publishes it; does nothing if that is done already.
 * @returns the message as it is now
 * @throws Problem `not_found`, `forbidden`, `missing_permission`, `cannot_contact` in a dm
 */
export async function suppressEmbeds(
  sql: Transaction,
  emit: Emit,
  messageId: number,
  me: number,
  suppressed: boolean,
): Promise<Message> {
  const place = await lockedPlace(sql, messageId, me)
  await demandWriter(sql, place, me)
  const [row] = await sql`
    update messages set embeds_suppressed = ${suppressed}
    where id = ${messageId} and embeds_suppressed <> ${suppressed} returning 1`
  if (!row) return asSeen(sql, messageId, me)
  const message = await emitUpdated(sql, emit, messageId, place)
  const { author_id, channel_id, server_id } = place
  if (author_id !== me && server_id !== null) {
    const entry = { server_id, actor_id: me, action: 'message.embeds_suppressed' as const }
    await audit(sql, entry, ['message', messageId], null, { author_id, channel_id, suppressed })
  }
  return found((await withMine(sql, me, [message]))[0])
}

/** The author needs the permissions of an edit; anybody else needs manage_messages. */
async function demandWriter(sql: Transaction, place: MessagePlace, me: number): Promise<void> {
  const { permissions, server_id } = place
  if (place.author_id !== me) demand(permissions, 'manage_messages')
  else if (server_id !== null) demand(permissions, place.is_thread ? 'send_in_threads' : 'send_messages')
  if (place.author_id === me && place.locked) demand(permissions, 'manage_threads')
  if (place.kind !== 'default') throw new Problem('forbidden', 'This message has no embeds')
  await demandPartner(sql, me, place)
}

async function asSeen(sql: Transaction, messageId: number, me: number): Promise<Message> {
  const [row] = await sql<{ message: Message }[]>`
    select message_json(m, ${me}) as message from messages m where id = ${messageId}`
  return found((await withMine(sql, me, [found(row).message]))[0])
}
