import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { botsOf } from '../access/bots.ts'
import type { AuditEntry } from './model.ts'
import { entriesOf } from './record.ts'

/** Publishes the entries that a transaction has made to the bots that may read them; called before its commit. */
export async function announceEntries(sql: Transaction, emit: Emit): Promise<void> {
  const entriesMade = entriesOf(sql)
  for (const serverId of new Set(entriesMade.map((entry) => entry.server_id))) {
    const bots = await botsOf(sql, serverId, 'view_audit_log')
    if (bots.length === 0) continue
    const ids = entriesMade.filter((entry) => entry.server_id === serverId).map(({ id }) => id)
    const entries = await sql<AuditEntry[]>`
      select a.id, a.server_id, public_user(u) as actor, a.action, a.target_type, a.target_id, a.target_created_at,
        a.changes, a.created_at
      from audit_log a join users u on u.id = a.actor_id where a.id = any(${ids}) order by a.id`
    for (const entry of entries) emit(bots, 'audit.created', entry)
  }
}
