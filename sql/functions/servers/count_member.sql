-- A deleted server is not counted for: many changes of one row in a transaction would slow each other down.
create or replace function count_member() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update users set server_count = server_count + 1 where id = new.user_id;
    update servers set member_count = member_count + 1 where id = new.server_id;
  else
    update users set server_count = server_count - 1 where id = old.user_id;
    update servers set member_count = member_count - 1 where id = old.server_id and owner_id is not null;
  end if;
  return null;
end $$;
