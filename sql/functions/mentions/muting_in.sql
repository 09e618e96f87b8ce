-- What holds for an account in a channel: of the channel, the channel or category above it, the one above that, and the
-- server. A place is muted while one of them is.
create or replace function muting_in(p_user bigint, p_channel bigint)
returns table (muted boolean, suppress_everyone boolean) language sql stable rows 1 as $$
  select coalesce(greatest(own.muted_until, up.muted_until, top.muted_until, home.muted_until) > now(), false),
    coalesce(own.suppress_everyone, up.suppress_everyone, top.suppress_everyone, home.suppress_everyone, false)
  from channels c
  left join channels parent on parent.id = c.parent_id
  left join notification_settings own on own.user_id = p_user and own.channel_id = c.id
  left join notification_settings up on up.user_id = p_user and up.channel_id = c.parent_id
  left join notification_settings top on top.user_id = p_user and top.channel_id = parent.parent_id
  left join notification_settings home
    on home.user_id = p_user and home.server_id = c.server_id and home.channel_id is null
  where c.id = p_channel
$$;
