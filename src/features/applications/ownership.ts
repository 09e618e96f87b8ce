import type { Sql, Transaction } from '../../database/database.ts'
import type { Notify } from '../../events/write.ts'
import { endSessions } from '../sessions/store.ts'

async function botsOf(sql: Sql, ownerId: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`select id from applications where owner_id = ${ownerId} order by id`
  return rows.map(({ id }) => id)
}

/** Revokes the tokens of an account's bots. */
export async function endBotSessions(sql: Transaction, notify: Notify, ownerId: number): Promise<void> {
  for (const id of await botsOf(sql, ownerId)) await endSessions(sql, notify, id)
}

/** Takes its applications from an account: their tokens are void at once; OrphanedBots deletes the bots soon. */
export async function disownApplications(sql: Transaction, notify: Notify, ownerId: number): Promise<void> {
  await endBotSessions(sql, notify, ownerId)
  await sql`update applications set owner_id = null where owner_id = ${ownerId}`
}
