-- Messages that a ban takes away: of whom, from when on, and how far back the deletion has come.
create table ban_sweeps (
  server_id bigint not null references servers on delete cascade,
  user_id bigint not null references users on delete cascade,
  -- Whose entries in the audit log the deletions are.
  actor_id bigint not null references users on delete cascade,
  since timestamptz not null,
  before_id bigint not null default 9007199254740991,
  primary key (server_id, user_id)
);

-- The log of a server by who acted, by the act, and by what it was done to.
create index on audit_log (server_id, actor_id, id);
create index on audit_log (server_id, action, id);
create index on audit_log (server_id, target_type, target_id, id);
