-- Nicknames and timeouts of members, and roles that are listed apart or may be mentioned.

alter table members add column nickname text;
alter table roles add column hoist boolean not null default false, add column mentionable boolean not null default false;

-- Of their own, because they outlive a membership. One that is over counts for nothing; the server removes it and tells.
create table timeouts (
  server_id bigint not null references servers on delete cascade,
  user_id bigint not null references users (living_id) on delete cascade,
  until timestamptz(3) not null,
  primary key (server_id, user_id)
);
create index on timeouts (until);
create index on timeouts (user_id);

-- The one rule: the owner holds everything; then the base (the bits of everyone and of the member's roles), of which
-- administrator is everything; then the channel's overwrites: everyone's, all denies of the member's roles, all allows;
-- of that, a timeout leaves what only looks and listens.
create function permissions_of(
  is_owner boolean, base bigint,
  everyone_allow bigint, everyone_deny bigint, roles_allow bigint, roles_deny bigint, timed_out boolean
) returns bigint language sql immutable parallel safe
  return case when is_owner or holds(base, 'administrator') then all_permissions()
    else ((((base & ~everyone_deny) | everyone_allow) & ~roles_deny) | roles_allow)
      & case when timed_out
        then permission_bit('view_channel') | permission_bit('read_history') | permission_bit('connect')
        else all_permissions() end end;

-- What permissions_of says of every member in a server as a whole; `position` is the member's highest role's.
create or replace view member_permissions as
  select m.server_id, m.user_id, m.joined_at, s.is_owner, r.position, r.base,
    permissions_of(s.is_owner, r.base, 0, 0, 0, 0, t.timed_out) as permissions, t.timed_out
  from members m
  -- Not a join: the planner takes a hash join in here for free on a rescan, and then walks every channel there is.
  cross join lateral (select (select owner_id from servers where id = m.server_id) = m.user_id as is_owner offset 0) s
  cross join lateral (
    select coalesce(max(roles.position), 0) as position, coalesce(bit_or(roles.permissions), 0) as base
    from roles
    where roles.server_id = m.server_id and (roles.is_everyone or roles.id in (
      select mr.role_id from member_roles mr where mr.server_id = m.server_id and mr.user_id = m.user_id))
  ) r
  cross join lateral (
    select coalesce((select until > now() from timeouts where server_id = m.server_id and user_id = m.user_id), false)
      as timed_out offset 0
  ) t;

-- What permissions_of says of every member in every channel.
create or replace view resolved_permissions as
  select mp.server_id, c.id as channel_id, mp.user_id, mp.is_owner, mp.position, c.type, c.parent_id,
    permissions_of(mp.is_owner, mp.base, o.everyone_allow, o.everyone_deny, o.roles_allow, o.roles_deny, mp.timed_out)
      as permissions
  from member_permissions mp
  join channels c on c.server_id = mp.server_id
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

drop function permissions_of(boolean, bigint, bigint, bigint, bigint, bigint);

-- The author as a member of the message's server now; null for who is none.
create function author_member(m messages) returns json language sql stable begin atomic
  select json_build_object('nickname', mem.nickname, 'role_ids', array(
      select mr.role_id from member_roles mr where mr.server_id = mem.server_id and mr.user_id = mem.user_id
      order by mr.role_id))
    from channels c join members mem on mem.server_id = c.server_id and mem.user_id = m.author_id
    where c.id = m.channel_id;
end;

-- A message as it goes on the wire.
create or replace function message_json(m messages) returns json language sql stable begin atomic
  select row_to_json(wire) from (
    select m.id, m.channel_id, m.kind, (select public_user(u) from users u where u.id = m.author_id) as author,
      author_member(m) as member, m.content, m.mention_ids, m.reply_to_id,
      coalesce((select json_agg(file_json(f) order by f.ordinal) from files f where f.message_id = m.id), '[]'::json)
        as files, m.nonce,
      iso(m.created_at) as created_at, iso(m.edited_at) as edited_at
  ) wire;
end;
