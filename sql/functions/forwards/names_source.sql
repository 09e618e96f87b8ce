-- Whether a forward names the message that it came from: only within a server, to who may read that one now. p_viewer:
-- null for events, which reach everybody who sees the forward; then all of them must be able to.
create or replace function names_source(forward messages, source messages, p_viewer bigint) returns boolean
language plpgsql stable as $$
declare
  home channels;
  place channels;
begin
  select audience.* into home from channels c join channels audience on audience.id = c.audience_id
    where c.id = forward.channel_id;
  select audience.* into place from channels c join channels audience on audience.id = c.audience_id
    where c.id = source.channel_id;
  if home.server_id is null or place.server_id is distinct from home.server_id then return false; end if;
  if p_viewer is null then return is_open_to(home, place); end if;
  return exists (select from channel_access(place.id, p_viewer) ca
    where can_view(ca.permissions) and holds(ca.permissions, 'read_history'));
end $$;
