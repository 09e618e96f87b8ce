-- A scheduled message as its author sees it.
create or replace function scheduled_json(s scheduled_messages) returns json language sql stable
  return (select row_to_json(wire) from (
    select s.id, s.channel_id, (select c.server_id from channels c where c.id = s.channel_id) as server_id,
      s.content, s.reply_to_id, s.reply_mention, files_of_scheduled(s.id) as files, iso(s.send_at) as send_at,
      s.state, s.reason, iso(s.created_at) as created_at) wire);
