-- What an account may do in a channel; in a thread, what it may do in the thread's parent. A hidden post exists only
-- for members with manage_threads.
create or replace function channel_access(p_channel bigint, p_user bigint)
returns table (server_id bigint, is_owner boolean, permissions bigint) language sql stable rows 1 as $$
  select cp.server_id, cp.is_owner, cp.permissions from channel_permissions cp
    where cp.channel_id = (select c.audience_id from channels c where c.id = p_channel) and cp.user_id = p_user
      and (holds(cp.permissions, 'manage_threads')
        or (select c.hidden from channels c where c.id = p_channel) is not true)
  union all
  select null, false, participant_permissions() from participants p
    where p.channel_id = p_channel and p.user_id = p_user and p.is_open
$$;
