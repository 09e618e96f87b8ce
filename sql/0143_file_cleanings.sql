-- Place and maker are taken out of files when they are recorded, unless their uploaders want them kept.
alter table files add column keeps_metadata boolean not null default false;

-- Earlier files from which the operator wants them taken out as well.
create table file_cleanings (
  file_id bigint primary key references files on delete cascade,
  due_at timestamptz(3) not null default now(),
  attempts int not null default 0
);
create index on file_cleanings (due_at);
