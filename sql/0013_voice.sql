-- Whoever a moderator has muted stays muted, in whatever voice channel of the server, until it is lifted.
alter table members add column voice_muted boolean not null default false;
