import { z } from 'zod'
import type { Sql } from '../../database/database.ts'
import { Id, Time } from '../../core/schema.ts'
import type { Me } from '../sessions/store.ts'

/** A topic that an account gave to a stage. */
export const SetTopic = z.object({ server_id: Id, channel_id: Id, topic: z.string(), created_at: Time })

/** Topics that the account gave to stages, by the audit log: a stage that has ended keeps none. */
export const stageTopicPage = (sql: Sql, { id }: Me, after: string, limit: number) => sql<
  { key: string; body: string }[]
>`
  select a.id::text as key, json_build_object('server_id', a.server_id, 'channel_id', a.target_id,
    'topic', a.changes #>> '{topic,after}', 'created_at', iso(a.created_at))::text as body
  from audit_log a
  where a.actor_id = ${id} and a.action in ('stage.started', 'stage.updated')
    and a.changes #>> '{topic,after}' is not null and a.id > ${after}::bigint
  order by a.id limit ${limit}`
