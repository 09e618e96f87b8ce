-- Makes the effective overwrites of some roles in some channels anew.
create or replace function refresh_overwrites(p_channels bigint[], p_roles bigint[]) returns void language sql as $$
  delete from effective_overwrites where channel_id = any (p_channels) and role_id = any (p_roles);
  insert into effective_overwrites
    select c.id, o.role_id, bit_or(o.allow), bit_or(o.deny)
    from channels c cross join unnest(p_roles) changed (role_id)
    cross join lateral (select * from overwrites_in(c.id, c.parent_id) e where e.role_id = changed.role_id) o
    where c.id = any (p_channels) group by c.id, o.role_id;
$$;
