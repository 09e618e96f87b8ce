-- The custom emoji that a message shows: in its text, in its reactions, and in what it forwards, as that shows them.
create or replace function shown_emojis(m messages) returns setof bigint language sql stable as $$
  select me.emoji_id from message_emojis me where me.message_id = m.id
  union
  select kept.id::bigint from json_array_elements_text(m.forwarded -> 'emoji_ids') kept (id)
  union
  select e.id from messages o cross join lateral said_emojis(o) said (id) join emojis e on e.id = said.id
    where o.id = m.forwarded_id and (m.forwarded ->> 'external' is null
      or e.server_id = (select c.server_id from channels c where c.id = m.channel_id))
$$;
