-- The keys of a document: each term with its place, since a list of places is part of every question; and the times,
-- of 2^10, 2^13, 2^16, 2^19 and 2^22 seconds, in which it lies, so that a question can look at a part of the time.
create or replace function search_keys(p_place bigint, p_at timestamptz, p_terms text) returns tsvector
language sql immutable parallel safe
  -- Only of immutable parts, or it would not be inlined, which makes it ten times as fast.
  return (p_place::text || '/' || replace(btrim(p_terms, ' '), ' ', ' ' || p_place::text || '/')
    || ' t10/' || (floor(date_part('epoch', p_at - '1970-01-01 00:00:00+00'::timestamptz))::bigint >> 10)::text
    || ' t13/' || (floor(date_part('epoch', p_at - '1970-01-01 00:00:00+00'::timestamptz))::bigint >> 13)::text
    || ' t16/' || (floor(date_part('epoch', p_at - '1970-01-01 00:00:00+00'::timestamptz))::bigint >> 16)::text
    || ' t19/' || (floor(date_part('epoch', p_at - '1970-01-01 00:00:00+00'::timestamptz))::bigint >> 19)::text
    || ' t22/' || (floor(date_part('epoch', p_at - '1970-01-01 00:00:00+00'::timestamptz))::bigint >> 22)::text
  )::tsvector;
