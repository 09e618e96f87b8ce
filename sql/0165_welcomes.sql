-- The first page that a new member of a server sees.
create table welcomes (
  server_id bigint primary key references servers on delete cascade,
  content text not null,
  -- A list of {channel_id, emoji, line}.
  channels json not null
);
