-- Rules that judge what members write.
create table automod_rules (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  name text not null,
  enabled boolean not null,
  -- What the rule looks for, and what happens then: the shapes are in src/features/automod/model.ts.
  trigger json not null,
  actions json not null,
  exempt_role_ids bigint[] not null,
  exempt_channel_ids bigint[] not null,
  covers_bots boolean not null,
  covers_webhooks boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on automod_rules (server_id);
