-- Whether a member lists a channel: by its own choice, or unless it joined after the channel became one to choose. A
-- thread goes by its channel.
create or replace function is_listed(p_user bigint, c channels) returns boolean language sql stable as $$
  select coalesce(setting.listed, m.joined_at <= place.opt_in_since, true)
  from channels place
  left join notification_settings setting on setting.user_id = p_user and setting.channel_id = place.id
  left join members m on m.server_id = place.server_id and m.user_id = p_user
  where place.id = case when c.type = 'thread' then c.parent_id else c.id end
$$;
