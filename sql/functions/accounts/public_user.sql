create or replace function public_user(u users) returns json language sql stable
  return row_to_json(row(u.id, u.display_name, u.avatar_file_id, u.kind)::wire_user);
