-- Whether a moderator has stopped the member's camera in the voice channels of the server.
alter table members add column camera_stopped boolean not null default false;
