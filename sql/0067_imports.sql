-- What was moved in from elsewhere: servers that an import makes, and accounts that stand for their authors.

-- `imported`: stands for the author of imported messages, until a person is given these.
alter table users drop constraint user_kind,
  add constraint user_kind check (kind in ('person', 'bot', 'webhook', 'imported'));

create table imports (
  id bigint generated always as identity primary key,
  -- Nobody is a member of it until the import has ended.
  server_id bigint not null unique references servers on delete cascade,
  -- The id of the server where it comes from.
  source text not null,
  begun_at timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
create index on imports (source);

-- What an import has made of what. Of a channel, done_until is the source of the last message that is there.
create table import_parts (
  import_id bigint not null references imports on delete cascade,
  kind text not null check (kind in ('channel', 'author', 'role', 'emoji')),
  source text collate "C" not null,
  target_id bigint not null,
  done_until bigint not null default 0,
  primary key (import_id, kind, source)
);

-- Which message was made of which, while the import is under way: for replies. Without foreign keys to messages, whose
-- deletion would look here.
create table import_messages (
  import_id bigint not null references imports on delete cascade,
  source bigint not null,
  message_id bigint not null,
  primary key (import_id, source)
);

-- An account that cannot log in. It takes no friend requests and no direct messages.
create function make_placeholders(p_names text[], p_hash text) returns setof bigint language sql as $$
  insert into users (id, username, email, password_hash, display_name, kind, dms_from, friend_requests_from)
    overriding system value
    select given.id, 'imported:' || given.id, 'imported:' || given.id, p_hash, given.name, 'imported', 'friends',
      'nobody'
    from (select nextval('users_id_seq') as id, name, at from unnest(p_names) with ordinality names (name, at)) given
    order by given.at returning users.id;
$$;

-- The index of messages is made anew for those below below_id and above this id; null: for all below.
alter table search_progress add column above_id bigint;

-- As in 0008; people alone are found.
create or replace function search_users(p_user bigint, p_key text, p_part text) returns setof json
language plpgsql stable set plan_cache_mode = 'force_custom_plan' as $$
declare
  -- It has a trigram in three letters or digits in a row, or two beside the edge of a word; of what is a letter or digit
  -- the database has its own notion, and hands out every account for a text in which it sees none.
  pairs text[] := case when p_key !~ '[[:alnum:]]{3}|[^[:alnum:]][[:alnum:]]{2}|[[:alnum:]]{2}[^[:alnum:]]'
    then bigrams(p_key) end;
  -- So many are looked through before an index is asked, which gathers all matches though twenty are enough.
  newest_from bigint := (select min(id) from (select id from users order by id desc limit 2000) newest);
begin
  return query
  with hidden as materialized (
    select r.other_id from relations_of r where r.user_id = p_user and (r.blocks or r.is_blocked)
  ), held as materialized (
    -- Planned for all of its rows: for the first twenty, a walk through everyone looks cheaper than the index.
    select u.id, u.username, u.display_name from users u
    where u.deleted_at is null and u.kind = 'person' and lower(u.display_name) like p_part
      and (pairs is null or bigrams(lower(u.display_name)) @> pairs)
  )
  select public_user(u) from users u where u.id in (
    (select u.id from users u where u.username = p_key and u.deleted_at is null and u.kind = 'person'
      and u.id not in (select other_id from hidden))
    union all (select u.id from users u
      where lower(u.display_name) collate "C" >= p_key and lower(u.display_name) collate "C" < p_key || chr(1114111)
        and u.deleted_at is null and u.kind = 'person' and u.username <> p_key
        and u.id not in (select other_id from hidden) limit 20)
    union all (select u.id from users u
      where u.id >= newest_from and lower(u.display_name) like p_part and not starts_with(lower(u.display_name), p_key)
        and u.deleted_at is null and u.kind = 'person' and u.username <> p_key
        and u.id not in (select other_id from hidden) limit 20)
    union all (select u.id from held u
      where u.id < newest_from and not starts_with(lower(u.display_name), p_key)
        and u.username <> p_key and u.id not in (select other_id from hidden) limit 20)
    limit 20
  ) order by lower(u.display_name) collate "C", u.id;
end $$;
