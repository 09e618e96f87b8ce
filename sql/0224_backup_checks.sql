-- kind: expand
-- Results of VERIFY_EVERY, which tries the newest backup. Like the list of backups, they are not restored.
create table backup_checks (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  file text not null check (char_length(file) between 1 and 255),
  problem text check (char_length(problem) between 1 and 1000)
);
create index backup_checks_by_time on backup_checks (at);
