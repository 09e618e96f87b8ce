-- Keeps `read_mark_lists` for deleted read marks, except those that were deleted with their channel.
create or replace function read_marks_deleted() returns trigger language plpgsql as $$
declare
  gone record;
begin
  for gone in
    select mark.user_id, place.server_id, place.part, array_agg(mark.channel_id) as ids
    from changed mark join channels c on c.id = mark.channel_id cross join lateral mark_list_of(c) place
    group by mark.user_id, place.server_id, place.part order by mark.user_id, place.server_id, place.part
  loop
    delete from read_mark_lists list
      where list.user_id = gone.user_id and list.server_id = gone.server_id and list.part = gone.part
        and list.channel_ids <@ gone.ids;
    update read_mark_lists list set (channel_ids, message_ids) = (
        select array_agg(kept.id order by kept.id), array_agg(kept.message_id order by kept.id)
        from unnest(list.channel_ids, list.message_ids) as kept (id, message_id) where kept.id <> all (gone.ids))
      where list.user_id = gone.user_id and list.server_id = gone.server_id and list.part = gone.part
        and list.channel_ids && gone.ids;
  end loop;
  return null;
end $$;
