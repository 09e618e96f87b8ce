-- Messages that mention an account, newest first. Ids follow time only within a channel, so the order is that of time.
-- p_before: only messages before this one; null for the newest.
create or replace function mentions_of(p_user bigint, p_before bigint, p_limit int)
returns table (message_id bigint) language sql stable as $$
  with recursive blocked as materialized (
    select array(select r.other_id from relations_of r where r.user_id = p_user and r.blocks) as ids
  ), edge as materialized (
    select m.created_at from messages m where m.id <= p_before order by m.id desc limit 1
  ), naming (channel_id) as (
    -- The channels of one's mentions by name, each found only by the index.
    (select mn.channel_id from mentions mn where mn.user_id = p_user order by mn.channel_id limit 1)
    union all
    select (select mn.channel_id from mentions mn where mn.user_id = p_user and mn.channel_id > naming.channel_id
      order by mn.channel_id limit 1) from naming where naming.channel_id is not null
  ), home as materialized (
    select c.id as channel_id, array(select mr.role_id from member_roles mr
      where mr.server_id = c.server_id and mr.user_id = p_user) as role_ids
    from channels c where c.id in (
      select own.id from members mem join channels own on own.server_id = mem.server_id and own.type <> 'thread'
        where mem.user_id = p_user
      union all select f.channel_id from thread_followers f where f.user_id = p_user
      union all select naming.channel_id from naming)
  ), calling as materialized (
    -- Access is only asked for where there is something.
    select home.* from home where exists (
        select from mentions mn where mn.user_id = p_user and mn.channel_id = home.channel_id)
      or exists (select from messages m where m.channel_id = home.channel_id
        and (m.mention_everyone or m.mention_here or m.mention_role_ids <> '{}'))
  ), readable as materialized (
    -- The ids of a channel that may be below: sends at the same time get theirs in any order.
    select calling.*, edge.created_at as until, case when p_before is null then null else
      first_message_since(calling.channel_id, edge.created_at + interval '1 minute') end as end_id
    from calling left join edge on true cross join lateral channel_access(calling.channel_id, p_user) ca
    where can_view(ca.permissions) and holds(ca.permissions, 'read_history')
  )
  select found.id from readable cross join blocked cross join lateral (
    (select m.id, m.created_at from mentions mn join messages m on m.id = mn.message_id
      where mn.user_id = p_user and mn.channel_id = readable.channel_id
        and mn.message_id < coalesce(readable.end_id, 9007199254740991)
        and (p_before is null or (m.created_at, m.id) < (readable.until, p_before))
        and m.author_id <> all (blocked.ids)
      order by mn.message_id desc limit p_limit)
    union
    (select m.id, m.created_at from messages m
      where m.channel_id = readable.channel_id and m.id < coalesce(readable.end_id, 9007199254740991)
        and (p_before is null or (m.created_at, m.id) < (readable.until, p_before))
        and (m.mention_everyone or m.mention_here or m.mention_role_ids <> '{}')
        and (m.mention_everyone or m.mention_here or m.mention_role_ids && readable.role_ids)
        and m.author_id <> p_user and m.author_id <> all (blocked.ids)
      order by m.id desc limit p_limit)
  ) found order by found.created_at desc, found.id desc limit p_limit
$$;
