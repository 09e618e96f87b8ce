-- The newest messages before (p_before, p_before_id) in the places that hold all terms and sequences and none of the
-- others.
-- p_terms: looked up in the index; those that end with * are beginnings of words
-- p_with, p_without: sequences of terms, with a space before the first and after the last, if that is whole
-- A few places are asked first, for all time, and then all of them, if these tell that they give little. Else they tell
-- how much there is in a time, and the time is walked backwards, in stretches that hold about what is wanted. Where
-- almost no candidate fits, so that about all of them have to be read, the rest is asked for at once.
-- The index collects all entries of a prefix, in all places and all time. So messages that hold the other terms are
-- compared with the prefix first, as long as enough of them hold it.
create or replace function search_messages(
  p_places bigint[], p_terms text[], p_with text[], p_without text[],
  p_after timestamptz, p_before timestamptz, p_before_id bigint, p_limit int)
returns table (message_id bigint, created_at timestamptz) language plpgsql stable
-- A page: were it the default of 1000, the planner would encode all messages of a small table for it.
rows 26 as $$
declare
  place_count constant int := cardinality(p_places);
  -- Stretches are of units of 2^bits seconds, a few to some twenty of them.
  bits constant int[] := '{10,13,16,19,22}';
  widest_s constant int := 16 << bits[cardinality(bits)];
  -- Candidates of the first places, and of all places where these are few.
  sample_max constant int := 250;
  all_max constant int := 1000;
  -- Candidates that are compared with a prefix before it is looked up; where fewer than few fit in all, it is looked up
  -- at once, since the index then gives them all.
  compared_max constant int := 5000;
  few constant int := 500;
  -- A candidate that is looked at in a stretch costs as much as this many where all are read that fit: in a stretch, each
  -- is compared with all places.
  cheaper constant float8 := 3 + place_count / 100.0;
  -- A question about the time before is asked within the times in which there are messages.
  recent constant interval := '7 days';
  -- Candidates of a stretch: at first, and in the end.
  stretch_min constant int := 1000;
  stretch_max constant int := 16000;
  -- Marks of pairs are the rarest.
  words constant text[] := array(select t from unnest(p_terms) with ordinality given (t, n)
    where t not like '%*' order by t like '+%' desc, n);
  prefixes constant text[] := array(select t from unnest(p_terms) t where t like '%*');
  is_comparing boolean := cardinality(words) > 0 and cardinality(prefixes) > 0;
  keys text[];
  sequences text[];
  ids bigint[];
  times timestamptz[];
  fits boolean[];
  places_read bigint;
  -- Of the sample.
  asked int;
  portion int;
  is_full boolean;
  all_ids bigint[];
  all_times timestamptz[];
  all_fits boolean[];
  -- Candidates a second in all places; how many there have been, and how many of them fit.
  rate float8;
  sample_rate float8;
  candidates float8;
  fitting float8;
  -- Candidates to ask for, at most stretch_size; and in how many seconds these are expected.
  wanted float8;
  stretch_size int;
  seconds float8;
  level int;
  first bigint;
  stretches tsquery;
  -- The stretches of all the time that is asked for; null if that is too long.
  all_stretches tsquery;
  earliest timestamptz;
  is_rest_asked boolean := false;
  since_s bigint := floor(extract(epoch from p_after));
  -- What was sent from this second on has been looked at.
  until_s bigint := floor(extract(epoch from p_before))::bigint + 1;
  room int := p_limit;
  more int;
begin
  if place_count = 0 then return; end if;
  if until_s - since_s >= widest_s and p_before < now() - recent then
    earliest := earliest_document(p_places);
    since_s := greatest(since_s, floor(extract(epoch from earliest))::bigint);
    if earliest is null then return; end if;
  end if;
  if since_s >= until_s then return; end if;
  if until_s - since_s < widest_s then
    level := 1;
    while until_s - since_s >= 16 << bits[level] loop level := level + 1; end loop;
    all_stretches := search_times(bits[level], since_s >> bits[level], (until_s - 1) >> bits[level]);
  end if;
  <<ways>>
  loop
    keys := words || case when is_comparing then '{}' else prefixes end;
    sequences := p_with || case when is_comparing then array(select ' ' || rtrim(t, '*') from unnest(prefixes) t)
      else '{}' end;
    asked := 0;
    portion := 4;
    all_ids := '{}';
    all_times := '{}';
    all_fits := '{}';
    loop
      select found.* into ids, times, fits, places_read from search_candidates(
        p_places[asked + 1 : asked + portion], keys, sequences, p_without, p_after, p_before, p_before_id,
        all_stretches, 'places', case when asked = 0 then sample_max else all_max end) found;
      all_ids := all_ids || ids;
      all_times := all_times || times;
      all_fits := all_fits || fits;
      is_full := coalesce(cardinality(ids), 0) >= case when asked = 0 then sample_max else all_max end;
      asked := asked + case when is_full then places_read else portion end;
      exit when is_full or asked >= place_count
        or cardinality(all_ids) >= 100 and cardinality(all_ids) * place_count > all_max * asked;
      portion := portion * 8;
    end loop;
    if not is_full and asked >= place_count then
      return query select c.id, c.at from unnest(all_ids, all_times, all_fits) c (id, at, is_fit)
        where c.is_fit order by c.at desc, c.id desc limit room;
      return;
    end if;
    select count(*), count(*) filter (where c.is_fit),
        -- Of the last place it gave a part.
        count(*) / greatest(extract(epoch from max(c.at) - min(c.at)), 1) * place_count
          / greatest(asked - case when is_full then 0.5 else 0 end, 1)
      into candidates, fitting, rate from unnest(all_times, all_fits) c (at, is_fit);
    if is_comparing
      and (room * 1.5 * candidates > compared_max * fitting or fitting * place_count < few * asked) then
      is_comparing := false;
      continue;
    end if;
    sample_rate := rate;
    stretch_size := stretch_min;
    seconds := widest_s;
    while room > 0 and until_s > since_s loop
      wanted := least(greatest(room * 2 * candidates / greatest(fitting, 0.5), stretch_size / 4), stretch_size);
      if fitting * 100 < candidates and not is_rest_asked then
        earliest := coalesce(earliest, earliest_document(p_places));
        since_s := greatest(since_s, floor(extract(epoch from earliest))::bigint);
        is_rest_asked :=
          room * candidates * cheaper > greatest(fitting, 0.5) * greatest(rate, sample_rate) * (until_s - since_s);
        if is_rest_asked then
          select found.ids, found.times into ids, times from search_candidates(
            p_places, keys, sequences, p_without, p_after, p_before, p_before_id, all_stretches, 'fits',
            2 * stretch_max) found;
          if coalesce(cardinality(ids), 0) < 2 * stretch_max then
            return query select c.id, c.at from unnest(ids, times) c (id, at) order by c.at desc, c.id desc limit room;
            return;
          end if;
        end if;
      end if;
      seconds := least(wanted / rate, seconds * 8, until_s - since_s);
      level := 1;
      if seconds >= widest_s then
        stretches := null;
        first := since_s;
      else
        while level < cardinality(bits) and 2 << bits[level + 1] <= seconds loop level := level + 1; end loop;
        first := greatest(until_s - greatest(seconds, 1)::bigint, since_s) >> bits[level];
        stretches := search_times(bits[level], first, (until_s - 1) >> bits[level]);
        first := first << bits[level];
      end if;
      select found.ids, found.times, found.fits into ids, times, fits from search_candidates(
        p_places, keys, sequences, p_without, p_after, p_before, p_before_id, stretches,
        case when stretches is null then 'places' when level > 1 then 'once' else 'newest' end,
        2 * stretch_size) found;
      if cardinality(ids) >= 2 * stretch_size then
        if level > 1 or stretches is null then
          -- They may be of any part of the stretch.
          rate := greatest(rate, wanted / least(seconds, widest_s)) * 4;
          continue;
        end if;
        p_before := times[cardinality(ids)];
        p_before_id := ids[cardinality(ids)];
        first := floor(extract(epoch from p_before))::bigint + 1;
      else
        p_before := to_timestamp(first);
        p_before_id := 0;
      end if;
      return query select c.id, c.at from unnest(ids, times, fits) c (id, at, is_fit)
        where c.is_fit order by c.at desc, c.id desc limit room;
      get diagnostics more = row_count;
      room := room - more;
      exit ways when stretches is null;
      candidates := candidates + coalesce(cardinality(ids), 0);
      fitting := fitting + more;
      seconds := greatest(until_s - first, 1);
      rate := greatest(coalesce(cardinality(ids), 0), 1) / seconds;
      until_s := first;
      stretch_size := least(stretch_size * 2, stretch_max);
      if is_comparing and candidates > compared_max then
        is_comparing := false;
        continue ways;
      end if;
    end loop;
    exit;
  end loop;
end $$;
