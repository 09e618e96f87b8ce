-- The topic of the events of a channel: its server's, or its own if not every member sees it. A thread has its
-- parent's.
create or replace function channel_topic(c channels) returns text language sql stable parallel safe
  return case when audience_restricted(c) then 'channel:' || c.audience_id else 'server:' || c.server_id end;
