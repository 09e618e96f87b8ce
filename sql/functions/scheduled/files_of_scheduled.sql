-- The files of a scheduled message as JSON, in their order.
create or replace function files_of_scheduled(p_id bigint) returns json language sql stable
  return (select coalesce(json_agg(file_json(f) order by f.ordinal), '[]'::json) from files f where f.scheduled_id = p_id);
