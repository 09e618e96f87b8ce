-- Keeps channel_count and category_count of the server.
create or replace function count_channel() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update servers set channel_count = channel_count + (new.type in ('text', 'voice', 'forum', 'stage'))::int,
      category_count = category_count + (new.type = 'category')::int where id = new.server_id;
  else
    update servers set channel_count = channel_count - (old.type in ('text', 'voice', 'forum', 'stage'))::int,
      category_count = category_count - (old.type = 'category')::int where id = old.server_id;
  end if;
  return null;
end $$;
