-- Deletes the banner of an account that has it no longer.
create or replace function banner_gone() returns trigger language plpgsql as $$
begin
  insert into object_outbox (key) values ('banners/' || old.key) on conflict (key) do update set due_at = now();
  return null;
end $$;
