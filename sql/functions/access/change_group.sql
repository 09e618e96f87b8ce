-- Takes the lock that changes of a group's participants hold exclusively until the end of the transaction.
create or replace function change_group(p_channel bigint) returns void language sql
  return pg_advisory_xact_lock(7201508, hashint8(p_channel));
