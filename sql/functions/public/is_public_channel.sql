-- Whether everybody may read a channel without an account: it and its server are marked, and everyone may see it and
-- read its history.
create or replace function is_public_channel(c channels) returns boolean language sql stable as $$
  select c.public_since is not null and exists (
    select from servers s join roles r on r.server_id = s.id and r.is_everyone
    left join effective_overwrites o on o.channel_id = c.id and o.role_id = r.id
    cross join lateral (select permissions_of(
      false, r.permissions, coalesce(o.allow, 0), coalesce(o.deny, 0), 0, 0, false, null, false) as bits) held
    where s.id = c.server_id and s.public and s.owner_id is not null
      and holds(held.bits, 'view_channel') and holds(held.bits, 'read_history'))
$$;
