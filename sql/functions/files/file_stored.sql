create or replace function file_stored() returns trigger language plpgsql as $$
begin
  update users set stored_bytes = stored_bytes + new.size where id = new.uploader_id;
  return null;
end $$;
