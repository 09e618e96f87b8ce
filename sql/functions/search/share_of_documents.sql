-- The share of documents that hold a sequence of terms, among a few of the newest in some of the places.
create or replace function share_of_documents(p_places bigint[], p_sequence text) returns float8
language plpgsql stable
-- A plan that was made while there were few documents would read all of them, or sort what the index has in order.
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
  places_max constant int := 16;
  documents_max constant int := 20;
  step constant int := 1 + (cardinality(p_places) - 1) / places_max;
begin
  return (
    select coalesce(avg((position(p_sequence in d.terms) > 0)::int), 0)
    from generate_series(1, cardinality(p_places), step) at cross join lateral (
      select s.terms from search_documents s where s.place_id = p_places[at]
      order by s.created_at desc, s.message_id desc limit documents_max) d);
end $$;
