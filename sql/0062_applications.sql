-- Applications: programs that act by accounts of their own. An application's id is that of its bot's account.

alter table users
  drop constraint too_many_servers,
  add constraint too_many_servers check (server_count <= case kind when 'bot' then 1000 else 100 end),
  add constraint operators_are_people check (kind = 'person' or operator_since is null);

create table applications (
  id bigint primary key references users (living_id) on delete cascade,
  -- Null when the owner is gone: the bot has no session then, and is about to be deleted.
  owner_id bigint references users (living_id),
  description text not null default '',
  created_at timestamptz(3) not null default now()
);
create index on applications (owner_id, id);

-- The role that a bot got with its server: it goes with the bot.
alter table roles add column bot_id bigint references users (living_id);
create unique index on roles (server_id, bot_id) where bot_id is not null;
create index on roles (bot_id) where bot_id is not null;

-- As in 0008, and bots write only where somebody has written to them.
create or replace function takes_dm(p_sender bigint, p_recipient bigint) returns boolean
language plpgsql stable as $$
declare
  -- Read in any case: a block is not told from a setting by what the refusal costs.
  sender text := (select u.kind from users u where u.id = p_sender);
  shares boolean := shares_server(p_sender, p_recipient);
  blocked boolean;
  befriended boolean;
  wish users;
begin
  if sender <> 'person' and not exists (
    select from participants p where p.user_id = p_sender and p.other_id = p_recipient and p.is_open)
  then
    return false;
  end if;
  -- Aggregates read on where a row alone would do: a row that is there ends no search early.
  select coalesce(bool_or(r.blocks or r.is_blocked), false), coalesce(bool_or(r.state = 'friends'), false)
    into blocked, befriended from relations_of r where r.user_id = p_recipient and r.other_id = p_sender;
  select * into wish from users u where u.id = p_recipient;
  return coalesce(wish.deleted_at is null and not blocked and case
    -- Whoever has written to a bot wants its answer.
    when wish.kind = 'person' and sender = 'bot' then true
    when wish.dms_from = 'everyone' or befriended then true
    when wish.dms_from = 'servers' then shares
    else false end, false);
end $$;

-- As in 0008, among people alone.
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
