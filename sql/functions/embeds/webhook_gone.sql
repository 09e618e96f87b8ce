create or replace function webhook_gone() returns trigger language plpgsql as $$
begin
  delete from users u where u.id = old.id and not exists (select from messages m where m.author_id = u.id);
  return null;
end $$;
