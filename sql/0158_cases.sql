-- What moderators did about a member, and what they noted.
create table cases (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  user_id bigint not null references users (living_id) on delete cascade,
  kind text not null check (kind in ('warning', 'note', 'timeout', 'kick', 'ban', 'report', 'automod')),
  actor_id bigint not null references users,
  reason text,
  until timestamptz(3),
  report_id bigint references reports on delete cascade,
  read_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index on cases (server_id, user_id, id);
create index on cases (server_id, id);
create index on cases (user_id, id) where kind = 'warning';
create index unread_warnings on cases (user_id) where kind = 'warning' and read_at is null;
create index on cases (created_at);
create index on cases (actor_id);
create unique index cases_of_report on cases (report_id) where report_id is not null;

-- Reporters whose reports a moderator does not want to see for a while.
create table ignored_reporters (
  server_id bigint not null references servers on delete cascade,
  moderator_id bigint not null references users (living_id) on delete cascade,
  reporter_id bigint not null references users (living_id) on delete cascade,
  until timestamptz(3) not null,
  primary key (server_id, moderator_id, reporter_id)
);
create index on ignored_reporters (moderator_id);
create index on ignored_reporters (reporter_id);
create index on ignored_reporters (until);
