-- Whatever changes what stands between two people, or passes between them, happens one after another.
create or replace function lock_pair(p_one bigint, p_other bigint) returns void language sql
  return pg_advisory_xact_lock(7201507, hashtext(least(p_one, p_other) || ':' || greatest(p_one, p_other)));
