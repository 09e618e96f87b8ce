-- When a member who is held back is let in without a moderator; null until somebody does.
alter table members add column held_until timestamptz;

-- Members who joined during a time can be removed together, and raids are counted.
create index on members (server_id, joined_at);

-- What a server does when many accounts join at once.
create table raid_guards (
  server_id bigint primary key references servers on delete cascade,
  -- Raid mode begins by itself only where somebody is told.
  alert_channel_id bigint references channels on delete set null,
  raid_joins int not null default 15,
  raid_seconds int not null default 30,
  raid_minutes int not null default 30,
  -- Until then nobody joins. Past or null: everybody with an invite.
  until timestamptz,
  -- Who joined since then is quarantined.
  since timestamptz
);
create index on raid_guards (alert_channel_id);

-- Joins of the last day, also of accounts that left again.
create table server_joins (
  server_id bigint not null references servers on delete cascade,
  user_id bigint not null references users (living_id) on delete cascade,
  joined_at timestamptz(3) not null,
  primary key (server_id, user_id)
);
create index on server_joins (server_id, joined_at);
create index on server_joins (joined_at);
create index on server_joins (user_id);

-- Ends with the raid, unlike the quarantine of a moderator or a rule.
alter table quarantines add column by_raid boolean not null default false;

-- Removals of many members: the set is fixed by the dry run.
create table prunes (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  actor_id bigint not null references users (living_id) on delete cascade,
  action text not null check (action in ('kick', 'ban')),
  reason text,
  -- Who is still to be removed.
  user_ids bigint[] not null,
  token_hash bytea not null,
  is_begun boolean not null default false,
  created_at timestamptz not null default now()
);
create index on prunes (server_id);
create index on prunes (actor_id);
create index on prunes (created_at);
