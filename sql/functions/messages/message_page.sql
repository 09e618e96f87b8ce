-- What an account may do in a channel; and where it may read the history, the messages next to a bound, nearest first,
-- with `below` those of smaller ids. Both are null for who has no access. bodies: the messages' JSON, in the order of
-- ids, between them the record separator of RFC 7464, which no JSON holds. To plan the page takes as long as to read
-- it; a plan for any limit takes few messages per step, since it knows no number.
create or replace function message_page(
  p_channel bigint, p_viewer bigint, below boolean, p_bound bigint, p_limit int, p_offset int,
  out permissions bigint, out ids bigint[], out bodies text
) language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  select ca.permissions into message_page.permissions from channel_access(p_channel, p_viewer) ca;
  if (can_view(permissions) and holds(permissions, 'read_history')) is not true then return; end if;
  -- Only from the index; otherwise the planner may scan all channels' messages.
  if below then
    ids := array(select m.id from messages m where m.channel_id = p_channel and m.id < p_bound
      order by m.id desc limit p_limit offset p_offset);
  else
    ids := array(select m.id from messages m where m.channel_id = p_channel and m.id > p_bound
      order by m.id limit p_limit offset p_offset);
  end if;
  select string_agg(wire.body::text, e'\x1e' order by given.at) into bodies
  from unnest(ids) with ordinality as given (id, at)
  -- A limit keeps the planner from joining whole tables.
  cross join lateral (select m from messages m where m.id = given.id limit 1) its (m)
  cross join lateral message_wire(m, p_viewer) wire;
end $$;
