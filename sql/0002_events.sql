-- The event log: every durable event, written in the transaction of its change.

create table events (
  id bigint generated always as identity primary key,
  -- Ids are drawn before the commit; these two tell what a reader at this point could not see yet.
  xid xid8 not null default pg_current_xact_id(),
  xmin_then xid8 not null default pg_snapshot_xmin(pg_current_snapshot()),
  created_at timestamptz(3) not null default clock_timestamp(),
  type text not null,
  topic text not null,
  user_id bigint,
  server_id bigint,
  channel_id bigint,
  resource text not null,
  -- null: blanked, since what it told of has been deleted.
  body json
);
create index events_of_user on events (user_id, xid) where user_id is not null;
create index events_of_server on events (server_id, xid) where server_id is not null;
create index events_of_resource on events (resource);

-- The newest event is never pruned, so a fresh connection always has an `s` to resume from.
insert into events (type, topic, resource, body) values ('log.started', 'nobody', 'log', null);
