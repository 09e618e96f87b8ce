-- A sticker as messages show it; null if it is gone.
create or replace function sticker_json(p_id bigint) returns json language sql stable
  return (select json_build_object('id', s.id, 'name', s.name, 'alt', s.alt, 'url', '/media/stickers/' || s.key,
    'animated', s.is_animated) from stickers s where s.id = p_id);
