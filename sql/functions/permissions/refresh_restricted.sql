-- Corrects `restricted` of a server's channels. Returns those that changed.
create or replace function refresh_restricted(p_server bigint) returns setof channels language sql as $$
  update channels c set restricted = not c.restricted, flipped_at = clock_timestamp()
  where c.server_id = p_server and c.type <> 'thread' and c.restricted <> (
    is_hidden(p_server) or exists (
      select from effective_overwrites o where o.channel_id = c.id and holds(o.allow | o.deny, 'view_channel'))
      or c.has_member_overwrites and exists (select from member_overwrites o
        where o.channel_id in (c.id, c.parent_id) and holds(o.allow | o.deny, 'view_channel')))
  returning c.*;
$$;
