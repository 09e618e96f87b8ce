create or replace function count_role() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update servers set role_count = role_count + 1 where id = new.server_id;
  else
    update servers set role_count = role_count - 1 where id = old.server_id;
  end if;
  return null;
end $$;
