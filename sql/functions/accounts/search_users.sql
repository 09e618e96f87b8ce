-- People whose name holds a text, as JSON: without bots, imported authors, and those that a block hides.
create or replace function search_users(p_user bigint, p_text text) returns setof json
language plpgsql stable set plan_cache_mode = 'force_custom_plan' as $$
declare
  sought text := name_key(p_text);
  pattern text := name_pattern(p_text);
  -- It has a trigram in three letters or digits in a row, or two at the edge of a word; of what is a letter or digit
  -- the database has its own notion, and hands out every account for a text in which it sees none.
  pairs text[] := case when sought !~ '[[:alnum:]]{3}|[^[:alnum:]][[:alnum:]]{2}|[[:alnum:]]{2}[^[:alnum:]]'
    then bigrams(sought) end;
  -- This many are looked through before an index is asked, which gathers all matches though twenty are enough.
  newest_from bigint := (select min(id) from (select id from users order by id desc limit 2000) newest);
begin
  -- A letter and its accent are one letter, which is in nearly every name.
  if length(sought) < 2 then
    pattern := null;
    sought := null;
  end if;
  return query
  with hidden as materialized (
    select r.other_id from relations_of r where r.user_id = p_user and (r.blocks or r.is_blocked)
  ), held as materialized (
    -- Planned for all of its rows: for the first twenty, a walk through everyone looks cheaper than the index.
    select u.id, u.username, u.display_name from users u
    where u.deleted_at is null and u.kind = 'person' and name_key(u.display_name) like pattern
      and (pairs is null or bigrams(name_key(u.display_name)) @> pairs)
  )
  select public_user(u) from users u where u.id in (
    (select u.id from users u where u.username = lower(p_text) and u.deleted_at is null and u.kind = 'person'
      and u.id not in (select other_id from hidden))
    union all (select u.id from users u
      where name_key(u.display_name) collate "C" >= sought
        and name_key(u.display_name) collate "C" < sought || chr(1114111)
        and u.deleted_at is null and u.kind = 'person' and u.username <> lower(p_text)
        and u.id not in (select other_id from hidden) limit 20)
    union all (select u.id from users u
      where u.id >= newest_from and name_key(u.display_name) like pattern
        and not starts_with(name_key(u.display_name), sought)
        and u.deleted_at is null and u.kind = 'person' and u.username <> lower(p_text)
        and u.id not in (select other_id from hidden) limit 20)
    union all (select u.id from held u
      where u.id < newest_from and not starts_with(name_key(u.display_name), sought)
        and u.username <> lower(p_text) and u.id not in (select other_id from hidden) limit 20)
    limit 20
  ) order by name_key(u.display_name) collate "C", u.id;
end $$;
