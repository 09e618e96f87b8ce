-- The cluster in which the event log was written. Ids of transactions (xid8) mean nothing in another one, so a log
-- that was restored elsewhere is emptied when the server starts.

create table event_log_origin (
  single boolean primary key default true check (single),
  system_identifier bigint not null,
  since timestamptz(3) not null default now()
);
insert into event_log_origin (system_identifier) select system_identifier from pg_control_system();
