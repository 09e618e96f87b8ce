-- Deletes the file of a deleted sound.
create or replace function sound_gone() returns trigger language plpgsql as $$
begin
  insert into object_outbox (key) values ('sounds/' || old.key) on conflict (key) do update set due_at = now();
  return null;
end $$;
