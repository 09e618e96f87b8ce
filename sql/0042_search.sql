-- Search of messages. The index is filled by a job behind the event log, so that sending costs nothing; what is deleted
-- leaves it, and what is edited, by triggers. It is not part of a backup: the job makes it anew.

-- What a message is found by. place_id: its channel, or the parent of its thread, which is thread_id. terms: between
-- spaces and in their order, marks such as #has_image, then the words.
create table search_documents (
  -- No foreign key: a plan of its check that was made while there were few messages would read all of them.
  message_id bigint primary key,
  place_id bigint not null,
  created_at timestamptz(3) not null,
  thread_id bigint,
  terms text not null
);

-- Where the job stands: the last event read, and below which id messages are still to be indexed (null: none). Without
-- a row it begins anew.
create table search_progress (
  is_only boolean primary key default true check (is_only),
  log_since timestamptz not null,
  xid xid8 not null,
  event_id bigint not null,
  below_id bigint
);

-- The keys of a document: each term with its place, since a list of places is part of every question; and the times,
-- of 2^10, 2^13, 2^16, 2^19 and 2^22 seconds, in which it lies, so that a question can look at a part of the time.
create function search_keys(p_place bigint, p_at timestamptz, p_terms text) returns tsvector
language sql immutable parallel safe
  -- Of immutable parts alone, or it would not be inlined, which makes it ten times as fast.
  return (p_place::text || '/' || replace(btrim(p_terms, ' '), ' ', ' ' || p_place::text || '/')
    || ' t10/' || (floor(date_part('epoch', p_at - '1970-01-01 00:00:00+00'::timestamptz))::bigint >> 10)::text
    || ' t13/' || (floor(date_part('epoch', p_at - '1970-01-01 00:00:00+00'::timestamptz))::bigint >> 13)::text
    || ' t16/' || (floor(date_part('epoch', p_at - '1970-01-01 00:00:00+00'::timestamptz))::bigint >> 16)::text
    || ' t19/' || (floor(date_part('epoch', p_at - '1970-01-01 00:00:00+00'::timestamptz))::bigint >> 19)::text
    || ' t22/' || (floor(date_part('epoch', p_at - '1970-01-01 00:00:00+00'::timestamptz))::bigint >> 22)::text
  )::tsvector;

-- Without a pending list, which every search would have to read through.
create index search_documents_by_key on search_documents using gin (search_keys(place_id, created_at, terms))
  with (fastupdate = off);
-- The planner could only waste time on them.
alter index search_documents_by_key alter column 1 set statistics 0;

create function forget_search_document() returns trigger language plpgsql as $$
begin
  delete from search_documents where message_id = new.id;
  return null;
end $$;
create trigger forget_search_document after update of content on messages
  for each row when (old.content is distinct from new.content) execute function forget_search_document();

-- A plan that was made while there were few documents would read all of them.
create function forget_search_documents() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  delete from search_documents where message_id = any (array(select id from gone));
  return null;
end $$;
create trigger forget_search_documents after delete on messages
  referencing old table as gone for each statement execute function forget_search_documents();

-- The places in which an account may search; of a server, or of one channel with its threads, where one is given.
create function searchable_places(p_user bigint, p_server bigint, p_channel bigint) returns bigint[]
language plpgsql stable as $$
begin
  if p_channel is not null then
    return array(
      select c.audience_id from channels c cross join lateral channel_access(c.id, p_user) ca
      where c.id = p_channel and (p_server is null or ca.server_id = p_server)
        and can_view(ca.permissions) and holds(ca.permissions, 'read_history'));
  end if;
  if p_server is not null then
    return array(
      select rp.channel_id from resolved_permissions rp
      where rp.user_id = p_user and rp.server_id = p_server and rp.type in ('text', 'voice')
        and can_view(rp.permissions) and holds(rp.permissions, 'read_history'));
  end if;
  return array(
    select rp.channel_id from resolved_permissions rp
      where rp.user_id = p_user and rp.type in ('text', 'voice')
        and can_view(rp.permissions) and holds(rp.permissions, 'read_history')
    union all
    select p.channel_id from participants p where p.user_id = p_user and p.is_open);
end $$;

-- A term in a place as a tsquery has it; a term that ends with * is the beginning of words.
create function search_key(p_place text, p_term text) returns text language sql immutable
  return '''' || p_place || '/' || rtrim(p_term, '*') || '''' || case when p_term like '%*' then ':*' else '' end;

-- The stretches of 2^p_bits seconds from p_first to p_last.
create function search_times(p_bits int, p_first bigint, p_last bigint) returns tsquery language sql immutable
  return (select string_agg('''t' || p_bits || '/' || n || '''', '|') from generate_series(p_first, p_last) n)::tsquery;

-- The newest messages before (p_before, p_before_id) in the places that hold all terms and sequences and none of the
-- others.
-- p_terms: looked up in the index; those that end with * are beginnings of words
-- p_with, p_without: sequences of terms, with a space before the first and after the last, if that is whole
-- All time is asked first, place by place: where that gives too much, it tells how much there is in a time. Then the
-- time is walked backwards, in stretches that hold about what is wanted, and grow or shrink. A short stretch is asked
-- for all places at once, which costs little where little is found; a long one place by place, which costs little for
-- each of many.
create function search_messages(
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
    -- A deleted thread has no audience while its messages are being deleted.
    || ' and (d.thread_id is null or (select c.audience_id from channels c where c.id = d.thread_id) = d.place_id)'
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
