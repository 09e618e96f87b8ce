-- Until the commit nothing changes about who sees the channel. Whoever locks several takes those of servers first,
-- then those of groups, then pairs, each in the order of their ids.
create or replace function share_channel(c channels) returns void language plpgsql as $$
begin
  if c.server_id is not null then
    perform share_access(c.server_id);
  elsif c.type = 'group' then
    perform share_group(c.id);
  else
    perform lock_pair(p.user_id, p.other_id) from participants p where p.channel_id = c.id limit 1;
  end if;
end $$;
