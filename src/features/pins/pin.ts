import { found } from '../../core/errors.ts'
import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { audit } from '../audit/record.ts'
import { botsIn } from '../access/bots.ts'
import { demandPartner } from '../access/contact.ts'
import { demandWritten, emitUpdated, lockedPlace, type MessagePlace } from '../access/place.ts'
import { sendNotice } from '../messages/notice.ts'
import { demand } from '../access/guard.ts'

/**
 * Pins or unpins a message; does nothing if that is done already. Pinning posts a notice of kind `pinned`.
 * @throws Problem `not_found`, `missing_permission`, `forbidden` for a notice, `cannot_contact` in a dm;
 * `too_many_pins` by its constraint
 */
export async function setPinned(
  sql: Transaction,
  emit: Emit,
  { channel_id, message_id }: { channel_id: number; message_id: number },
  userId: number,
  isPinned: boolean,
): Promise<void> {
  const place = await lockedPlace(sql, message_id, userId)
  if (place.channel_id !== channel_id) return found(undefined)
  demand(place.permissions, 'pin_messages')
  if (place.locked) demand(place.permissions, 'manage_threads')
  if (isPinned) demandWritten(place)
  await demandPartner(sql, userId, place)
  // Locks in the order of a message's deletion: the channel, then the message.
  await sql`select 1 from channels where id = ${channel_id} for no key update`
  const [message] = await sql<{ was_pinned: boolean }[]>`
    select pinned_at is not null as was_pinned from messages where id = ${message_id} for no key update`
  if (found(message).was_pinned === isPinned) return
  await sql`update channels set pin_count = pin_count + ${isPinned ? 1 : -1} where id = ${channel_id}`
  await sql`update messages set pinned_at = ${isPinned ? sql`clock_timestamp()` : null} where id = ${message_id}`
  await emitUpdated(sql, emit, message_id, place)
  if (isPinned) await sendNotice(sql, emit, channel_id, userId, 'pinned', { message_id })
  await note(sql, place, userId, message_id, isPinned)
  const { server_id } = place
  if (server_id !== null)
    emit(await botsIn(sql, server_id, channel_id, 'view_channel'), 'pins.updated', { server_id, channel_id })
}

async function note(
  sql: Transaction,
  { server_id, author_id, channel_id }: MessagePlace,
  actor_id: number,
  message_id: number,
  isPinned: boolean,
): Promise<void> {
  if (server_id === null) return
  const state = { author_id, channel_id }
  const [before, after] = isPinned ? [null, state] : [state, null]
  const action = isPinned ? 'message.pinned' : 'message.unpinned'
  await audit(sql, { server_id, actor_id, action }, ['message', message_id], before, after)
}
