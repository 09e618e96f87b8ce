create or replace function unread_mentions(p_user bigint, p_channel bigint, p_mark bigint, p_blocked bigint[])
returns int language sql stable as $$
  select count(*)::int from (
    select from mentions_above(p_user, p_channel, p_mark, p_blocked, true, true) limit 100) counted
$$;
