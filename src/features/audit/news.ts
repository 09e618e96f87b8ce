import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { botsOf } from '../access/bots.ts'
import { entriesWhere } from './read.ts'
import { entriesOf } from './record.ts'

/** Publishes the entries that a transaction has made to the bots that may read them; called before its commit. */
export async function announceEntries(sql: Transaction, emit: Emit): Promise<void> {
  const entriesMade = entriesOf(sql)
  for (const serverId of new Set(entriesMade.map((entry) => entry.server_id))) {
    const bots = await botsOf(sql, serverId, 'view_audit_log')
    if (bots.length === 0) continue
    const ids = entriesMade.filter((entry) => entry.server_id === serverId).map(({ id }) => id)
    for (const entry of await entriesWhere(sql, sql`a.id = any(${ids}) order by a.id`))
      emit(bots, 'audit.created', entry)
  }
}
