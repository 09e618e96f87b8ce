-- Backups that were completed, for the age and size of the last one. Not restored: it tells of this installation alone.
create table backups (
  id bigint generated always as identity primary key,
  -- The moment that the backup holds.
  at timestamptz(3) not null,
  finished_at timestamptz(3) not null default now(),
  kind text not null check (kind in ('manual', 'automatic', 'upgrade')),
  -- The name of the file; null for the standard output.
  file text,
  bytes bigint not null,
  is_encrypted boolean not null
);
