-- The candidates that may see the channel, or are in the dm that its first message opens.
create or replace function mentioned(p_channel bigint, p_candidates bigint[]) returns bigint[] language sql stable
  return case when cardinality(p_candidates) = 0 then p_candidates else array(
    select distinct id from unnest(p_candidates) id
    where exists (select from channel_access(p_channel, id) ca where can_view(ca.permissions))
      or exists (select from participants p where p.channel_id = p_channel and p.user_id = id)
    order by id) end;
