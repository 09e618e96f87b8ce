-- Whether a new channel of the server is one that not every member sees.
create or replace function is_hidden(p_server bigint) returns boolean language sql stable
  return exists (
    select from roles r where r.server_id = p_server and r.is_everyone
      and not can_view(r.permissions) and not holds(r.permissions, 'administrator'));
