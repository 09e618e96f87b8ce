-- When the first message in the places was sent; null if there is none.
create or replace function earliest_document(p_places bigint[]) returns timestamptz language plpgsql stable
-- A plan that was made while there were few documents would read all of them, or sort what the index has in order.
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
begin
  return (
    select min(d.created_at) from unnest(p_places) given (place) cross join lateral (
      select s.created_at from search_documents s where s.place_id = given.place order by s.created_at limit 1) d);
end $$;
