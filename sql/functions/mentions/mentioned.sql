-- As in 0024; whom the first message of a dm mentions sees it with that message.
create or replace function mentioned(p_channel bigint, p_candidates bigint[]) returns bigint[] language sql stable
  return case when cardinality(p_candidates) = 0 then p_candidates else array(
    select distinct id from unnest(p_candidates) id
    where exists (select from channel_access(p_channel, id) ca where can_view(ca.permissions))
      or exists (select from participants p where p.channel_id = p_channel and p.user_id = id)
    order by id) end;
