-- As in 0016; a thread's events go where its parent's go.
create or replace function channel_topic(c channels) returns text language sql stable parallel safe
  return case when audience_restricted(c) then 'channel:' || c.audience_id else 'server:' || c.server_id end;
