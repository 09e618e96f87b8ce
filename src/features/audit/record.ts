import { reasonOfActor } from '../../core/act-reason.ts'
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

/** An entry that a transaction has made. */
interface MadeEntry {
  id: number
  server_id: number
}
const entriesByTransaction = new WeakMap<Transaction, MadeEntry[]>()

/** The entries that a transaction has made so far. */
export const entriesOf = (sql: Transaction): MadeEntry[] => entriesByTransaction.get(sql) ?? []

/** When a target was made, if the state is its whole row; null for the role everyone, which has its server's age. */
function madeAt(targetId: number, state: Fields | null): string | null {
  if (!state || !('id' in state) || state.id !== targetId || !('created_at' in state)) return null
  const isEveryone = 'is_everyone' in state && state.is_everyone === true
  return isEveryone || typeof state.created_at !== 'string' ? null : state.created_at
}

/** Adds the reason that the actor's program has sent along, unless the change itself has one. */
function withReason(changes: Changes, actorId: number): Changes {
  const reason = reasonOfActor(actorId)
  if (reason === undefined || typeof changes.reason?.after === 'string') return changes
  return { ...changes, reason: { before: changes.reason?.before ?? null, after: reason } }
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
  const changes = sql.json(withReason(changesBetween(before, after), entry.actor_id))
  const target_created_at = madeAt(target_id, before ?? after)
  const rows = await sql<MadeEntry[]>`
    insert into audit_log ${sql({ ...entry, target_type, target_id, target_created_at, changes })}
    returning id, server_id`
  entriesByTransaction.set(sql, [...entriesOf(sql), ...rows])
}
