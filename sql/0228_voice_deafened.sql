-- kind: expand
-- True for a member that a moderator has deafened in the calls of the server.
alter table members add column voice_deafened boolean not null default false;
