create or replace function message_json(m messages, p_viewer bigint) returns json language sql stable
  return (select body from message_wire(m, p_viewer));

-- The same as its author sees it.
create or replace function message_json(m messages) returns json language sql stable
  return message_json(m, m.author_id);
