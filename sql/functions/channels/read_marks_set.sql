-- Keeps `read_mark_lists` for read marks that are added or moved.
create or replace function read_marks_set() returns trigger language plpgsql as $$
begin
  -- An insert that may also update fires both triggers.
  if not exists (select from changed) then
    return null;
  end if;
  insert into read_mark_lists as list (user_id, server_id, part, channel_ids, message_ids)
    select mark.user_id, place.server_id, place.part, array_agg(mark.channel_id order by mark.channel_id),
      array_agg(mark.message_id order by mark.channel_id)
    from changed mark join channels c on c.id = mark.channel_id cross join lateral mark_list_of(c) place
    group by mark.user_id, place.server_id, place.part order by mark.user_id, place.server_id, place.part
    on conflict (user_id, server_id, part) do update set (channel_ids, message_ids) = (
      select * from merged_marks(list.channel_ids, list.message_ids, excluded.channel_ids, excluded.message_ids));
  return null;
end $$;
