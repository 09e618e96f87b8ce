-- As in 0072; what a message forwards shows the emoji that were kept with it.
create or replace function shown_emojis(m messages) returns setof bigint language sql stable as $$
  select me.emoji_id from message_emojis me where me.message_id = m.id
  union
  select kept.id::bigint from json_array_elements_text(m.forwarded -> 'emoji_ids') kept (id)
    where m.forwarded_id is null or message_stands(m.forwarded_id)
$$;
