create or replace function is_restricted(p_channel bigint) returns boolean language sql stable parallel safe
  return (select c.restricted from channels c where c.id = p_channel);
