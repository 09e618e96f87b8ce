-- Servers, members, roles, channels, overwrites, bans; and the one place that resolves permissions.

create table servers (
  id bigint generated always as identity primary key,
  name text not null,
  description text not null default '',
  owner_id bigint not null references users,
  icon_file_id bigint,
  member_count int not null default 0,
  channel_count int not null default 0 constraint too_many_channels check (channel_count <= 500),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index on servers (owner_id);

create table members (
  server_id bigint not null references servers on delete cascade,
  user_id bigint not null references users on delete cascade,
  joined_at timestamptz(3) not null default now(),
  primary key (server_id, user_id)
);
create index on members (user_id, server_id);

create table roles (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  name text not null,
  color text,
  permissions bigint not null,
  position int not null,
  is_everyone boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint everyone_is_lowest check (is_everyone = (position = 0))
);
create index on roles (server_id, position);
create unique index everyone_of_server on roles (server_id) where is_everyone;

create table member_roles (
  server_id bigint not null,
  user_id bigint not null,
  role_id bigint not null references roles on delete cascade,
  primary key (server_id, user_id, role_id),
  foreign key (server_id, user_id) references members on delete cascade
);
create index on member_roles (role_id);

create table channels (
  id bigint generated always as identity primary key,
  server_id bigint not null references servers on delete cascade,
  name text not null,
  type text not null check (type in ('text', 'voice')),
  topic text not null default '',
  position int not null,
  -- Not every member sees it: its events go to a topic of its own.
  restricted boolean not null default false,
  -- See last_message_id() in 0004: sends do not touch the channel's row.
  newest_deleted_id bigint,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint channel_name_taken unique (server_id, name)
);

create table overwrites (
  channel_id bigint not null references channels on delete cascade,
  role_id bigint not null references roles on delete cascade,
  allow bigint not null default 0,
  deny bigint not null default 0,
  primary key (channel_id, role_id),
  check (allow & deny = 0)
);
create index on overwrites (role_id);

create table bans (
  server_id bigint not null references servers on delete cascade,
  user_id bigint not null references users on delete cascade,
  reason text,
  banned_by bigint references users on delete set null,
  created_at timestamptz(3) not null default now(),
  primary key (server_id, user_id)
);
create index on bans (user_id);

-- Sends share this lock, changes of who sees what take it alone: a message that was let in under the old rules is
-- published before the new ones take effect.
create function share_access(p_server bigint) returns void language sql
  return pg_advisory_xact_lock_shared(7201506, hashint8(p_server));
create function change_access(p_server bigint) returns void language sql
  return pg_advisory_xact_lock(7201506, hashint8(p_server));

-- Counts that limits are made of: a limit is a constraint on one row, so racing requests cannot pass it together.
create function count_member() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update users set server_count = server_count + 1 where id = new.user_id;
    update servers set member_count = member_count + 1 where id = new.server_id;
  else
    update users set server_count = server_count - 1 where id = old.user_id;
    update servers set member_count = member_count - 1 where id = old.server_id;
  end if;
  return null;
end $$;
create trigger count_member after insert or delete on members for each row execute function count_member();

create function count_channel() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update servers set channel_count = channel_count + 1 where id = new.server_id;
  else
    update servers set channel_count = channel_count - 1 where id = old.server_id;
  end if;
  return null;
end $$;
create trigger count_channel after insert or delete on channels for each row execute function count_channel();

-- Every bit of src/core/permissions.ts.
create function all_permissions() returns bigint language sql immutable parallel safe
  return (1 << 0) | (1 << 1) | (1 << 2) | (1 << 3) | (1 << 4) | (1 << 5) | (1 << 7) | (1 << 9) | (1 << 10) | (1 << 11)
    | (1 << 13) | (1 << 15) | (1 << 16) | (1 << 20) | (1 << 21) | (1 << 22) | (1 << 24) | (1 << 28);

-- The one function: owner, then base (everyone or the member's roles), then administrator, then the channel's
-- overwrites: everyone's, then all denies of the member's roles, then all their allows.
create function permissions_of(
  is_owner boolean, base bigint,
  everyone_allow bigint, everyone_deny bigint, roles_allow bigint, roles_deny bigint
) returns bigint language sql immutable parallel safe
  return case when is_owner or base & 8 <> 0 then all_permissions()
    else (((base & ~everyone_deny) | everyone_allow) & ~roles_deny) | roles_allow end;

-- What permissions_of says of every member in a server as a whole; `position` is the member's highest role's.
create view member_permissions as
  select m.server_id, m.user_id, m.joined_at, s.is_owner, r.position, r.base,
    permissions_of(s.is_owner, r.base, 0, 0, 0, 0) as permissions
  from members m
  -- Not a join: the planner takes a hash join in here for free on a rescan, and then walks every channel there is.
  cross join lateral (select (select owner_id from servers where id = m.server_id) = m.user_id as is_owner offset 0) s
  cross join lateral (
    select coalesce(max(roles.position), 0) as position, coalesce(bit_or(roles.permissions), 0) as base
    from roles
    where roles.server_id = m.server_id and (roles.is_everyone or roles.id in (
      select mr.role_id from member_roles mr where mr.server_id = m.server_id and mr.user_id = m.user_id))
  ) r;

-- What permissions_of says of every member in every channel.
create view channel_permissions as
  select mp.server_id, c.id as channel_id, mp.user_id, mp.is_owner, mp.position,
    permissions_of(mp.is_owner, mp.base, o.everyone_allow, o.everyone_deny, o.roles_allow, o.roles_deny) as permissions
  from member_permissions mp
  join channels c on c.server_id = mp.server_id
  cross join lateral (
    select coalesce(bit_or(ow.allow) filter (where role.is_everyone), 0) as everyone_allow,
      coalesce(bit_or(ow.deny) filter (where role.is_everyone), 0) as everyone_deny,
      coalesce(bit_or(ow.allow) filter (where not role.is_everyone), 0) as roles_allow,
      coalesce(bit_or(ow.deny) filter (where not role.is_everyone), 0) as roles_deny
    from overwrites ow join roles role on role.id = ow.role_id
    where ow.channel_id = c.id and (role.is_everyone or exists (
      select from member_roles mr
      where mr.server_id = mp.server_id and mr.user_id = mp.user_id and mr.role_id = role.id))
  ) o;

-- Whether a new channel of the server is one that not every member sees.
create function is_hidden(p_server bigint) returns boolean language sql stable
  return exists (
    select from roles r where r.server_id = p_server and r.is_everyone and r.permissions & ((1 << 10) | (1 << 3)) = 0);

-- Read marks: how far an account has read a channel.
create table read_marks (
  user_id bigint not null references users on delete cascade,
  channel_id bigint not null references channels on delete cascade,
  message_id bigint not null,
  primary key (user_id, channel_id)
);
create index on read_marks (channel_id);
