-- The voice channel for people who are idle in a call, and the time after which they are moved there.
alter table servers
  add column afk_channel_id bigint references channels on delete set null,
  add column afk_minutes smallint not null default 5
    constraint servers_afk_minutes_check check (afk_minutes in (1, 5, 15, 30, 60));

create index servers_by_afk_channel on servers (afk_channel_id) where afk_channel_id is not null;
