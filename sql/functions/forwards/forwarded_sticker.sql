-- The sticker that a message shows of the message that it forwards.
create or replace function forwarded_sticker(m messages) returns bigint language sql stable
  return case when m.forwarded ->> 'sticker_id' is not null
    and (m.forwarded_id is null or message_stands(m.forwarded_id)) then (m.forwarded ->> 'sticker_id')::bigint end;
