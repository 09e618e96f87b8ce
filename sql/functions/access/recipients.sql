-- The participants of a dm or group, in the order in which they came; null in a channel of a server.
create or replace function recipients(c channels) returns json language sql stable
  return case when c.server_id is null then (
    select json_agg(public_user(u) order by p.joined_at, p.user_id)
    from participants p join users u on u.id = p.user_id where p.channel_id = c.id) end;
