-- Whether a copy of a file still shows. Call it only where copied_from is set: it is not inlined.
create or replace function copy_stands(f files) returns boolean language sql stable
  return f.copied_from is null or (
    exists (select from files o
      where o.id = f.copied_from and o.message_id is not null and message_stands(o.message_id))
    and not exists (select from messages m
      where m.id = f.message_id and m.forwarded_id is not null and not message_stands(m.forwarded_id)));
