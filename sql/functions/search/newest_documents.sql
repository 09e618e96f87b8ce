-- The newest messages before (p_before, p_before_id) in the places that hold all of p_with and none of p_without,
-- which are sequences of terms with a space before the first and after the last, if that is whole. About
-- p_read_max are looked at, and fewer where that many would not give half as many as are wanted; null: all. The index
-- gives only candidates of all places, of which the documents say which are left. Where many are left out, the
-- time before is walked in stretches that grow with what is taken of each place: each reads little more than it
-- gives.
create or replace function newest_documents(
  p_places bigint[], p_with text[], p_without text[],
  p_after timestamptz, p_before timestamptz, p_before_id bigint, p_limit int, p_read_max int)
returns table (message_id bigint, created_at timestamptz) language plpgsql stable rows 26
-- A plan that was made while there were few documents would read all of them, or sort what the index has in order.
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
  -- Candidates of a stretch; all time is the first.
  taken_max constant int := 10000;
  taken int := p_limit;
  since timestamptz := p_after;
  span interval;
  room int := p_limit;
  more int;
  read int := 0;
  ids bigint[];
  times timestamptz[];
begin
  while room > 0 and (p_read_max is null or read < p_read_max) loop
    select array_agg(c.message_id order by c.created_at desc, c.message_id desc),
        array_agg(c.created_at order by c.created_at desc, c.message_id desc) into ids, times
      from (
        select d.message_id, d.created_at from unnest(p_places) given (place) cross join lateral (
          select s.message_id, s.created_at from search_documents s
          where s.place_id = given.place and s.created_at >= since
            and (s.created_at, s.message_id) < (p_before, p_before_id)
          order by s.created_at desc, s.message_id desc limit taken) d
        order by d.created_at desc, d.message_id desc limit taken) c;
    return query
      select d.message_id, d.created_at
      from unnest(ids) with ordinality found (id, at) join search_documents d on d.message_id = found.id
      -- A deleted thread has no audience while its messages are being deleted, and nobody searches hidden posts.
      where (d.thread_id is null or (
          select c.audience_id from channels c where c.id = d.thread_id and c.hidden is not true) = d.place_id)
        and not exists (select from unnest(p_with) s where position(s in d.terms) = 0)
        and not exists (select from unnest(p_without) s where position(s in d.terms) > 0)
      order by found.at limit room;
    get diagnostics more = row_count;
    room := room - more;
    read := read + coalesce(cardinality(ids), 0);
    -- The first stretch is too short to tell.
    exit when p_read_max is not null and read > p_limit and 2 * (p_limit - room) * p_read_max < p_limit * read;
    if cardinality(ids) = taken then
      span := greatest(p_before - times[taken], interval '1 second');
      p_before := times[taken];
      p_before_id := ids[taken];
    else
      exit when since <= p_after;
      span := p_before - since;
      p_before := since;
      p_before_id := 0;
    end if;
    taken := least(taken * 4, taken_max);
    since := greatest(p_after, p_before - 8 * span);
  end loop;
end $$;
