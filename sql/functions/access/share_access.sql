-- Sends share this lock, changes of who sees what take it alone: a message that was let in under the old rules is
-- published before the new ones take effect.
create or replace function share_access(p_server bigint) returns void language sql
  return pg_advisory_xact_lock_shared(7201506, hashint8(p_server));
