-- An import also makes stickers.
alter table import_parts drop constraint import_parts_kind_check,
  add constraint import_parts_kind_check check (kind in ('channel', 'author', 'role', 'emoji', 'sticker'));
