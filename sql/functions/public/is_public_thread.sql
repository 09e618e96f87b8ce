-- Whether everybody may read a thread or post without an account, with its name: that of a post whose first message is
-- public, or of a thread whose owner's words are.
create or replace function is_public_thread(c channels) returns boolean language sql stable as $$
  select case when c.tag_ids is not null
    then exists (select from messages m where m.id = c.first_message_id and is_public_message(m))
    else c.type = 'thread' and exists (
      select from channels home where home.id = c.parent_id and is_public_channel(home)
        and (home.public_older or c.created_at >= home.public_since)
        and is_public_author(home.server_id, c.owner_id, c.created_at)) end
$$;
