import type { Json, Transaction } from '../../database/database.ts'
import type { AuditEntry } from './model.ts'

type Fields = object
type Changes = Record<string, { before: Json; after: Json }>

/** Fields to omit, because they change with every update or are columns of the entry itself. */
const SILENT = new Set([
  'id',
  'server_id',
  'created_at',
  'updated_at',
  'restricted',
  'permissions_of',
  'last_message_id',
  'last_message_at',
  'message_count',
  'pruned_before_id',
])

/** Fields that identify the subject of a change; recorded even when unchanged. */
const NAMING = new Set(['role_id', 'user_id'])

/** The fields that differ between two states. Null means that there is no state before or after. */
export function changesBetween(before: Fields | null, after: Fields | null): Changes {
  const fields = (state: Fields | null) => new Map<string, Json>(Object.entries(state ?? {}))
  const [old, now] = [fields(before), fields(after)]
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => !SILENT.has(name))
  const pairs = names.map((name) => [name, { before: old.get(name) ?? null, after: now.get(name) ?? null }] as const)
  return Object.fromEntries(
    pairs.filter(([name, { before, after }]) => NAMING.has(name) || !Bun.deepEquals(before, after)),
  )
}

/**
 * Writes an entry into the server's audit log, in the transaction of the change.
 * @param target `['role', 7]`
 * @param before, after the target's states; null if there is none
 */
export async function audit(
  sql: Transaction,
  entry: { server_id: number; actor_id: number; action: AuditEntry['action'] },
  [target_type, target_id]: [AuditEntry['target_type'], number],
  before: Fields | null,
  after: Fields | null,
): Promise<void> {
  const changes = sql.json(changesBetween(before, after))
  await sql`insert into audit_log ${sql({ ...entry, target_type, target_id, changes })}`
}
