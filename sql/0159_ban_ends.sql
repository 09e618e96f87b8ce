-- Bans that end, and messages of one author that moderators delete with a ban, a kick or a timeout.
alter table bans add column until timestamptz(3);
alter table bans add column was_member boolean not null default true;
create index on bans (until) where until is not null;

create table author_prunes (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  user_id bigint not null references users,
  actor_id bigint not null references users,
  -- Channels in which the moderator managed messages; of threads, their parents.
  channel_ids bigint[] not null,
  since timestamptz not null,
  until_id bigint not null,
  before_id bigint not null,
  unique (server_id, user_id, actor_id)
);
create index on author_prunes (user_id);
create index on author_prunes (actor_id);
