-- Takes the lock that changes of a server's permissions hold exclusively until the end of the transaction.
create or replace function change_access(p_server bigint) returns void language sql
  return pg_advisory_xact_lock(7201506, hashint8(p_server));
