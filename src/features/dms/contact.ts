import type { Sql } from '../../database/database.ts'
import { Problem } from '../../core/errors.ts'

/** Whatever reaches the other in a dm passes here, as a new message does. @throws Problem `cannot_contact` */
export async function demandContact(sql: Sql, sender_id: number, recipient_id: number): Promise<void> {
  const [row] = await sql<{ takes: boolean }[]>`select takes_dm(${sender_id}, ${recipient_id}) as takes`
  if (!row?.takes) throw new Problem('cannot_contact')
}
