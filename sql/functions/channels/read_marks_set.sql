-- Keeps `read_mark_lists` for read marks that are added or moved.
create or replace function read_marks_set() returns trigger language plpgsql as $$
declare
  mark record;
  place record;
begin
  select count(*) as count, min(user_id) as user_id, min(channel_id) as channel_id, min(message_id) as message_id
    into mark from changed;
  -- An insert that may also update fires both triggers.
  if mark.count = 0 then
    return null;
  end if;
  -- One mark that moves is by far the most frequent change, and this is its shortest way.
  if mark.count = 1 then
    select of.server_id, of.part into place from channels c cross join lateral mark_list_of(c) of
      where c.id = mark.channel_id;
    update read_mark_lists l set message_ids[array_position(l.channel_ids, mark.channel_id)] = mark.message_id
      where l.user_id = mark.user_id and l.server_id = place.server_id and l.part = place.part
        and mark.channel_id = any (l.channel_ids);
    if found then
      return null;
    end if;
  end if;
  insert into read_mark_lists as list (user_id, server_id, part, channel_ids, message_ids)
    select changed.user_id, its.server_id, its.part, array_agg(changed.channel_id order by changed.channel_id),
      array_agg(changed.message_id order by changed.channel_id)
    from changed join channels c on c.id = changed.channel_id cross join lateral mark_list_of(c) its
    group by changed.user_id, its.server_id, its.part order by changed.user_id, its.server_id, its.part
    on conflict (user_id, server_id, part) do update set (channel_ids, message_ids) = (
      select * from merged_marks(list.channel_ids, list.message_ids, excluded.channel_ids, excluded.message_ids));
  return null;
end $$;
