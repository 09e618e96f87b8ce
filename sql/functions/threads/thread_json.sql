-- As in 0032, with that time.
create or replace function thread_json(m messages) returns json language sql stable
  return (select row_to_json(begun) from (
    select c.id, c.name, c.message_count, last_message_id(c) as last_message_id,
      iso(last_message_at(c)) as last_message_at, iso(c.archived_at) as archived_at
    from channels c where c.message_id = m.id) begun);
