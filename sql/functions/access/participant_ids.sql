-- The accounts on whose topics the events of a dm or group go; empty in a channel of a server.
create or replace function participant_ids(c channels) returns bigint[] language sql stable
  return case when c.server_id is not null then '{}'
    else array(select p.user_id from participants p where p.channel_id = c.id and p.is_open order by p.user_id) end;
