-- The time of a command is part of its id for programs made for Discord.
alter table bot_commands add column created_at timestamp(3) with time zone not null default now();

-- Sessions on Discord's gateway, so that a bot resumes after the server has restarted.
create table discord_sessions (
  id text primary key,
  user_id bigint not null references users (living_id) on delete cascade,
  session_id bigint not null references sessions (id) on delete cascade,
  base_id bigint not null,
  intents integer not null,
  shard_id integer not null,
  shard_count integer not null,
  sent_ids bigint[],
  seen_at timestamp(3) with time zone not null default now()
);
create index on discord_sessions (user_id, seen_at);
create index on discord_sessions (session_id);
