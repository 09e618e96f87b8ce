-- Of which messages of a channel to tell an account: of the channel itself, what it stands in, its server, or by
-- default; all_posts of a forum concerns first messages only. Of none, if the account does not list the channel: see
-- is_listed.
create or replace function level_in(p_user bigint, p_channel bigint) returns text language sql stable as $$
  select coalesce(nullif(own.level, 'all_posts'),
    case when coalesce(c.opt_in_since, parent.opt_in_since) is not null and not is_listed(p_user, c) then 'nothing' end,
    nullif(up.level, 'all_posts'), top.level, home.level, s.default_notifications, 'all')
  from channels c
  left join servers s on s.id = c.server_id
  left join channels parent on parent.id = c.parent_id
  left join notification_settings own on own.user_id = p_user and own.channel_id = c.id
  left join notification_settings up on up.user_id = p_user and up.channel_id = c.parent_id
  left join notification_settings top on top.user_id = p_user and top.channel_id = parent.parent_id
  left join notification_settings home
    on home.user_id = p_user and home.server_id = c.server_id and home.channel_id is null
  where c.id = p_channel
$$;
