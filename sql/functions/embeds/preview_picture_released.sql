create or replace function preview_picture_released() returns trigger language plpgsql as $$
begin
  insert into preview_picture_checks (picture_id) values (old.picture_id);
  return null;
end $$;
