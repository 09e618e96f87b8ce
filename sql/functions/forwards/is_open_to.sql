-- Whether everybody who sees `home` may read `place`, both no threads and of one server. May say no where that is so:
-- it compares roles and overwrites, not members; overwrites for single members are taken to matter.
create or replace function is_open_to(home channels, place channels) returns boolean language sql stable as $$
  select holds(r.permissions, 'read_history')
    and not exists (select from effective_overwrites o where o.channel_id = place.id and holds(o.deny, 'read_history'))
    and not (place.has_member_overwrites and exists (
      select from member_overwrites o where o.channel_id in (place.id, place.parent_id)
        and (holds(o.deny, 'read_history') or holds(o.deny, 'view_channel'))))
    and not (home.id <> place.id and home.has_member_overwrites and exists (
      select from member_overwrites o where o.channel_id in (home.id, home.parent_id)
        and holds(o.allow, 'view_channel')))
    and (home.id = place.id
      or holds(r.permissions, 'view_channel') and not exists (
        select from effective_overwrites o where o.channel_id = place.id and holds(o.deny, 'view_channel'))
      or not exists (
        select from (select * from effective_overwrites o where o.channel_id = home.id) own
        full join (select * from effective_overwrites o where o.channel_id = place.id) other using (role_id)
        where coalesce(holds(own.allow, 'view_channel'), false) <> coalesce(holds(other.allow, 'view_channel'), false)
          or coalesce(holds(own.deny, 'view_channel'), false) <> coalesce(holds(other.deny, 'view_channel'), false)))
  from roles r where r.server_id = home.server_id and r.is_everyone
$$;
