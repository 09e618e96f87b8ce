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

/** demandContact for actions on a message of a dm; does nothing for messages elsewhere. */
export async function demandPartner(sql: Sql, userId: number, { author_id, recipient_id }: MessageLocation) {
  if (recipient_id !== null) await demandContact(sql, userId, author_id === userId ? recipient_id : author_id)
}
