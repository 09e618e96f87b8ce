import type { Sql } from '../../src/database/database.ts'

/** Marks that only the lists have, or only their table. Lists may keep deleted channels. */
export const listDifferences = (sql: Sql) => sql`
  with listed as (
    select l.user_id, l.server_id, mark.channel_id, mark.message_id from read_mark_lists l
    cross join unnest(l.channel_ids, l.message_ids) as mark (channel_id, message_id)
    where exists (select from channels c where c.id = mark.channel_id)
  ), marks as (
    select m.user_id, case when c.type = 'thread' then 0 else coalesce(c.server_id, 0) end as server_id, m.channel_id,
      m.message_id
    from read_marks m join channels c on c.id = m.channel_id
  )
  (select 'only listed' as what, * from (select * from listed except all select * from marks) extra)
  union all (select 'not listed', * from (select * from marks except all select * from listed) missing)`

/** Lists whose channels are not in order, or whose channels belong elsewhere. */
export const misplacedLists = (sql: Sql) => sql`
  select l.* from read_mark_lists l where l.channel_ids <> array(select id from unnest(l.channel_ids) id order by id)
    or l.channel_ids = '{}' or exists (
      select from channels c cross join lateral mark_list_of(c) place
      where c.id = any(l.channel_ids) and (l.server_id, l.part) <> (place.server_id, place.part))`
