-- Takes the lock that work relying on a group's participants shares until the end of the transaction.
create or replace function share_group(p_channel bigint) returns void language sql
  return pg_advisory_xact_lock_shared(7201508, hashint8(p_channel));
