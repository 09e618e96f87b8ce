-- The emoji of what a message says: of its text, or where it has none of what it forwards from elsewhere.
create or replace function said_emojis(m messages) returns setof bigint language sql stable as $$
  select me.emoji_id from message_emojis me
    where me.message_id = m.id and position(':' || me.emoji_id || '>' in m.content) > 0
  union all
  select kept.id::bigint from json_array_elements_text(m.forwarded -> 'emoji_ids') kept (id) where m.content = ''
$$;
