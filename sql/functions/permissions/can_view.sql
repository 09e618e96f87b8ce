-- Whether a member with these permissions in a channel sees the channel.
create or replace function can_view(p_held bigint) returns boolean language sql immutable parallel safe
  return holds(p_held, 'view_channel');
