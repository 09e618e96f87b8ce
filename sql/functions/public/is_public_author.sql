-- Whether words that an account wrote at p_at may be public: not those of a guest, whether or not it has left, nor of a
-- member who is held back, or who joined in the last 24 hours. A person who is no member, and may have joined only to
-- write them, waits as long after writing.
create or replace function is_public_author(p_server bigint, p_user bigint, p_at timestamptz) returns boolean
language sql stable as $$
  select not exists (select from quarantines q where q.server_id = p_server and q.user_id = p_user) and coalesce(
    (select m.held_back is null and not m.is_guest and m.joined_at <= now() - interval '24 hours' from members m
      where m.server_id = p_server and m.user_id = p_user),
    not exists (select from users u where u.id = p_user
      and (u.kind = 'guest' or u.kind = 'person' and p_at > now() - interval '24 hours')))
$$;
