-- People: what they allow, what stands between two of them, and finding each other.

create extension if not exists pg_trgm;

alter table users
  add column dms_from text not null default 'servers' check (dms_from in ('everyone', 'servers', 'friends')),
  add column friend_requests_from text not null default 'everyone'
    check (friend_requests_from in ('everyone', 'servers', 'nobody')),
  -- Friends, and requests that wait for the other's answer.
  add column friend_count int not null default 0 constraint too_many_friends check (friend_count <= 1000),
  add column block_count int not null default 0 constraint too_many_blocks check (block_count <= 10000),
  -- A tombstone: nobody can be it, but its messages point to it.
  add column deleted_at timestamptz(3);

-- One row a pair, `low` being the smaller id; none where nothing stands between them. What moves a row from one state
-- to the next is src/features/friends/relation.ts.
create table relations (
  low bigint not null references users on delete cascade,
  high bigint not null references users on delete cascade,
  bond text not null default 'none' check (bond in ('none', 'asked_by_low', 'asked_by_high', 'friends')),
  bond_since timestamptz(3) not null default clock_timestamp(),
  low_blocked_at timestamptz(3),
  high_blocked_at timestamptz(3),
  primary key (low, high),
  check (low < high),
  constraint block_ends_bond check (bond = 'none' or (low_blocked_at is null and high_blocked_at is null)),
  constraint something_stands check (bond <> 'none' or low_blocked_at is not null or high_blocked_at is not null)
);
create index on relations (high);

-- Whatever changes what stands between two people, or passes between them, happens one after another.
create function lock_pair(p_one bigint, p_other bigint) returns void language sql
  return pg_advisory_xact_lock(7201507, hashtext(least(p_one, p_other) || ':' || greatest(p_one, p_other)));

-- Each one's own view of its relations: a block shows to who made it alone.
create view relations_of as
  select user_id, other_id, blocked_at is not null as blocks, other_blocked_at is not null as is_blocked,
    case when blocked_at is not null then 'blocked'
      when bond = 'friends' then 'friends'
      when bond = 'none' then 'none'
      when bond = asked then 'pending_outgoing' else 'pending_incoming' end as state,
    coalesce(blocked_at, bond_since) as since
  from (
    select low as user_id, high as other_id, 'asked_by_low' as asked, bond, bond_since,
      low_blocked_at as blocked_at, high_blocked_at as other_blocked_at from relations
    union all
    select high, low, 'asked_by_high', bond, bond_since, high_blocked_at, low_blocked_at from relations
  ) sides;

-- The limits are constraints on one row, so racing requests cannot pass them together.
create function count_relation() returns trigger language plpgsql as $$
declare
  friends int[] := array[0, 0];
  blocks int[] := array[0, 0];
begin
  if tg_op <> 'DELETE' then
    friends := array[(new.bond in ('friends', 'asked_by_low'))::int, (new.bond in ('friends', 'asked_by_high'))::int];
    blocks := array[(new.low_blocked_at is not null)::int, (new.high_blocked_at is not null)::int];
  end if;
  if tg_op <> 'INSERT' then
    friends := array[friends[1] - (old.bond in ('friends', 'asked_by_low'))::int,
      friends[2] - (old.bond in ('friends', 'asked_by_high'))::int];
    blocks := array[blocks[1] - (old.low_blocked_at is not null)::int,
      blocks[2] - (old.high_blocked_at is not null)::int];
  end if;
  if friends = array[0, 0] and blocks = array[0, 0] then return null; end if;
  perform from users u where u.id in (coalesce(new.low, old.low), coalesce(new.high, old.high))
    order by u.id for no key update;
  update users u set friend_count = friend_count + change.friends, block_count = block_count + change.blocks
    from (values (coalesce(new.low, old.low), friends[1], blocks[1]),
      (coalesce(new.high, old.high), friends[2], blocks[2])) change (id, friends, blocks)
    where u.id = change.id and (change.friends <> 0 or change.blocks <> 0);
  return null;
end $$;
create trigger count_relation after insert or update or delete on relations
  for each row execute function count_relation();

create function shares_server(p_one bigint, p_other bigint) returns boolean language sql stable
  return exists (select from members a join members b using (server_id) where a.user_id = p_one and b.user_id = p_other);

-- Incoming requests that an account may have waiting.
create function requests_waiting_max() returns int language sql immutable return 1000;

-- Whether an account takes a new friend request of another: its own wish alone, blocks aside.
create function takes_request(p_sender bigint, p_recipient bigint) returns boolean language sql stable
  return (
    select u.deleted_at is null
      and (u.friend_requests_from = 'everyone'
        or u.friend_requests_from = 'servers' and shares_server(p_sender, p_recipient))
      and (select count(*) from relations_of r where r.user_id = u.id and r.state = 'pending_incoming')
        < requests_waiting_max()
    from users u where u.id = p_recipient);

-- Whether an account takes a direct message of another. Every answer costs the same: whatever is true is looked up.
create function takes_dm(p_sender bigint, p_recipient bigint) returns boolean language plpgsql stable as $$
declare
  shares boolean := shares_server(p_sender, p_recipient);
  blocked boolean;
  befriended boolean;
  wish users;
begin
  -- Aggregates read on where a row alone would do: a row that is there ends no search early.
  select coalesce(bool_or(r.blocks or r.is_blocked), false), coalesce(bool_or(r.state = 'friends'), false)
    into blocked, befriended from relations_of r where r.user_id = p_recipient and r.other_id = p_sender;
  select * into wish from users u where u.id = p_recipient;
  return coalesce(wish.deleted_at is null and not blocked and case
    when wish.dms_from = 'everyone' or befriended then true
    when wish.dms_from = 'servers' then shares
    else false end, false);
end $$;

-- Search: whole usernames by their unique key; display names by how they begin, by three letters in a row, and, for
-- what has no three letters in a row, by every two characters.
create index users_by_display_name on users (lower(display_name) collate "C") where deleted_at is null;
create index users_by_trigram on users using gin (lower(display_name) gin_trgm_ops) where deleted_at is null;

create function bigrams(p_text text) returns text[] language sql immutable parallel safe
  return array(select distinct substr(p_text, at, 2) from generate_series(1, length(p_text) - 1) at);
create index users_by_bigram on users using gin (bigrams(lower(display_name))) where deleted_at is null;

-- Accounts whose whole username, or part of whose display name, p_key is (lower-case; p_part: the pattern that finds it
-- within a name): the username, then names that begin with it, then names that hold it, until there are twenty. What
-- many names hold is found among the newest accounts; what few hold, by an index: by trigrams where the text has any.
-- The order says nothing of which it was. Planned anew each time: what is rare and what is common wants another plan.
create function search_users(p_user bigint, p_key text, p_part text) returns setof json
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
    where u.deleted_at is null and lower(u.display_name) like p_part
      and (pairs is null or bigrams(lower(u.display_name)) @> pairs)
  )
  select public_user(u) from users u where u.id in (
    (select u.id from users u where u.username = p_key and u.deleted_at is null
      and u.id not in (select other_id from hidden))
    union all (select u.id from users u
      where lower(u.display_name) collate "C" >= p_key and lower(u.display_name) collate "C" < p_key || chr(1114111)
        and u.deleted_at is null and u.username <> p_key and u.id not in (select other_id from hidden) limit 20)
    union all (select u.id from users u
      where u.id >= newest_from and lower(u.display_name) like p_part and not starts_with(lower(u.display_name), p_key)
        and u.deleted_at is null and u.username <> p_key and u.id not in (select other_id from hidden) limit 20)
    union all (select u.id from held u
      where u.id < newest_from and not starts_with(lower(u.display_name), p_key)
        and u.username <> p_key and u.id not in (select other_id from hidden) limit 20)
    limit 20
  ) order by lower(u.display_name) collate "C", u.id;
end $$;
