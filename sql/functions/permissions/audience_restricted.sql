-- Whether not every member sees the channel; of a thread, its parent. Inlined, as a function with a query in it would
-- not be.
create or replace function audience_restricted(c channels) returns boolean language sql stable parallel safe
  return case when c.type <> 'thread' then c.restricted else is_restricted(c.parent_id) end;
