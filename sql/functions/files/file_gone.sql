-- However a record goes, by itself or with its message, channel, server: its objects follow.
create or replace function file_gone() returns trigger language plpgsql as $$
begin
  insert into object_outbox (key) select key from unnest(array[old.key, old.thumbnail_key]) key where key is not null
    on conflict (key) do update set due_at = now();
  update users set stored_bytes = stored_bytes - old.size where id = old.uploader_id;
  return null;
end $$;
