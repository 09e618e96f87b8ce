-- Of these custom emoji those that an account may use in a channel: its server's own; with use_external_emoji those of
-- servers where it is a member. What does not depend on the emoji is computed once for all of them.
create or replace function usable_emojis(p_ids bigint[], p_channel bigint, p_user bigint) returns setof emojis
language sql stable as $$
  select e.* from emojis e
  where e.id = any(p_ids) and e.deleted_at is null and (
    e.server_id = (select c.server_id from channels c where c.id = p_channel)
    or ((select coalesce(bool_or(holds(ca.permissions, 'use_external_emoji')), false)
          from channel_access(p_channel, p_user) ca)
      and e.server_id in (select mem.server_id from members mem where mem.user_id = p_user)))
$$;
