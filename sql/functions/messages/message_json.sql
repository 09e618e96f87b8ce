create or replace function message_json(m messages, p_viewer bigint) returns json language sql stable
  return (select body from message_wire(m, p_viewer));

-- As everybody sees it who sees the message: in a dm as its author does.
create or replace function message_json(m messages) returns json language sql stable
  return message_json(m, null::bigint);
