-- Candidates of a search, at most p_limit: messages in the places, from p_after on and before (p_before, p_before_id),
-- that hold all keys, and for each whether it fits: holds all sequences of p_with and none of p_without.
-- p_keys: looked up in the index; those that end with * are beginnings of words
-- p_with, p_without: sequences of terms, with a space before the first and after the last, if that is whole
-- p_stretches: the times to look at, or null for all
-- p_way: 'places' asks for one place after the other, which costs little for each candidate; 'fits' does so, and leaves
-- out those that do not fit; 'once' asks for all of them, which costs little where there are few; 'newest' does so, and
-- sorts them, the newest first
-- places_read: how many of the places gave the candidates, if one was asked after the other
create or replace function search_candidates(
  p_places bigint[], p_keys text[], p_with text[], p_without text[],
  p_after timestamptz, p_before timestamptz, p_before_id bigint, p_stretches tsquery, p_way text, p_limit int,
  out ids bigint[], out times timestamptz[], out fits boolean[], out places_read bigint)
language plpgsql stable
-- The planner knows nothing of the keys.
set enable_seqscan = off set jit = off as $$
declare
  -- Of the places that one question names.
  places_max constant int := 500;
  -- $1: the places, or a question for each key; $2: the stretches; $3 to $5: from when, before when, and before which
  -- message; $6 and $7: the sequences; $8: how many rows
  is_fit constant text := 'true'
    || case when cardinality(p_with) > 0
      then ' and not exists (select from unnest($6) s where position(s in d.terms) = 0)' else '' end
    || case when cardinality(p_without) > 0
      then ' and not exists (select from unnest($7) s where position(s in d.terms) > 0)' else '' end;
  answer constant text := 'select array_agg(d.message_id), array_agg(d.created_at), array_agg(' || is_fit || ')';
  -- Outside of the query of the index: for the time, the planner would read all of the index of places and times.
  conditions constant text := ' where d.created_at >= $3 and (d.created_at, d.message_id) < ($4, $5)'
    -- A deleted thread has no audience while its messages are being deleted, and nobody searches hidden posts.
    || ' and (d.thread_id is null or (
      select c.audience_id from channels c where c.id = d.thread_id and c.hidden is not true) = d.place_id)';
  question text;
  queries tsquery[];
  more_ids bigint[];
  more_times timestamptz[];
  more_fits boolean[];
begin
  if p_way in ('places', 'fits') then
    select format(answer || ', max(d.at) from (
        select d.message_id, d.created_at, d.terms, asked.at
        from (select at, (%s)::tsquery%s as query from unnest($1) with ordinality given (place, at) offset 0) asked
        cross join lateral (select d.* from search_documents d
          where search_keys(d.place_id, d.created_at, d.terms) @@ asked.query offset 0) d'
        || conditions || case when p_way = 'fits' then ' and ' || is_fit else '' end || ' limit $8) d',
        string_agg(format('search_key(place::text, %L)', key), '||''&''||'),
        case when p_stretches is null then '' else ' && $2' end)
      into question from unnest(p_keys) key;
    execute question into ids, times, fits, places_read
      using p_places, p_stretches, p_after, p_before, p_before_id, p_with, p_without, p_limit;
    return;
  end if;
  select answer || ' from (select d.message_id, d.created_at, d.terms from (select d.* from search_documents d where '
      || string_agg(format('search_keys(d.place_id, d.created_at, d.terms) @@ $1[%s]', n), ' and ')
      || ' and search_keys(d.place_id, d.created_at, d.terms) @@ $2 offset 0) d' || conditions
      || case when p_way = 'newest' then ' order by d.created_at desc, d.message_id desc' else '' end || ' limit $8) d'
    into question from generate_series(1, cardinality(p_keys)) n;
  for part in 0 .. (cardinality(p_places) - 1) / places_max loop
    queries := array(
      select (select string_agg(search_key(place::text, key), '|')
        from unnest(p_places[part * places_max + 1 : (part + 1) * places_max]) place)::tsquery
      from unnest(p_keys) with ordinality asked (key, n) order by n);
    execute question into more_ids, more_times, more_fits
      using queries, p_stretches, p_after, p_before, p_before_id, p_with, p_without, p_limit;
    ids := ids || more_ids;
    times := times || more_times;
    fits := fits || more_fits;
    exit when p_way = 'once' and cardinality(ids) >= p_limit;
    if part > 0 and p_way = 'newest' then
      select array_agg(s.id), array_agg(s.at), array_agg(s.is_fit) into ids, times, fits from (
        select * from unnest(ids, times, fits) c (id, at, is_fit) order by c.at desc, c.id desc limit p_limit) s;
    end if;
  end loop;
end $$;
