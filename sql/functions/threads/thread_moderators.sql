-- The accounts that hold manage_threads where a post is, by a role or an overwrite of their own. Of members whose roles
-- may give it only the first thousand are asked.
create or replace function thread_moderators(c channels) returns setof bigint language sql stable as $$
  select user_id from (
    select owner_id as user_id from servers where id = c.server_id
    union
    (select m.user_id from members m where m.server_id = c.server_id and exists (
      select from roles left join effective_overwrites o on o.role_id = roles.id and o.channel_id = c.parent_id
      where roles.server_id = m.server_id
        and (holds(roles.permissions | coalesce(o.allow, 0), 'manage_threads')
          or holds(roles.permissions, 'administrator'))
        and (roles.is_everyone or roles.id in (select role_id from member_roles mr
          where mr.server_id = m.server_id and mr.user_id = m.user_id)))
      order by m.user_id limit 1000)
    union
    select o.user_id from member_overwrites o
      where o.channel_id in (c.parent_id, (select parent.parent_id from channels parent where parent.id = c.parent_id))
        and holds(o.allow, 'manage_threads')
  ) candidate cross join lateral channel_access(c.id, user_id) ca
  where can_view(ca.permissions) and holds(ca.permissions, 'manage_threads')
$$;
