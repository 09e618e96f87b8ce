-- The first message of a post after p_after, for an account that wants to hear of each new post of the forum.
create or replace function new_post(p_user bigint, p_channel bigint, p_after bigint) returns bigint
language sql stable as $$
  select m.id from channels c
  join notification_settings ns on ns.channel_id = c.parent_id and ns.user_id = p_user and ns.level = 'all_posts'
  join messages m on m.id = c.first_message_id
  where c.id = p_channel and not c.hidden and m.id > coalesce(p_after, 0) and m.author_id <> p_user and not exists (
    select from relations_of r where r.user_id = p_user and r.blocks and r.other_id = m.author_id)
$$;
