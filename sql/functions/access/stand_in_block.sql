-- True if one of two accounts blocks the other.
create or replace function stand_in_block(p_one bigint, p_other bigint) returns boolean language sql stable
  return exists (select from relations r where r.low = least(p_one, p_other) and r.high = greatest(p_one, p_other)
    and (r.low_blocked_at is not null or r.high_blocked_at is not null));
