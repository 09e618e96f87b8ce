-- Deletes the picture of a role that has it no longer.
create or replace function role_icon_gone() returns trigger language plpgsql as $$
begin
  insert into object_outbox (key) values ('role-icons/' || old.key) on conflict (key) do update set due_at = now();
  return null;
end $$;
