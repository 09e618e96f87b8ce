create or replace function unpin_deleted() returns trigger language plpgsql as $$
begin
  update channels set pin_count = pin_count - 1 where id = old.channel_id;
  return null;
end $$;
