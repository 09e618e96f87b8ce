-- The newest messages before (p_before, p_before_id) in the places that hold all terms and sequences and none of the
-- others.
-- p_terms: looked up in the index; those that end with * are beginnings of words
-- p_with, p_without: sequences of terms, with a space before the first and after the last, if that is whole
-- All time is asked first, place by place: where that gives too much, it tells how much there is in a time. Then the
-- time is walked backwards, in stretches that hold about what is wanted, and grow or shrink. A short stretch is asked
-- for all places at once, which costs little where little is found; a long one place by place, which costs little for
-- each of many.
create or replace function search_messages(
  p_places bigint[], p_terms text[], p_with text[], p_without text[],
  p_after timestamptz, p_before timestamptz, p_before_id bigint, p_limit int)
returns table (message_id bigint, created_at timestamptz) language plpgsql stable
-- A page: were it the default of 1000, the planner would encode all messages of a small table for it.
rows 26
-- The planner knows nothing of the keys.
set enable_seqscan = off set jit = off as $$
declare
  -- Of the places that one question names, and of the rows that it may give.
  places_max constant int := 500;
  rows_max constant int := 1000;
  -- Of the stretches of a level; the last level is all time.
  bits constant int[] := '{10,13,16,19,22}';
  short_levels constant int := 3;
  all_time constant int := 6;
  level int := all_time;
  -- How many of the places, in their order, gave the rows; and messages a second in all of them.
  places_read bigint;
  rate float8;
  since_s constant bigint := floor(extract(epoch from p_after));
  -- What was sent from this second on has been looked at.
  until_s bigint := floor(extract(epoch from p_before))::bigint + 1;
  first bigint;
  stretches tsquery;
  width constant int := cardinality(p_terms);
  queries tsquery[] := '{}';
  conditions text;
  at_once text;
  by_place text;
  ids bigint[];
  times timestamptz[];
  found_ids bigint[];
  found_times timestamptz[];
  room int := p_limit;
  more int;
begin
  if cardinality(p_places) = 0 then return; end if;
  -- $2: the stretches; $3 to $5: from when, before when, and before which message; $6: how many rows
  conditions := 'd.created_at >= $3 and d.created_at < to_timestamp($9) and (d.created_at, d.message_id) < ($4, $5)'
    -- A deleted thread has no audience while its messages are being deleted, and nobody searches hidden posts.
    || ' and (d.thread_id is null or (
      select c.audience_id from channels c where c.id = d.thread_id and c.hidden is not true) = d.place_id)'
    || case when cardinality(p_with) > 0
      then ' and not exists (select from unnest($7) s where position(s in d.terms) = 0)' else '' end
    || case when cardinality(p_without) > 0
      then ' and not exists (select from unnest($8) s where position(s in d.terms) > 0)' else '' end;
  -- $1: a question for each term
  select 'select array_agg(found.message_id), array_agg(found.created_at) from (
      select d.message_id, d.created_at from search_documents d where '
    || string_agg(format('search_keys(d.place_id, d.created_at, d.terms) @@ $1[%s]', n), ' and ')
    || ' and search_keys(d.place_id, d.created_at, d.terms) @@ $2 and ' || conditions || ' %s limit $6) found'
    into at_once from generate_series(1, width) n;
  -- $1: the places
  select 'select array_agg(found.message_id), array_agg(found.created_at), max(found.at) from (
      select d.message_id, d.created_at, asked.at
      from (select at, (' || string_agg(
        format('search_key(place::text, %L)', p_terms[n]), '||''&''||')
    || ')::tsquery as query from unnest($1) with ordinality given (place, at) offset 0) asked cross join lateral (
        select d.message_id, d.created_at from search_documents d
        where search_keys(d.place_id, d.created_at, d.terms) @@ %s and ' || conditions || ' offset 0) d
      limit $6) found'
    into by_place from generate_series(1, width) n;
  for part in 0 .. (cardinality(p_places) - 1) / places_max loop
    for n in 1 .. width loop
      queries := queries || (select string_agg(search_key(place::text, p_terms[n]), '|')::tsquery
        from unnest(p_places[part * places_max + 1 : (part + 1) * places_max]) place);
    end loop;
  end loop;
  while room > 0 and until_s > since_s loop
    if level < all_time then
      -- Up to where a stretch of the next level begins.
      first := greatest((until_s - 1) >> (bits[level] + 3) << 3, since_s >> bits[level]);
      stretches := search_times(bits[level], first, (until_s - 1) >> bits[level]);
    end if;
    ids := '{}';
    times := '{}';
    if level > short_levels then
      execute format(by_place, case when level < all_time then '(asked.query && $2)' else 'asked.query' end)
        into ids, times, places_read
        using p_places, stretches, p_after, p_before, p_before_id, rows_max + 1, p_with, p_without, until_s;
    else
      for part in 0 .. cardinality(queries) / width - 1 loop
        execute format(at_once, case when level = 1 then 'order by d.created_at desc, d.message_id desc' else '' end)
          into found_ids, found_times
          using queries[part * width + 1 : (part + 1) * width], stretches,
            p_after, p_before, p_before_id, rows_max + 1, p_with, p_without, until_s;
        ids := ids || found_ids;
        times := times || found_times;
        exit when level > 1 and cardinality(ids) > rows_max;
      end loop;
    end if;
    if level > 1 and cardinality(ids) > rows_max then
      if level = all_time and rate is null then
        select rows_max / greatest(extract(epoch from max(t) - min(t)), 1) * cardinality(p_places) / places_read
          into rate from unnest(times) t;
        level := 1;
        while level < all_time - 1 and (1 << bits[level]) * rate < p_limit loop level := level + 1; end loop;
      else
        level := level - 1;
      end if;
    else
      return query select f.id, f.at from unnest(ids, times) f (id, at) order by f.at desc, f.id desc limit room;
      get diagnostics more = row_count;
      room := room - more;
      exit when level = all_time;
      until_s := first << bits[level];
      level := level + 1;
    end if;
  end loop;
end $$;
