-- Whoever changes a password: what the former one has begun ends.
create or replace function end_pending_logins() returns trigger language plpgsql as $$
begin
  delete from pending_logins where user_id = new.id;
  return null;
end $$;
