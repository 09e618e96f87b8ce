-- What a message's sticker says, its own or one that it forwards: for search, notices, reports and rules.
create or replace function sticker_text(m messages) returns text language sql stable
  return case when m.sticker_id is not null or m.forwarded is not null then (
    select string_agg(s.name || ' · ' || s.alt, E'\n' order by s.id) from stickers s
    where s.id in (m.sticker_id, forwarded_sticker(m))) end;
