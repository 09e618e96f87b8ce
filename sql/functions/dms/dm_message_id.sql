-- The id of the direct message that carries the file, which is its message_id as well.
create or replace function dm_message_id(f files) returns bigint language sql stable
  return (select m.id from messages m where m.id = f.message_id and m.recipient_id is not null);
