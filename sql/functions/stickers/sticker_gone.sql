-- Deletes the picture of a deleted sticker.
create or replace function sticker_gone() returns trigger language plpgsql as $$
begin
  insert into object_outbox (key) values ('stickers/' || old.key) on conflict (key) do update set due_at = now();
  return null;
end $$;
