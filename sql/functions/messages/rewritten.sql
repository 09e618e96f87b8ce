-- An event of a message as the log would have it now.
create or replace function rewritten(e events, m messages) returns json language sql stable
  return case when e.body ->> 'unread_count' is null then message_json(m, e.user_id)
    else (left(message_json(m, e.user_id)::text, -1)
      || ',"unread_count":' || (e.body ->> 'unread_count') || '}')::json end;
