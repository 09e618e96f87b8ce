-- The files of a message, as it carries them.
create or replace function files_json(p_message bigint) returns json language sql stable as $$
  select coalesce(json_agg(file_json(f) order by f.ordinal), '[]'::json) from files f where f.message_id = p_message
$$;
