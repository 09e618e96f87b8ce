-- What permissions_of says of every member in a server as a whole; `position` is the member's highest role's that is
-- not self-assignable, because nobody rises by a choice of their own.
create or replace view member_permissions as
  select m.server_id, m.user_id, m.joined_at, s.is_owner, r.position, r.base,
    permissions_of(s.is_owner, r.base, 0, 0, 0, 0, t.timed_out, m.held_back, m.is_guest) as permissions, t.timed_out,
    m.held_back, m.is_guest
  from members m
  -- Not a join: the planner takes a hash join in here for free on a rescan, and then walks every channel there is.
  cross join lateral (select (select owner_id from servers where id = m.server_id) = m.user_id as is_owner offset 0) s
  cross join lateral (
    select coalesce(max(roles.position) filter (where not roles.self_assignable), 0) as position, coalesce(bit_or(roles.permissions), 0) as base
    from roles
    where roles.server_id = m.server_id and (roles.is_everyone or roles.id in (
      select mr.role_id from member_roles mr where mr.server_id = m.server_id and mr.user_id = m.user_id))
  ) r
  cross join lateral (
    select coalesce((select until > now() from timeouts where server_id = m.server_id and user_id = m.user_id), false)
      as timed_out offset 0
  ) t;
