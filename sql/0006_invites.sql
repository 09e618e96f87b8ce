-- Invites. A deleted one keeps its row, so that its code answers "gone" and not "unknown".

create table invites (
  id bigint generated always as identity primary key,
  code text collate "C" not null unique,
  server_id bigint not null references servers on delete cascade,
  creator_id bigint not null references users on delete cascade,
  expires_at timestamptz(3),
  max_uses int not null default 0,
  uses int not null default 0,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check (max_uses = 0 or uses <= max_uses)
);
create index on invites (server_id, id);
create index on invites (creator_id);

create function is_live(i invites) returns boolean language sql stable
  return i.deleted_at is null and (i.expires_at is null or i.expires_at > now())
    and (i.max_uses = 0 or i.uses < i.max_uses);
