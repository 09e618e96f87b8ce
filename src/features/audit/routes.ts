import { z } from 'zod'
import { cursorList, slice } from '../../http/lists.ts'
import type { Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { PLACE_CODES } from '../../core/errors.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { AuditEntry, AuditQuery } from './model.ts'
import { entriesWhere, SEARCHES } from './read.ts'

/** SQL condition of a filter on entries `a`. */
function passes(sql: Sql, { user_id, action, channel_id }: AuditQuery) {
  const ofUser =
    user_id === undefined
      ? sql`true`
      : sql`(a.actor_id = ${user_id}
    or (a.target_type = 'member' and a.target_id = ${user_id})
    or a.changes -> 'author_id' -> 'before' = to_jsonb(${user_id}::bigint)
    or a.changes @? ${`$.author_ids.before[*] ? (@ == ${user_id})`}::jsonpath)`
  const ofAction = action === undefined ? sql`true` : sql`a.action = ${action}`
  const inChannel =
    channel_id === undefined
      ? sql`true`
      : sql`(
    (a.target_type = 'channel' and a.target_id = ${channel_id})
    or a.changes -> 'channel_id' -> 'before' = to_jsonb(${channel_id}::bigint)
    or a.changes -> 'channel_id' -> 'after' = to_jsonb(${channel_id}::bigint))`
  return sql`${ofUser} and ${ofAction} and ${inChannel}`
}

export const auditRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions).get(
    '/api/servers/:server_id/audit-log',
    async ({ params, query, request, me, caller }) => {
      const isSearch = (query.user_id ?? query.action ?? query.channel_id) !== undefined
      if (isSearch) await parts.limits.take(caller, SEARCHES, `user:${me.id}`)
      return parts.read('audit', (sql) =>
        cursorList<AuditEntry>(
          request,
          query,
          'newest',
          (row) => row.id,
          (scan) =>
            entriesWhere(
              sql,
              sql`a.server_id = ${params.server_id} and ${passes(sql, query)} and ${slice(sql, 'a.id', scan)}`,
            ),
        ),
      )
    },
    {
      params: z.object({ server_id: DecimalId }),
      query: AuditQuery,
      member: 'view_audit_log',
      detail: { summary: 'List the audit log, newest first', tags: ['Members'] },
      response: answers({ 200: z.array(AuditEntry) }, ...PLACE_CODES),
    },
  )
