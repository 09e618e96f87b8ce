-- As in 0039.
create or replace function record_mentions() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from mentions
      where channel_id = new.channel_id and message_id = new.id and user_id <> all (new.mention_ids);
  end if;
  insert into mentions (channel_id, message_id, user_id, by_edit)
    select new.channel_id, new.id, mentioned.id, tg_op = 'UPDATE' from unnest(new.mention_ids) mentioned (id)
    where mentioned.id <> new.author_id
    on conflict do nothing;
  return null;
end $$;
