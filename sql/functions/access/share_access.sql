-- Takes the lock that work relying on a server's permissions shares until the end of the transaction.
create or replace function share_access(p_server bigint) returns void language sql
  return pg_advisory_xact_lock_shared(7201506, hashint8(p_server));
