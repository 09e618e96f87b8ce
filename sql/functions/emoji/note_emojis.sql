-- A message keeps the custom emoji that it shows, and no others: however often it is edited, at most fifty of its text
-- and those of its reactions.
create or replace function note_emojis() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_ids bigint[] := array(
    select found.parts[1]::bigint
    from regexp_matches(new.content, '<:[a-z0-9_]{2,32}:([1-9][0-9]{0,14})>', 'g') with ordinality found (parts, at)
    group by 1 order by min(found.at) limit 50);
begin
  if tg_op = 'UPDATE' then
    delete from message_emojis me where me.message_id = new.id and me.emoji_id <> all (v_ids) and not exists (
      select from reaction_counts r where r.message_id = new.id and r.emoji like '%:' || me.emoji_id);
  end if;
  insert into message_emojis select new.id, e.id from usable_emojis(v_ids, new.channel_id, new.author_id) e
    on conflict do nothing;
  return null;
end $$;
