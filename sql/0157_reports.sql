-- Reports of messages and profiles. They outlive their message, channel and server, so they reference none of them.
create table reports (
  id bigint generated always as identity primary key,
  subject text not null check (subject in ('message', 'profile')),
  subject_id bigint not null,
  server_id bigint,
  channel_id bigint,
  audience_id bigint,
  author_id bigint not null references users,
  responsible_id bigint references users,
  for_operator boolean not null,
  state text not null default 'open' check (state in ('open', 'resolved', 'dismissed')),
  reporter_count int not null default 0,
  omitted_files int not null default 0,
  has_evidence boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  closed_at timestamptz(3),
  closed_by bigint references users,
  decision text,
  check ((state = 'open') = (closed_at is null))
);
create unique index already_reported on reports (subject, subject_id, server_id, for_operator) nulls not distinct
  where state = 'open';
create index on reports (server_id, id) where not for_operator;
create index on reports (id) where for_operator;
create index on reports (author_id, id);
create index on reports (responsible_id) where responsible_id is not null;
create index on reports (closed_by) where closed_by is not null;
create index on reports (closed_at) where closed_at is not null;

create table report_reasons (
  report_id bigint not null references reports on delete cascade,
  reporter_id bigint not null references users,
  reason text not null,
  note text not null,
  created_at timestamptz(3) not null default now(),
  primary key (report_id, reporter_id)
);
create index on report_reasons (reporter_id, report_id);

create table report_evidence (
  id bigint generated always as identity primary key,
  report_id bigint not null references reports on delete cascade,
  message_id bigint,
  author_id bigint not null references users,
  content text not null,
  created_at timestamptz(3) not null
);
create index on report_evidence (report_id, id);
create index on report_evidence (author_id);

create table report_files (
  id bigint generated always as identity primary key,
  report_id bigint not null references reports on delete cascade,
  file_id bigint not null,
  filename text not null,
  content_type text not null,
  size bigint not null,
  width int,
  height int,
  key text not null,
  thumbnail_key text,
  created_at timestamptz(3) not null default now(),
  unique (report_id, file_id)
);
create index on report_files (key);
create index on report_files (thumbnail_key) where thumbnail_key is not null;
