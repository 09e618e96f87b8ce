-- Whether a sum of bits contains the named one.
create or replace function holds(p_held bigint, p_name text) returns boolean language sql immutable parallel safe
  return p_held & permission_bit(p_name) <> 0;
