-- What people ask of bots: commands that bots offer, interactions, and components on messages of bots.

create table bot_commands (
  id bigint generated always as identity primary key,
  application_id bigint not null references applications on delete cascade,
  -- The one server that has it; null for everywhere.
  server_id bigint references servers on delete cascade,
  kind text not null check (kind in ('chat', 'message', 'user')),
  name text not null,
  description text not null,
  options json not null,
  default_permissions bigint not null,
  unique nulls not distinct (application_id, server_id, kind, name)
);
create index on bot_commands (server_id) where server_id is not null;

-- Kept for as long as the bot may answer. What only one person is shown is not in it.
create table interactions (
  id bigint generated always as identity primary key,
  -- SHA-256 of the token that the bot got with it.
  hash bytea not null,
  bot_id bigint not null references users (living_id) on delete cascade,
  user_id bigint not null references users (living_id) on delete cascade,
  channel_id bigint not null references channels on delete cascade,
  kind text not null check (kind in ('command', 'component', 'modal', 'autocomplete')),
  -- The command, with its subcommand.
  name text,
  -- The message whose component was used; later that of the first answer.
  message_id bigint,
  is_answered boolean not null default false,
  -- The first answer is for the person alone.
  is_ephemeral boolean not null default false,
  -- The custom ids that the person alone was shown, of components and modals.
  offered text[] not null default '{}',
  created_at timestamptz(3) not null default now()
);
create index on interactions (created_at);
create index on interactions (bot_id);
create index on interactions (user_id);
create index on interactions (channel_id);
