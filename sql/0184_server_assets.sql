-- One quota a server for the pictures and sounds that it keeps: emoji, stickers, sounds, banners, role and event pictures.
create table server_assets (
  server_id bigint primary key references servers on delete cascade,
  bytes bigint not null default 0 check (bytes >= 0),
  -- The limit at the last charge; it is a setting of the installation.
  bytes_max bigint not null default 0,
  -- A violation is answered with the error code of the same name.
  constraint too_many_bytes check (bytes <= bytes_max)
);

-- Pictures that stay files of whoever uploaded them, and that a server shows.
create table server_files (
  file_id bigint not null references files on delete cascade,
  server_id bigint not null references servers on delete cascade,
  size bigint not null,
  primary key (file_id, server_id)
);
create index on server_files (server_id);

-- Emoji from before have no size, because it is only in the object store: they count nothing.
alter table emojis add column size bigint not null default 0;

create function asset_gone() returns trigger language plpgsql as $$
begin
  update server_assets set bytes = bytes - old.size where server_id = old.server_id;
  return null;
end $$;
create trigger emoji_released after delete on emojis for each row when (old.size > 0) execute function asset_gone();
create trigger file_released after delete on server_files for each row execute function asset_gone();
