-- Whether two accounts can be in one call: members of one server, or participants of one dm or group.
create or replace function shares_place(p_one bigint, p_other bigint) returns boolean language sql stable
  return p_one = p_other
    or exists (select from members a join members b using (server_id)
      where a.user_id = p_one and b.user_id = p_other)
    or exists (select from participants a join participants b using (channel_id)
      where a.user_id = p_one and b.user_id = p_other);
