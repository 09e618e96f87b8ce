-- The operator's part: suspended accounts, and the log of every use of `bun run admin`.

alter table users add column suspended_at timestamptz(3);
alter table users add column suspended_reason text;
alter table users add constraint suspended_for_a_reason check ((suspended_at is null) = (suspended_reason is null));
create index on users (id) where suspended_at is not null;

create table admin_log (
  id bigint generated always as identity primary key,
  created_at timestamptz(3) not null default now(),
  -- Who: the operating system's user.
  operator text not null,
  action text not null,
  -- Whom or what; without a foreign key, since the entry outlives what it tells of.
  target_type text,
  target_id bigint,
  -- field → {before, after}, or what was looked at
  changes jsonb not null default '{}',
  check ((target_type is null) = (target_id is null))
);
create index on admin_log (target_type, target_id) where target_id is not null;
