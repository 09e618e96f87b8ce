-- Guests: accounts for a day in one server, which come by an invite that lets guests in.
alter table users add column guest_until timestamptz(3),
  drop constraint user_kind,
  add constraint user_kind check (kind in ('person', 'bot', 'webhook', 'imported', 'guest')),
  add constraint guests_end check ((kind = 'guest' and deleted_at is null) = (guest_until is not null)),
  drop constraint tombstone_is_blank,
  add constraint tombstone_is_blank check (deleted_at is null or kind = 'webhook'
    or (username = 'deleted:' || id::text and email = 'deleted:' || id::text and avatar_file_id is null
      and display_name = case kind when 'guest' then 'Guest' else 'Deleted user' end));
create index on users (guest_until) where guest_until is not null;

alter table invites add column guest boolean not null default false;

alter table members add column is_guest boolean not null default false;
create index members_guests on members (server_id) where is_guest;
-- Guests take no name of a member.
create index members_nickname_key on members (server_id, name_key(nickname)) where nickname is not null;

create table guests (
  user_id bigint primary key references users (living_id) on delete cascade,
  server_id bigint not null references servers on delete cascade,
  address bytea not null
);
create index on guests (server_id);

create table guest_doors (
  server_id bigint not null references servers on delete cascade,
  address bytea not null,
  until timestamptz(3) not null,
  primary key (server_id, address)
);
create index on guest_doors (until);

create function permissions_of(
  is_owner boolean, base bigint,
  everyone_allow bigint, everyone_deny bigint, roles_allow bigint, roles_deny bigint, timed_out boolean, held_back text,
  is_guest boolean
) returns bigint language sql immutable parallel safe
  return case when is_owner or holds(base, 'administrator') then all_permissions()
    else ((((base & ~everyone_deny) | everyone_allow) & ~roles_deny) | roles_allow) end;

-- Both views as sql/functions has them: the older signature can be dropped once neither of them uses it.
create or replace view member_permissions as
  select m.server_id, m.user_id, m.joined_at, s.is_owner, r.position, r.base,
    permissions_of(s.is_owner, r.base, 0, 0, 0, 0, t.timed_out, m.held_back, m.is_guest) as permissions, t.timed_out,
    m.held_back, m.is_guest
  from members m
  cross join lateral (select (select owner_id from servers where id = m.server_id) = m.user_id as is_owner offset 0) s
  cross join lateral (
    select coalesce(max(roles.position) filter (where not roles.self_assignable), 0) as position,
      coalesce(bit_or(roles.permissions), 0) as base
    from roles
    where roles.server_id = m.server_id and (roles.is_everyone or roles.id in (
      select mr.role_id from member_roles mr where mr.server_id = m.server_id and mr.user_id = m.user_id))
  ) r
  cross join lateral (
    select coalesce((select until > now() from timeouts where server_id = m.server_id and user_id = m.user_id), false)
      as timed_out offset 0
  ) t;

create or replace view resolved_permissions as
  select mp.server_id, c.id as channel_id, mp.user_id, mp.is_owner, mp.position, c.type, c.parent_id,
    permissions_of(mp.is_owner, mp.base, o.everyone_allow, o.everyone_deny, o.roles_allow, o.roles_deny, mp.timed_out,
      mp.held_back, mp.is_guest) as permissions
  from member_permissions mp
  join channels c on c.server_id = mp.server_id and c.type <> 'thread'
  cross join lateral (
    select coalesce(bit_or(ow.allow) filter (where role.is_everyone), 0) as everyone_allow,
      coalesce(bit_or(ow.deny) filter (where role.is_everyone), 0) as everyone_deny,
      coalesce(bit_or(ow.allow) filter (where not role.is_everyone), 0) as roles_allow,
      coalesce(bit_or(ow.deny) filter (where not role.is_everyone), 0) as roles_deny
    from effective_overwrites ow join roles role on role.id = ow.role_id
    where ow.channel_id = c.id and (role.is_everyone or exists (
      select from member_roles mr
      where mr.server_id = mp.server_id and mr.user_id = mp.user_id and mr.role_id = role.id))
  ) o;

drop function permissions_of(boolean, bigint, bigint, bigint, bigint, bigint, boolean, text);
