-- kind: expand
-- Words by which a sticker is found, besides its name.
alter table stickers
  add column tags text not null default '' constraint stickers_tags_check check (char_length(tags) <= 200);
