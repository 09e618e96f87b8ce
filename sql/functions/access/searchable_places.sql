-- The places in which an account may search; of a server, or of one channel with its threads, where one is given.
create or replace function searchable_places(p_user bigint, p_server bigint, p_channel bigint) returns bigint[]
language plpgsql stable as $$
begin
  if p_channel is not null then
    return array(
      select c.audience_id from channels c cross join lateral channel_access(c.id, p_user) ca
      where c.id = p_channel and (p_server is null or ca.server_id = p_server)
        and can_view(ca.permissions) and holds(ca.permissions, 'read_history'));
  end if;
  if p_server is not null then
    return array(
      select rp.channel_id from resolved_permissions rp
      where rp.user_id = p_user and rp.server_id = p_server and rp.type in ('text', 'voice', 'forum', 'stage')
        and can_view(rp.permissions) and holds(rp.permissions, 'read_history'));
  end if;
  return array(
    select rp.channel_id from resolved_permissions rp
      where rp.user_id = p_user and rp.type in ('text', 'voice', 'forum', 'stage')
        and can_view(rp.permissions) and holds(rp.permissions, 'read_history')
    union all
    select p.channel_id from participants p where p.user_id = p_user and p.is_open);
end $$;
