-- Whether everybody may read a message without an account: its channel is public, it is not older than that unless the
-- owner wants it so, and neither its author nor its post or thread is left out. The latter is is_public_thread, which a
-- function that it calls cannot call.
create or replace function is_public_message(m messages) returns boolean language sql stable as $$
  select m.kind = 'default' and exists (
    select from channels c join channels home on home.id = c.audience_id
    left join messages first on first.id = c.first_message_id
    where c.id = m.channel_id and home.public_since is not null and c.hidden is not true
      and (home.public_older or m.created_at >= home.public_since)
      and is_public_author(home.server_id, m.author_id, m.created_at) and is_public_channel(home)
      and case
        when c.id = home.id or m.id = c.first_message_id then true
        when c.tag_ids is not null then first.kind = 'default'
          and (home.public_older or first.created_at >= home.public_since)
          and is_public_author(home.server_id, first.author_id, first.created_at)
        else (home.public_older or c.created_at >= home.public_since)
          and is_public_author(home.server_id, c.owner_id, c.created_at) end)
$$;
