-- How far an account has read a channel: the id of the last message that is read.
create or replace function read_until(p_user bigint, c channels) returns bigint language sql stable
  return case when c.type = 'dm' then coalesce(
    least(
      (select rm.message_id from read_marks rm
        where rm.user_id = p_user and rm.channel_id = c.id and rm.moved_back),
      (select min(m.id) - 1 from messages m
        where m.channel_id = c.id and m.recipient_id = p_user and m.read_at is null)),
    last_message_id(c), 0)
  else coalesce(
    (select rm.message_id from read_marks rm where rm.user_id = p_user and rm.channel_id = c.id),
    (select mem.floor_id from members mem where mem.server_id = c.server_id and mem.user_id = p_user), 0) end;
