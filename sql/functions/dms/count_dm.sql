-- In a dm, what tells of an event of the server, as messages of another kind do, is not unread. The first message of a
-- stranger makes the dm a request; whoever answers one accepts it.
create or replace function count_dm() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update participants p set last_message_id = new.id, is_open = true,
      unread_count = unread_count + (p.user_id <> new.author_id and new.read_at is null)::int,
      request = case
        when p.request is null and p.last_message_id is null and p.user_id <> new.author_id
          and is_stranger(new.author_id, p.user_id) then 'waiting'
        when p.request is not null and p.user_id = new.author_id and new.kind = 'default' then 'accepted'
        else p.request end
      where p.channel_id = new.channel_id;
  else
    update participants p set
      unread_count = unread_count - (p.user_id = old.recipient_id and old.read_at is null)::int,
      last_message_id = case when p.last_message_id <> old.id then p.last_message_id
        else (select max(m.id) from messages m where m.channel_id = old.channel_id) end
      where p.channel_id = old.channel_id;
  end if;
  return null;
end $$;
