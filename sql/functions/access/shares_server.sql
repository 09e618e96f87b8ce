-- Whether two accounts are members of one server; not where one of them is held back or a guest, so that a raid opens
-- no dms.
create or replace function shares_server(p_one bigint, p_other bigint) returns boolean language sql stable
  return exists (select from members a join members b using (server_id)
    where a.user_id = p_one and b.user_id = p_other and a.held_back is null and b.held_back is null
      and not a.is_guest and not b.is_guest);
