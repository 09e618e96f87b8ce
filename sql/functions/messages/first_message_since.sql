-- The first message of a channel written at or after a time: its ids stand in the order of its times, and each
-- step halves where to look.
create or replace function first_message_since(p_channel bigint, p_time timestamptz) returns bigint language plpgsql stable as $$
declare
  low bigint := coalesce((select min(m.id) from messages m where m.channel_id = p_channel), 0);
  high bigint := coalesce((select max(m.id) from messages m where m.channel_id = p_channel), -1);
  found bigint;
  middle record;
begin
  while low <= high loop
    select m.id, m.created_at >= p_time as is_late into middle
      from messages m where m.channel_id = p_channel and m.id >= low + (high - low) / 2 order by m.id limit 1;
    if middle.is_late then
      found := middle.id;
      high := low + (high - low) / 2 - 1;
    else
      low := middle.id + 1;
    end if;
  end loop;
  return found;
end $$;
