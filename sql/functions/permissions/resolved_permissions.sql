-- Permissions are computed once a parent: threads have neither overwrites nor rows of their own in these views.
create or replace view resolved_permissions as
  select mp.server_id, c.id as channel_id, mp.user_id, mp.is_owner, mp.position, c.type, c.parent_id,
    permissions_of(mp.is_owner, mp.base, o.everyone_allow, o.everyone_deny,
      (o.roles_allow & ~own.deny) | own.allow, o.roles_deny | own.deny, mp.timed_out, mp.held_back,
      mp.is_guest) as permissions
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
  ) o
  -- The member's own overwrites come last: they lift allows and denies of roles. Looked up only where there are any.
  cross join lateral (
    select coalesce(bits[1], 0) as allow, coalesce(bits[2], 0) as deny from (
      select case when c.has_member_overwrites then member_bits(c.id, c.parent_id, mp.user_id) end as bits offset 0) one
  ) own;
