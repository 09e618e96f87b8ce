-- Texts that broke automod rules, for moderators: one row for each rule, person and minute.
create table automod_hits (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  rule_id bigint not null,
  rule_name text not null,
  user_id bigint not null references users (living_id) on delete cascade,
  -- Null for a name, which is in no channel.
  channel_id bigint references channels on delete cascade,
  count int not null default 1,
  texts json not null,
  -- A request that is repeated counts once.
  last_hash text,
  alert_id bigint references messages on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on automod_hits (server_id, id);
create index on automod_hits (user_id, rule_id, id);
create index on automod_hits (channel_id);
create index on automod_hits (alert_id);
create index on automod_hits (created_at);
