create or replace function shown_author(u users, p_name text) returns json language sql stable
  return row_to_json(row(u.id, p_name, u.avatar_file_id, u.kind)::wire_user);
