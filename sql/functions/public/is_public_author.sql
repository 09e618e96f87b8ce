-- Whether words of an account may be public: not those of a member who is held back, or who joined in the last 24
-- hours.
create or replace function is_public_author(p_server bigint, p_user bigint) returns boolean language sql stable as $$
  select not exists (select from members m where m.server_id = p_server and m.user_id = p_user
    and (m.held_back is not null or m.joined_at > now() - interval '24 hours'))
$$;
