import { NOTICE_LISTENER_NAME, type Sql } from '../../database/database.ts'
import type { Figures } from './model.ts'

/** Counts and sizes of the whole installation. */
export async function figuresOf(sql: Sql): Promise<Figures> {
  const [row] = await sql<[Figures]>`select
    (select count(*) from pg_stat_activity
      where application_name = ${NOTICE_LISTENER_NAME} and datname = current_database()) as running_servers,
    (select count(*) from users where deleted_at is null) as accounts,
    (select count(*) from users where suspended_at is not null) as suspended_accounts,
    (select count(*) from (
      select user_id from sessions where last_used_at > now() - interval '1 day'
      union select user_id from known_addresses where seen_at > now() - interval '1 day') active
    ) as accounts_active_last_day,
    (select count(*) from sessions) as sessions,
    (select count(*) from servers where owner_id is not null) as servers,
    (select count(*) from channels where type in ('text', 'voice')) as channels,
    (select count(*) from messages where recipient_id is null) as messages,
    (select count(*) from messages where recipient_id is not null) as direct_messages,
    (select count(*) from files) as files,
    (select coalesce(sum(size), 0)::bigint from files) as file_bytes,
    (select count(*) from object_outbox) as objects_to_remove,
    (select count(*) from events) as events,
    pg_total_relation_size('events') as event_bytes,
    pg_database_size(current_database()) as database_bytes`
  return row
}
