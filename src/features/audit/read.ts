import type { Sql } from '../../database/database.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { AuditEntry } from './model.ts'

/** Low, because a rare entry may be searched for through a long log. */
export const SEARCHES: BucketPolicy = { name: 'audit_search', burst: 30, refillPerS: 2 }

/** Entries of audit logs. @param where what follows `where`, on entries `a` */
export const entriesWhere = (sql: Sql, where: ReturnType<Sql>) => sql<AuditEntry[]>`
  select a.id, a.server_id, public_user(u) as actor, a.action, a.target_type, a.target_id, a.target_created_at,
    a.changes, a.created_at
  from audit_log a join users u on u.id = a.actor_id where ${where}`
