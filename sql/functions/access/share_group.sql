-- Sends and whatever else happens in a group share this lock; changes of its participants take it alone.
create or replace function share_group(p_channel bigint) returns void language sql
  return pg_advisory_xact_lock_shared(7201508, hashint8(p_channel));
