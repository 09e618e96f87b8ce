-- Whether the account sees an event: as a member, and in a channel as somebody who sees the channel.
create or replace function sees_event(e calendar_events, p_user bigint) returns boolean language sql stable
  return case when e.channel_id is null
    then exists (select from members m where m.server_id = e.server_id and m.user_id = p_user)
    else coalesce((select can_view(ca.permissions) from channel_access(e.channel_id, p_user) ca), false) end;
