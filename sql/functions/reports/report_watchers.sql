-- The accounts that get events about a report: the moderators who see it, or the operators. Of members who may moderate
-- only the first thousand are asked; the others find it in the list.
create or replace function report_watchers(r reports) returns setof bigint language sql stable as $$
  select id from users where r.for_operator and operator_since is not null and suspended_at is null
    and id <> r.author_id and id is distinct from r.responsible_id
  union all
  select user_id from (
    select owner_id as user_id from servers where id = r.server_id
    union
    (select m.user_id from members m where m.server_id = r.server_id and exists (
      select from roles where roles.server_id = m.server_id
        and (holds(roles.permissions, 'moderate_members') or holds(roles.permissions, 'administrator'))
        and (roles.is_everyone or roles.id in (select role_id from member_roles mr
          where mr.server_id = m.server_id and mr.user_id = m.user_id)))
      order by m.user_id limit 1000)
  ) candidate where not r.for_operator and sees_report(r, user_id)
$$;
