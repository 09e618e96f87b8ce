-- What a message mentions of what its text names: people who see the channel; roles that are mentionable, and everyone,
-- as its author may.
create or replace function resolved_mentions(
  home channels, p_held bigint, p_people bigint[], p_roles bigint[], p_everyone boolean, p_here boolean)
returns table (people bigint[], roles bigint[], everyone boolean, here boolean) language sql stable rows 1 as $$
  select mentioned(home.id, p_people),
    case when cardinality(p_roles) = 0 or home.server_id is null then '{}' else array(
      select r.id from roles r where r.server_id = home.server_id and r.id = any (p_roles) and not r.is_everyone
        and (r.mentionable or holds(p_held, 'mention_everyone')) order by r.id) end,
    p_everyone and home.server_id is not null and holds(p_held, 'mention_everyone'),
    p_here and home.server_id is not null and holds(p_held, 'mention_everyone')
$$;
