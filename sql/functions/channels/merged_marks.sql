-- A list of read marks with others added or moved; both are sorted by channel. A deleted channel stays in a list until
-- another is added, because at its deletion nobody knows in whose lists it is.
create or replace function merged_marks(p_channels bigint[], p_messages bigint[], p_new_channels bigint[],
  p_new_messages bigint[], out channel_ids bigint[], out message_ids bigint[])
language plpgsql stable as $$
declare
  place int := array_position(p_channels, p_new_channels[1]);
begin
  if place is not null and cardinality(p_new_channels) = 1 then
    channel_ids := p_channels;
    message_ids := p_messages;
    message_ids[place] := p_new_messages[1];
    return;
  end if;
  select array_agg(mark.id order by mark.id), array_agg(mark.message_id order by mark.id)
    into channel_ids, message_ids
    from (select distinct on (id) id, message_id from (
        select *, 0 as age from unnest(p_new_channels, p_new_messages) as new (id, message_id)
        union all select *, 1 from unnest(p_channels, p_messages) as old (id, message_id)) both_lists
      order by id, age) mark
    where exists (select from channels c where c.id = mark.id);
end $$;
