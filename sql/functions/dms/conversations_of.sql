-- The conversations that an account is shown, newest first: its newest dms that are not hidden, and all groups.
create or replace function conversations_of(p_user bigint, p_dms_max int)
returns table (channel_id bigint, other_id bigint, last_message_id bigint, unread_count int, active_at timestamptz,
  request text)
language sql stable as $$
  select * from (
    (select p.channel_id, p.other_id, p.last_message_id, p.unread_count, m.created_at as active_at,
        nullif(p.request, 'accepted')
      from participants p join messages m on m.id = p.last_message_id
      where p.user_id = p_user and p.last_message_id > p.hidden_id order by p.last_message_id desc limit p_dms_max)
    union all
    select p.channel_id, null, last_message_id(c), null, greatest(p.joined_at, (
      select m.created_at from messages m where m.channel_id = c.id order by m.id desc limit 1)), null
    from participants p join channels c on c.id = p.channel_id
    where p.user_id = p_user and p.other_id is null
  ) shown order by active_at desc, channel_id desc
$$;
