-- As in 0036; the emoji of a reaction that is gone goes too, unless the text shows it.
create or replace function reactions_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update messages set reacted = true where id = new.message_id and not reacted;
  else
    update messages set reacted = false where id = old.message_id and reacted
      and not exists (select from reaction_counts r where r.message_id = old.message_id);
    if old.emoji ~ ':[0-9]+$' then
      delete from message_emojis me using messages m
        where me.message_id = old.message_id and me.emoji_id = substring(old.emoji from '[0-9]+$')::bigint
          and m.id = old.message_id and m.content !~ ('<:[a-z0-9_]{2,32}:' || me.emoji_id || '>');
    end if;
  end if;
  return null;
end $$;
