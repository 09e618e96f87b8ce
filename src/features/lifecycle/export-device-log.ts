import type { Sql } from '../../database/database.ts'

/** A page of the log of an account's devices for encrypted calls. */
export const deviceLogPage = (sql: Sql, { id }: { id: number }, after: string, limit: number) =>
  sql<{ key: string; body: string }[]>`
    select position::text as key, json_build_object('position', position,
      'kind', case when is_added then 'added' else 'removed' end, 'key', encode(key, 'hex'),
      'created_at', iso(created_at))::text as body
    from device_log_entries where user_id = ${id} and position > ${after}::bigint order by position limit ${limit}`
