-- A message as JSON, as p_viewer sees it.
create or replace function message_json(m messages, p_viewer bigint) returns json language sql stable
  return (select body from message_wire(m, p_viewer));

-- A message as JSON, as everybody sees it who sees it; in a dm as its author does.
create or replace function message_json(m messages) returns json language sql stable
  return message_json(m, null::bigint);
