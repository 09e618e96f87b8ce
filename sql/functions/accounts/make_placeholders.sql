-- An account that cannot log in. It takes no friend requests and no direct messages.
create or replace function make_placeholders(p_names text[], p_hash text) returns setof bigint language sql as $$
  insert into users (id, username, email, password_hash, display_name, kind, dms_from, friend_requests_from)
    overriding system value
    select given.id, 'imported:' || given.id, 'imported:' || given.id, p_hash, given.name, 'imported', 'friends',
      'nobody'
    from (select nextval('users_id_seq') as id, name, at from unnest(p_names) with ordinality names (name, at)) given
    order by given.at returning users.id;
$$;
