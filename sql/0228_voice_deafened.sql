-- kind: expand
-- Members whom a moderator has deafened in the calls of a server.
alter table members add column voice_deafened boolean not null default false;
