import { z } from 'zod'
import { cursorList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { ROOM_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import { guarded } from '../servers/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { AuditEntry } from './model.ts'

/** The audit log of a server. */
export const auditRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions).get(
    '/api/servers/:server_id/audit-log',
    async ({ params, query, request }) =>
      cursorList<AuditEntry>(
        request,
        query,
        'newest',
        (row) => row.id,
        (scan) => parts.sql`
          select a.id, a.server_id, public_user(u) as actor, a.action, a.target_type, a.target_id, a.changes,
            a.created_at
          from audit_log a join users u on u.id = a.actor_id
          where a.server_id = ${params.server_id} and ${slice(parts.sql, 'a.id', scan)}`,
      ),
    {
      params: z.object({ server_id: DecimalId }),
      query: CursorQuery,
      member: 'view_audit_log',
      detail: { summary: 'Who changed what, newest first', tags: ['Members'] },
      response: answers({ 200: z.array(AuditEntry) }, ...ROOM_CODES),
    },
  )
