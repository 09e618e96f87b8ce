-- Whether a channel has something unread for an account, and the newest message after p_told that its devices should
-- be notified of.
create or replace function notice_in(p_user bigint, p_channel bigint, p_told bigint, p_is_online boolean)
returns table (is_unread boolean, message_id bigint) language sql stable rows 1 as $$
  select place.newest_id is not null or place.post_id is not null, greatest(
    case when place.newest_id > p_told and place.level <> 'nothing' then greatest(
      case when place.level = 'all' and not place.muted then place.newest_id end,
      (select max(above.message_id)
        from mentions_above(p_user, p_channel, place.mark, place.blocked, p_is_online, false) above)) end,
    case when place.post_id > p_told and place.level <> 'nothing' and not place.muted then place.post_id end)
  from (
    select u.newest_id, greatest(u.message_id, p_told) as mark, setting.muted,
      new_post(p_user, p_channel, u.message_id) as post_id, level_in(p_user, p_channel) as level,
      array(select r.other_id from relations_of r
        where r.user_id = p_user and (r.blocks or home.is_group and r.is_blocked)) as blocked
    from (select c.type = 'group' as is_group from channels c where c.id = p_channel) home
      cross join unread_of(p_user, array[p_channel], home.is_group) u cross join muting_in(p_user, p_channel) setting
      cross join channel_access(p_channel, p_user) access
    where can_view(access.permissions) and holds(access.permissions, 'read_history')
      and not is_requested(p_user, p_channel)
  ) place
$$;
