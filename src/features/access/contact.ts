import type { Sql } from '../../database/database.ts'
import { Problem } from '../../core/errors.ts'
import type { MessageLocation } from './place.ts'

/** Whatever reaches the other in a dm passes here, as a new message does. @throws Problem `cannot_contact` */
export async function demandContact(sql: Sql, sender_id: number, recipient_id: number): Promise<void> {
  const [row] = await sql<{ takes: boolean }[]>`select takes_dm(${sender_id}, ${recipient_id}) as takes`
  if (!row?.takes) throw new Problem('cannot_contact')
}

/** The same for what reaches the other one through a message of a dm; anywhere else nothing is demanded. */
export async function demandPartner(sql: Sql, user_id: number, { author_id, recipient_id }: MessageLocation) {
  if (recipient_id !== null) await demandContact(sql, user_id, author_id === user_id ? recipient_id : author_id)
}
