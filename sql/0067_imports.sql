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
