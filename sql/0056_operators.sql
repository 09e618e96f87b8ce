-- The operator's page: who may use it, its part of the admin log, figures over time, and who may register.

alter table users add column operator_since timestamptz(3);
create index on users (id) where operator_since is not null;

-- The accounts that store the most.
create index users_storing on users (stored_bytes desc, id) where stored_bytes > 0 and deleted_at is null;

-- The account that acted; null for the command line. Without a foreign key, since the entry outlives the account.
alter table admin_log add column operator_id bigint;

-- One row a minute, merged into one an hour after a day; all processes of the installation add to the same row.
create table samples (
  at timestamptz(3) not null,
  seconds int not null check (seconds in (60, 3600)),
  sockets int not null,
  requests bigint not null,
  -- Requests that were answered with 5xx.
  failures bigint not null,
  -- The longest that an event loop was late.
  lag_ms int not null,
  memory_bytes bigint not null,
  messages bigint not null,
  -- Taken less often; null in between.
  free_bytes bigint,
  accounts int,
  database_bytes bigint,
  primary key (seconds, at)
);

-- What operators have set for the whole installation.
create table installation_settings (
  name text primary key,
  value text not null,
  check (name = 'registration' and value in ('open', 'invite', 'closed'))
);
