import type { Sql } from '../../database/database.ts'
import { Problem } from '../../core/errors.ts'
import type { MessageLocation } from './place.ts'

/**
 * Check before anything that reaches the other account of a dm; the rules are those of a new message.
 * @throws Problem `cannot_contact`
 */
export async function demandContact(sql: Sql, senderId: number, recipient_id: number): Promise<void> {
  const [row] = await sql<{ takes: boolean }[]>`select takes_dm(${senderId}, ${recipient_id}) as takes`
  if (!row?.takes) throw new Problem('cannot_contact')
}

/** True while the dm is a request that one of the accounts has not accepted. */
export async function isRequested(sql: Sql, channel_id: number, userIds: number[]): Promise<boolean> {
  const [row] = await sql`select 1 from unnest(${userIds}::bigint[]) id where is_requested(id, ${channel_id})`
  return row !== undefined
}

/**
 * demandContact for actions on a message of a dm; does nothing for messages elsewhere. Whoever has not accepted a
 * request does nothing that its sender would see.
 * @throws Problem `cannot_contact`
 */
export async function demandPartner(
  sql: Sql,
  userId: number,
  { author_id, recipient_id, channel_id }: MessageLocation,
): Promise<void> {
  if (recipient_id === null) return
  await demandContact(sql, userId, author_id === userId ? recipient_id : author_id)
  if (await isRequested(sql, channel_id, [userId]))
    throw new Problem('cannot_contact', 'Accept the message request first')
}
