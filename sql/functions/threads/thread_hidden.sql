-- Has a post published that has just been hidden, also to those who do not see it any more.
create or replace function thread_hidden(p_post bigint) returns void language sql as $$
  select thread_changed(p_post);
  update thread_changes set hides = true where channel_id = p_post;
$$;
