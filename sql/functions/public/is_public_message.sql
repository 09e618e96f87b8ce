-- Whether everybody may read a message without an account: its channel is public, it is not older than that unless the
-- owner wants it so, and neither its post nor its author is left out.
create or replace function is_public_message(m messages) returns boolean language sql stable as $$
  select m.kind = 'default' and exists (
    select from channels c join channels home on home.id = c.audience_id
    where c.id = m.channel_id and home.public_since is not null and c.hidden is not true
      and (home.public_older or m.created_at >= home.public_since)
      and is_public_author(home.server_id, m.author_id, m.created_at) and is_public_channel(home))
$$;
