create or replace function preview_picture_gone() returns trigger language plpgsql as $$
begin
  insert into object_outbox (key) values (old.key) on conflict (key) do update set due_at = now();
  return null;
end $$;
