-- Never moves back: greatest() ignores null.
create or replace function last_message_id(c channels) returns bigint language sql stable
  return greatest(c.newest_deleted_id, (select max(m.id) from messages m where m.channel_id = c.id));
