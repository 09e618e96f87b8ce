-- When the newest message of a thread was written. Inlined, as a function with a query in it would not be.
create or replace function last_message_at(c channels) returns timestamptz language sql stable
  return case when c.type = 'thread' then newest_written_at(c.id) end;
