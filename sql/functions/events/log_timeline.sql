-- PostgreSQL's timeline, which increases when a standby takes over. Null if it cannot be asked for: at some hosting
-- providers, and in recovery. pg_control_checkpoint() reports the previous timeline for some seconds.
-- Source: PostgreSQL, xlog_internal.h.
create or replace function log_timeline() returns int language plpgsql stable as $$
begin
  return ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int;
exception when others then
  return null;
end $$;
