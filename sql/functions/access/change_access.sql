create or replace function change_access(p_server bigint) returns void language sql
  return pg_advisory_xact_lock(7201506, hashint8(p_server));
