-- A standby that takes over may lack the newest events, and numbers others with their ids. PostgreSQL counts take-overs
-- in the timeline. Clients resume only from events that were written since the last one.

alter table event_log_origin
  -- Unknown where the server may not ask for it.
  add column timeline int,
  add column resumable_from bigint not null default 0;
