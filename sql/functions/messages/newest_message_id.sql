create or replace function newest_message_id() returns bigint language sql stable
  return coalesce((select max(id) from messages), 0);
