create or replace function newest_written_at(p_channel bigint) returns timestamptz language sql stable
  return (select m.created_at from messages m where m.channel_id = p_channel order by m.id desc limit 1);
