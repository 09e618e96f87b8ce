-- The votes by answer; null where they are hidden: an anonymous poll shows them at its end, and only from five voters
-- on, because fewer would say too well who chose what.
create or replace function poll_counts(p polls) returns int[] language sql immutable
  return case when not p.anonymous or p.ended_at is not null and p.voter_count >= 5 then p.counts end;
